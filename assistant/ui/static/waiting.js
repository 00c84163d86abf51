// Words for a wait: the box is not there yet, or a reply takes long on this computer.

const BOX_MS = 800;
const WRITING_MS = 15000;
const COMING = "The box for your words is coming.";
const LONG =
  "This takes longer than usual. It is still being written; “Stop” ends it and keeps " +
  "what is there.";
const status = () => document.getElementById("status");
let writing = 0;

function untilThere(box) {
  if (box()) return takeBack(COMING);
  if (!status().textContent) status().textContent = COMING;
  setTimeout(() => untilThere(box), 200);
}

// Whatever else was said there in the meantime stays.
function takeBack(line) {
  if (status().textContent === line) status().textContent = "";
}

// Says that the box is on its way, until it is there.
export function watchBox(box) {
  setTimeout(() => untilThere(box), BOX_MS);
}

// Told with every part of a reply whether more is to come.
export function watchWriting(isWriting) {
  clearTimeout(writing);
  takeBack(LONG);
  if (!isWriting) return;
  writing = setTimeout(() => (status().textContent = LONG), WRITING_MS);
}
