// Hands-free: a silence ends a turn, after a countdown that any key or touch stops.
//
// The program says how long nobody has spoken; it knows a voice from a noise. The page's
// own loudness only holds the end back, for a word that has just begun.

const COUNT_FROM_S = 3;
const LOUD = 0.03;
const LOUDER = 4; // times the quiet around
const RISE = 1.02;
const JUST_NOW_MS = 700;

export const isHandsFree = () => document.documentElement.dataset.handsFree === "on";
export const turnPauseS = () => Number(document.documentElement.dataset.turnPauseS);

export class HandsFree {
  // `onCount` is told the seconds left, or null; `onEnd` that the turn is over.
  constructor({ onCount, onEnd }) {
    this.onCount = onCount;
    this.onEnd = onEnd;
    this.rest();
  }

  rest() {
    this.armed = false;
    this.left = null;
  }

  begin() {
    this.armed = true;
    this.since = performance.now();
    this.loudAt = -Infinity;
    this.floor = 1;
  }

  get isCounting() {
    return this.left !== null;
  }

  // After a pause that the person made, the silence counts anew.
  goOn() {
    this.since = performance.now();
  }

  hear({ settled, speaking, quiet_s: quiet }) {
    if (!this.armed) return;
    const here = (performance.now() - this.since) / 1000;
    const silence = settled || speaking ? Math.min(quiet, here) : 0;
    const left = turnPauseS() - silence;
    if (!silence || left > COUNT_FROM_S || this.isLoud()) return this.count(null);
    if (left > 0) return this.count(Math.ceil(left));
    this.rest();
    this.onCount(null);
    this.onEnd();
  }

  level(peak) {
    if (!this.armed) return;
    this.floor = Math.min(peak, Math.max(this.floor * RISE, 0.001));
    if (peak < Math.max(LOUD, this.floor * LOUDER)) return;
    this.loudAt = performance.now();
    this.count(null);
  }

  isLoud() {
    return performance.now() - this.loudAt < JUST_NOW_MS;
  }

  // True where there was something to stop: this turn is not sent by itself any more.
  stop() {
    if (!this.isCounting) return false;
    this.count(null);
    this.rest();
    return true;
  }

  count(left) {
    if (left === this.left) return;
    this.left = left;
    this.onCount(left);
  }
}
