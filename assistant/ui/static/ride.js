// “Ride it out”: asks how strong the pull is, draws the wave, opens what can be done
// meanwhile. All of it is state of this page, wiped with the talk.

import { onPanel } from "./panels.js";
import { Breathing } from "./ride-breath.js";
import { showSteps } from "./ride-steps.js";
import { wipeUnsent } from "./ride-unsent.js";
import * as waves from "./ride-wave.js";
import { roomId } from "./talk.js";

const LOOK_EVERY_MS = 10_000; // whether it is time to ask once more
const SETTLES_MS = 700; // arrow keys pass over numbers that are not meant

const $ = (id) => document.getElementById(`ride-${id}`);
const said = document.getElementById("ride").dataset;
const scale = () => [...document.querySelectorAll("#ride-ask input")];
const things = () => [...document.querySelectorAll(".ride-do")];

let wave = [];
let putOff = 0;
let looking = 0;
let settling = 0;
let cameFrom = null;
let isKeeping = false;
const opened = new Set();
const shownLines = new Set();

const breathing = new Breathing($("breath"), {
  in: said.breatheIn,
  out: said.breatheOut,
});

// --- How strong it is --------------------------------------------------------------------

function onChoice() {
  clearTimeout(settling);
  settling = setTimeout(takeChoice, SETTLES_MS);
}

// Take the chosen number, if one waits to be taken.
function takeChoice() {
  clearTimeout(settling);
  const chosen = scale().find((field) => field.checked);
  if (settling && chosen) answer(Number(chosen.value));
  settling = 0;
}

function answer(strength) {
  wave = waves.withAnswer(wave, strength, Date.now());
  putOff = 0;
  hideAgain();
  drawWave();
  $("line").textContent = nextLine(waves.momentOf(wave));
}

function sameAsBefore() {
  const { strength } = wave.at(-1);
  scale()[strength].checked = true;
  answer(strength);
  goBack();
}

// One that was not shown yet; when all were, they begin anew.
function nextLine(moment) {
  const lines = [...$("lines").content.querySelectorAll(`[data-moment="${moment}"]`)];
  const fresh = lines.find((line) => !shownLines.has(line));
  if (!fresh) lines.forEach((line) => shownLines.delete(line));
  const line = fresh ?? lines[0];
  shownLines.add(line);
  return line.textContent;
}

// --- Asking once more: a quiet line, and only where somebody can see it ------------------

function lookWhetherDue() {
  if (document.hidden || !looking) return;
  if (!$("again-ways").hidden || !waves.isDue(wave, Date.now(), putOff)) return;
  scale().forEach((field) => (field.checked = false)); // never chosen beforehand
  $("again-ways").hidden = false;
  $("again-said").textContent = $("again-said").dataset.words;
  drawWave();
}

function hideAgain() {
  $("again-ways").hidden = true;
  $("again-said").textContent = "";
}

function askLater() {
  putOff = Date.now();
  hideAgain();
  goBack();
}

// Whoever came from somewhere else in the panel is not left at its top.
function goBack() {
  (cameFrom ?? scale()[0]).focus({ preventScroll: true });
}

function onFocusIn({ relatedTarget }) {
  if (relatedTarget && !$("again").contains(relatedTarget)) cameFrom = relatedTarget;
}

function goToScale() {
  $("ask").scrollIntoView({ block: "center" });
  scale()[0].focus({ preventScroll: true });
}

// --- The wave ----------------------------------------------------------------------------

function drawWave() {
  $("drawn").hidden = !wave.length;
  if (!wave.length) return;
  const places = waves.points(wave);
  const line = waves.lineThrough(places);
  const [[fromX], [toX]] = [places[0], places.at(-1)];
  const drawing = $("wave").querySelector("svg");
  drawing.querySelector(".line").setAttribute("d", line);
  drawing
    .querySelector(".below")
    .setAttribute("d", `${line} L${toX},${waves.FLOOR} L${fromX},${waves.FLOOR} Z`);
  drawing.querySelector("g").replaceChildren(...places.map(dot));
  $("wave-said").textContent = waves.sayWave(wave, Date.now());
}

function dot([x, y]) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  made.setAttribute("cx", x);
  made.setAttribute("cy", y);
  made.setAttribute("r", 7);
  return made;
}

// --- What to do meanwhile ----------------------------------------------------------------

function onToggle({ target }) {
  if (!target.matches?.(".ride-do")) return;
  if (target.open) opened.add(target.dataset.do);
  else if (target.dataset.do === "breathe") stopBreathing();
}

