// The first page: becomes the talk by itself, unless the person is using it.

import "./exit.js";
import "./help.js";

const EVERY_MS = 400;
let inUse = location.hash === "#help";

// Moving somebody away while they read a number would be unkind: then a link waits.
for (const kind of ["pointerdown", "keydown", "wheel", "touchstart", "change"]) {
  addEventListener(kind, () => (inUse = true), { passive: true });
}

function offer(text) {
  document.getElementById("lead").textContent = text;
  document.getElementById("go").hidden = false;
}

async function ask() {
  let state;
  try {
    state = await (await fetch("/ready")).json();
  } catch {
    setTimeout(ask, 4 * EVERY_MS);
    return;
  }
  document.getElementById("parts").innerHTML = state.parts;
  if (state.failed) {
    document.getElementById("waiting").hidden = true;
    document.getElementById("lead").textContent = state.failed;
    return; // help stays, and works
  }
  if (state.settled) {
    document.getElementById("waiting").hidden = true;
    offer("Everything is ready.");
    if (!inUse) location.replace("/talk/");
    return;
  }
  if (state.open) offer("You can start now; the rest goes on getting ready.");
  setTimeout(ask, EVERY_MS);
}

// From here the address never stays in the history beside the talk's.
document.getElementById("go")?.addEventListener("click", (event) => {
  event.preventDefault();
  location.replace("/talk/");
});

if (document.getElementById("lead")) ask();
