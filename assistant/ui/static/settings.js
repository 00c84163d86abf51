// The screen “Settings and traces”: each choice holds at once, in every open tab.

import { leave } from "./exit.js";
import { idleChanged } from "./idle.js";
import { onPanel } from "./panels.js";

const GONE = "The program did not answer, so nothing was changed.";
const $ = (id) => document.getElementById(id);
const tabs = new BroadcastChannel("tabs");

function post(path, wanted = {}) {
  return fetch(`/settings/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wanted),
  });
}

function say(text) {
  if ($("settings-said")) $("settings-said").textContent = text;
}

// --- What holds --------------------------------------------------------------------------

function apply(look) {
  const { dataset } = document.documentElement;
  dataset.text = look.text;
  dataset.movement = look.movement;
  document.title = look.title;
  document.querySelector('link[rel="icon"]').href = look.icon;
  $("exit").setAttribute("href", look.exitTo);
  if (dataset.idleS !== String(look.idleS)) {
    dataset.idleS = look.idleS;
    idleChanged();
  }
  dataset.handsFree = look.handsFree;
  dataset.turnPauseS = look.turnPauseS;
  dataset.spoken = look.spoken;
  document.dispatchEvent(new Event("look")); // other parts of the page look at it anew
}

// Also used by the switch near the microphone; gives what holds now, or null.
export async function change(path, wanted) {
  let now;
  try {
    now = await (await post(path, wanted)).json();
  } catch {
    say(GONE);
    return null;
  }
  say(now.said);
  apply(now.look);
  tabs.postMessage({ look: now.look });
  return now;
}

async function useAddress(value) {
  const field = $("exit-address");
  const now = await change("change", { name: "exit_address", value });
  if (!now) return;
  field.setAttribute("aria-invalid", String(!now.ok));
  if (now.ok) field.value = now.exitAddress;
  else field.focus();
}

async function shutDown() {
  say("Wiping and stopping …");
  let done = false;
  try {
    done = (await post("stop", { clean: $("clean").checked })).ok;
  } catch {
    // It may have stopped already.
  }
  if (!done) return say(GONE);
  tabs.postMessage({ stopped: true });
  leave("/settings/stopped");
}

tabs.onmessage = ({ data }) => {
  if (data.stopped) leave("/settings/stopped");
  else if (data.look) apply(data.look);
};

// --- The screen --------------------------------------------------------------------------

async function open() {
  const place = $("settings-place");
  try {
    place.innerHTML = await (await post("body")).text(); // escaped by our own server
    $("settings-models").innerHTML = await (await post("models")).text();
  } catch {
    place.textContent = "The program did not answer.";
  }
}

onPanel("settings", { open });

$("settings-place").addEventListener("change", ({ target }) => {
  if (target.name === "keep") {
    change("keep", { keep: target.checked }).then((now) => {
      if (!now?.ok) target.checked = !target.checked;
    });
  } else if (target.name && target.name !== "exit_address") {
    change("change", { name: target.name, value: target.value });
  }
});

$("settings-place").addEventListener("submit", (event) => {
  event.preventDefault();
  useAddress($("exit-address").value);
});

$("settings-place").addEventListener("click", ({ target }) => {
  if (target.id === "exit-local") useAddress("");
  if (target.id === "shut-down") shutDown();
});