function startOrStop() {
  if (breathing.isOn) stopBreathing();
  else {
    breathing.start();
    $("breathe").textContent = said.breatheStop;
    $("breath").scrollIntoView({ block: "nearest" });
  }
}

function stopBreathing() {
  breathing.stop();
  $("breathe").textContent = said.breatheStart;
}

function chooseTones() {
  const can = breathing.useTones($("tones").checked);
  if (!can) $("tones").checked = false;
  $("tones-said").textContent = can ? "" : said.tonesMissing;
}

function wipeMessage() {
  wipeUnsent().focus();
  $("unsent-said").textContent = said.unsentWiped;
}

// --- The end -----------------------------------------------------------------------------

function showEnd() {
  takeChoice();
  stopBreathing();
  $("opened").replaceChildren(...things().filter(wasOpened).map(checkbox));
  $("keep").hidden = !wave.length;
  $("now").hidden = true;
  $("end").hidden = false;
  $("said").textContent = $("keep-said").textContent = "";
  $("helped").focus();
}

const wasOpened = (thing) => opened.has(thing.dataset.do);

function checkbox(thing) {
  const label = document.createElement("label");
  const field = document.createElement("input");
  label.className = "ride-check";
  field.type = "checkbox";
  field.value = thing.querySelector("summary").textContent;
  field.autocomplete = "off";
  label.append(field, field.value);
  return label;
}

function goOn() {
  $("end").hidden = true;
  $("now").hidden = false;
  $("done").focus();
}

function helped() {
  const checked = [...$("opened").querySelectorAll("input:checked")];
  const other = $("other").value.trim();
  return [...checked.map((field) => field.value), ...(other ? [other] : [])];
}

// The one thing that leaves this page, for the notebook on this computer, when asked to.
async function keep() {
  if (isKeeping) return;
  isKeeping = true;
  const record = {
    room: roomId(),
    started: new Date(wave[0].at).toISOString(),
    strengths: waves.strengths(wave),
    helped: helped(),
  };
  const reply = await fetch("/notes/wave", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(record),
  }).catch(() => null);
  isKeeping = false;
  if (reply?.ok) beginAnew(said.kept);
  else sayNotKept(reply?.status === 404 ? said.keepMissing : said.keepFailed);
}

function sayNotKept(line) {
  $("keep-said").textContent = line;
  $("keep-said").scrollIntoView({ block: "nearest" });
}

function beginAnew(line) {
  forget();
  $("said").textContent = line;
  document.getElementById("title-ride").focus();
}

function forget() {
  clearTimeout(settling);
  wave = [];
  putOff = settling = 0;
  cameFrom = null;
  opened.clear();
  shownLines.clear();
  for (const field of scale()) field.checked = false;
  for (const thing of things()) thing.open = false;
  document.querySelectorAll(".ride-path").forEach((path) => showSteps(path, 0));
  $("tones").checked = false;
  breathing.useTones(false);
  stopBreathing();
  wipeUnsent();
  for (const place of ["line", "unsent-said", "tones-said", "said", "keep-said", "wave-said"]) {
    $(place).textContent = "";
  }
  $("opened").replaceChildren();
  $("other").value = "";
  $("end").hidden = true;
  $("now").hidden = false;
  hideAgain();
  drawWave();
}

// --- Start -------------------------------------------------------------------------------

const CLICKS = {
  "ride-again-same": sameAsBefore,
  "ride-again-look": goToScale,
  "ride-again-later": askLater,
  "ride-breathe": startOrStop,
  "ride-unsent-wipe": wipeMessage,
  "ride-done": showEnd,
  "ride-go-on": goOn,
  "ride-keep": keep,
  "ride-keep-nothing": () => beginAnew(said.keptNothing),
};

document.getElementById("ride").addEventListener("click", (event) => {
  CLICKS[event.target.closest("button")?.id]?.();
});
document.getElementById("ride").addEventListener("toggle", onToggle, true);
$("ask").addEventListener("change", onChoice);
$("ask").addEventListener("click", ({ target }) => {
  if (target.matches("input")) onChoice(); // the same number once more is an answer too
});
$("again").addEventListener("focusin", onFocusIn);
$("tones").addEventListener("change", chooseTones);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stopBreathing();
  else lookWhetherDue();
});
document.addEventListener("wiped", forget);

onPanel("ride", {
  open: () => {
    document.querySelector('[data-do="list"]').hidden =
      !document.getElementById("panel-notes");
    looking = setInterval(lookWhetherDue, LOOK_EVERY_MS);
    drawWave();
    lookWhetherDue();
  },
  close: () => {
    takeChoice();
    stopBreathing();
    clearInterval(looking);
    looking = 0;
  },
});
