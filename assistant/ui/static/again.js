// Without its key, an open page cannot go on: it says so, once.

const SAID =
  "This page cannot go on: the program was started again, or the browser’s cookies were " +
  "cleared. You can still read what stands here; nothing more can be sent from it. ";

let mine = null; // the start of the program this page belongs to

// Asks the program how far it is; null once this page belongs to an earlier start. Throws
// where there is no program.
export async function askState() {
  const reply = await fetch("/ready");
  const state = reply.status === 403 ? null : await reply.json();
  if (state) mine ??= state.start;
  if (state && state.start === mine) return state;
  tell();
  return null;
}

function tell() {
  if (document.getElementById("again")) return;
  const notice = document.createElement("p");
  notice.id = "again";
  notice.setAttribute("role", "alert");
  document.body.append(notice);
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = "Open a new page";
  notice.append(SAID, link); // after it is there, so that it is read out
}
