// The wave: what the answers amount to. Pure: no page, no clock, no text typed by anybody.
//
// An answer is { at, strength }: milliseconds and 0 to 10. A wave is a list of answers,
// oldest first.

const MINUTE = 60_000;
const CORRECTED_WITHIN = MINUTE / 2;
const NOW_WITHIN = 2 * MINUTE;
const ASK_EVERY = 4 * MINUTE;
const NARROWEST = 10 * MINUTE; // a wave of one minute is not stretched over the page
const HIGH = 8;
const LOW = 2;

// The drawing’s own units, as in its viewBox; its guides stand at CEILING and FLOOR.
const WIDTH = 600;
const CEILING = 14;
export const FLOOR = 166;
const MARGIN = 14; // so that a point at the edge is seen whole

// Add an answer. One that follows at once takes the place of the last: it is the same
// answer, chosen with care or with the arrow keys.
export function withAnswer(wave, strength, now) {
  const last = wave.at(-1);
  const isSame = last && now - last.at < CORRECTED_WITHIN;
  return [...(isSame ? wave.slice(0, -1) : wave), { at: now, strength }];
}

// Tell whether to ask once more; `put off` is when the person last said “not now”.
export function isDue(wave, now, putOff = 0) {
  const last = wave.at(-1);
  return Boolean(last) && now - Math.max(last.at, putOff) >= ASK_EVERY;
}

// Tell how the wave moves, by the name that the lines go by.
export function momentOf(wave) {
  const [before, last] = wave.length > 1 ? wave.slice(-2) : [null, wave[0]];
  if (last.strength <= LOW) return "low";
  if (before && last.strength < before.strength) return "lower";
  if (last.strength >= HIGH) return "high";
  if (!before) return "first";
  return last.strength > before.strength ? "higher" : "same";
}

// --- In words ----------------------------------------------------------------------------

const WORDS = [
  "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  "eleven", "twelve",
];

export function ago(ms) {
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 1) return "just before";
  if (minutes === 1) return "a minute ago";
  if (minutes < 60) return `${WORDS[minutes] ?? minutes} minutes ago`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? "about an hour ago" : `about ${WORDS[hours] ?? hours} hours ago`;
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);

// Say what the drawing shows. Numbers and times only, never what to think of them.
export function sayWave(wave, now) {
  const last = wave.at(-1);
  const isNow = now - last.at < NOW_WITHIN;
  const latest = isNow
    ? `Now ${last.strength}.`
    : `${capital(ago(now - last.at))} it was ${last.strength}.`;
  const earlier = wave.slice(0, -1);
  if (!earlier.length) return latest;
  const highest = Math.max(...earlier.map((answer) => answer.strength));
  const when = ago(now - earlier.findLast((a) => a.strength === highest).at);
  if (highest > last.strength) return `${latest} The highest was ${highest}, ${when}.`;
  if (highest === last.strength) return `${latest} It was also ${highest} ${when}.`;
  return `${latest} The highest before was ${highest}, ${when}.`;
}

// --- As a drawing ------------------------------------------------------------------------

export function points(wave) {
  const from = wave[0].at;
  const span = Math.max(wave.at(-1).at - from, NARROWEST);
  return wave.map(({ at, strength }) => [
    MARGIN + ((at - from) / span) * (WIDTH - 2 * MARGIN),
    FLOOR - (strength / 10) * (FLOOR - CEILING),
  ]);
}

// A soft line through the points that never rises above or falls below what was said.
export function lineThrough(places) {
  const [[x, y], ...rest] = places.map((place) => place.map((n) => Math.round(n)));
  let before = [x, y];
  return rest.reduce((line, [toX, toY]) => {
    const middle = Math.round((before[0] + toX) / 2);
    const piece = ` C${middle},${before[1]} ${middle},${toY} ${toX},${toY}`;
    before = [toX, toY];
    return line + piece;
  }, `M${x},${y}`);
}

// --- To keep -----------------------------------------------------------------------------

// Pairs of whole minutes since the first answer, and how strong it was.
export function strengths(wave) {
  return wave.map(({ at, strength }) => [
    Math.round((at - wave[0].at) / MINUTE),
    strength,
  ]);
}
