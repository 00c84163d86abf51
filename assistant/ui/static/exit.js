// The quick exit: covers the page in the same moment, then forgets, then leaves.

const TIMES = 3;
const WITHIN_MS = 5000;
const dutiesBeforeLeaving = [];

// What else must stop and be forgotten, such as the microphone and the talk.
export function whenLeaving(duty) {
  dutiesBeforeLeaving.push(duty);
}

export function cover() {
  document.documentElement.classList.add("gone");
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
}

// Leads to where the exit leads, unless told another place.
export function leave(to = document.getElementById("exit").getAttribute("href")) {
  cover();
  for (const duty of dutiesBeforeLeaving) {
    try {
      duty();
    } catch {
      // Whatever fails here must not keep the person on the page.
    }
  }
  location.replace(to);
}

let pressed = 0;
let alone = false;
let timer = 0;

function showCount() {
  const dots = document.getElementById("exit-dots");
  dots.classList.toggle("counting", pressed > 0);
  [...dots.children].forEach((dot, i) => dot.classList.toggle("on", i < pressed));
  const said = document.getElementById("exit-said");
  const left = TIMES - pressed;
  said.textContent = pressed ? `Shift, ${left} more to leave this page.` : "";
}

function forgetCount() {
  pressed = 0;
  showCount();
}

// Shift counts only when nothing was typed with it: a capital letter is not an exit.
function onKeyDown(event) {
  alone = event.key === "Shift" && !event.ctrlKey && !event.altKey && !event.metaKey;
}

function onKeyUp(event) {
  if (event.key !== "Shift" || !alone) return;
  alone = false;
  pressed += 1;
  if (pressed >= TIMES) {
    leave();
    return;
  }
  if (pressed === 1) {
    clearTimeout(timer);
    timer = setTimeout(forgetCount, WITHIN_MS);
  }
  showCount();
}

// Capturing: nothing on the page can swallow these keys.
addEventListener("keydown", onKeyDown, true);
addEventListener("keyup", onKeyUp, true);
document.getElementById("exit").addEventListener("click", (event) => {
  event.preventDefault();
  leave();
});

// Shown again out of the browser's memory, by “Back”: nothing may be seen.
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    cover();
    location.replace("/");
  }
});
