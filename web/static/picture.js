// A board that the server has drawn, changed piece by piece. A drawing has layers, a layer has
// pieces, and each piece is one node; what notes draw over it (.ink) is no piece.
const SVG = "http://www.w3.org/2000/svg";
const LAYERS = ":scope > title, :scope > defs, :scope > g:not(.compass)";

function nodesOf(texts) {
  const holder = document.createElementNS(SVG, "svg");
  holder.innerHTML = texts.join("");
  return [...holder.childNodes];
}

function piecesOf(layer) {
  return [...layer.childNodes].filter((node) => !node.classList?.contains("ink"));
}

function put(layer, pieces, start, gone, texts) {
  const made = nodesOf(texts);
  const after = pieces[start + gone] ?? null;
  for (const old of pieces.slice(start, start + gone)) old.remove();
  if (after) after.before(...made);
  else layer.append(...made);
  pieces.splice(start, gone, ...made);
}

// Moments in full, from moments that say only what they change: layers as texts, and the figures.
export function unrolled(moments, pool, layerCount, before = {}) {
  let layers = Array.from({ length: layerCount }, () => []);
  let known = { scores: [], display: [], voice: [], ...before };
  return moments.map((moment) => {
    layers = layers.map((layer) => layer.slice());
    for (const [layer, start, gone, ...come] of moment.board ?? []) {
      layers[layer].splice(start, gone, ...come.map((piece) => pool[piece]));
    }
    known = {
      scores: moment.scores ?? known.scores,
      display: moment.display ?? known.display,
      voice: moment.voice ?? known.voice,
    };
    return { sentences: [], effects: [], ...moment, ...known, layers };
  });
}

export class Picture {
  // `frame` holds the drawing; `layers` are its pieces' texts, where they are known.
  constructor(frame, layers = null) {
    this.frame = frame;
    this.known = layers;
    this.drawing = frame.querySelector(":scope > svg");
  }

  get layers() {
    return [...this.frame.querySelector(":scope > svg").querySelectorAll(LAYERS)];
  }

  // Changes relative to what is shown, from the end of each layer on.
  splice(changes, pool) {
    const { layers } = this;
    const pieces = new Map();
    for (const [place, start, gone, ...come] of changes) {
      const layer = layers[place];
      if (!pieces.has(layer)) pieces.set(layer, piecesOf(layer));
      put(layer, pieces.get(layer), start, gone, come.map((piece) => pool[piece]));
    }
    this.known = null;
  }

  // The drawing with these layers: only pieces that differ from those before are touched.
  show(layers) {
    const drawing = this.frame.querySelector(":scope > svg");
    // Somebody else may have put another drawing here, as a preview does.
    const known = drawing === this.drawing ? this.known : null;
    this.layers.forEach((layer, place) => {
      const texts = layers[place];
      const before = known?.[place];
      if (!before) {
        layer.replaceChildren(...nodesOf(texts));
        return;
      }
      let start = 0;
      while (start < texts.length && start < before.length && texts[start] === before[start]) start += 1;
      let end = 0;
      const most = Math.min(texts.length, before.length) - start;
      while (end < most && texts.at(-1 - end) === before.at(-1 - end)) end += 1;
      if (start === texts.length && start === before.length) return;
      const pieces = piecesOf(layer);
      if (texts.length !== before.length) {
        put(layer, pieces, start, before.length - start - end, texts.slice(start, texts.length - end));
        return;
      }
      for (let i = start; i < texts.length - end; i += 1) {
        if (texts[i] !== before[i]) put(layer, pieces, i, 1, [texts[i]]);
      }
    });
    this.known = layers;
    this.drawing = drawing;
  }
}
