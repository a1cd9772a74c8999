// Where the board is wider than the screen, it shows what it marks.
export function center() {
  const frame = document.getElementById("board");
  const ring = frame?.querySelector(".ring, .gone")?.getBoundingClientRect();
  if (!ring) return;
  const { left, top, width, height } = frame.getBoundingClientRect();
  frame.scrollBy(ring.x + ring.width / 2 - left - width / 2, ring.y + ring.height / 2 - top - height / 2);
}
