// Whoever has not chosen a time zone yet is offered the one of their device.
const select = document.querySelector("select[data-guess]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (select && [...select.options].some((option) => option.value === zone)) select.value = zone;
