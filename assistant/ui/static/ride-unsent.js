// The message that is never sent. Its words live in the box alone: this file can empty
// the box and do nothing else, and no other file knows of it. A test holds both to that.

// A new box takes the place of the old one, so that undoing cannot bring the words back.
export function wipeUnsent() {
  const old = document.getElementById("ride-unsent");
  old.value = "";
  const fresh = old.cloneNode();
  old.replaceWith(fresh);
  return fresh;
}
