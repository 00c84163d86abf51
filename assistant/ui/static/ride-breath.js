// Breathing to follow by eye or by ear: about six breaths a minute, a long breath out.

const IN_MS = 4000;
const OUT_MS = 6000;
const SOFT = 0.05; // of full loudness
const LOW_HZ = 165;
const HIGH_HZ = 220;

export class Breathing {
  // `place` holds the circle and the word; `words` are { in, out }.
  constructor(place, words) {
    this.place = place;
    this.word = place.querySelector(".ride-word");
    this.words = words;
    this.timer = 0;
    this.sound = null;
    this.wantsTones = false;
    place.style.setProperty("--in", `${IN_MS}ms`);
    place.style.setProperty("--out", `${OUT_MS}ms`);
  }

  get isOn() {
    return this.timer !== 0;
  }

  start() {
    if (this.isOn) return;
    if (this.wantsTones) this.openSound();
    this.turn("in");
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    delete this.place.dataset.breath;
    this.word.textContent = "";
    this.closeSound();
  }

  // Give false where the browser cannot make tones.
  useTones(wanted) {
    this.wantsTones = wanted && "AudioContext" in globalThis;
    if (!this.wantsTones) this.closeSound();
    else if (this.isOn) this.openSound();
    return this.wantsTones === wanted;
  }

  turn(breath) {
    const isIn = breath === "in";
    const ms = isIn ? IN_MS : OUT_MS;
    this.place.dataset.breath = breath;
    this.word.textContent = isIn ? this.words.in : this.words.out;
    this.play(isIn ? [LOW_HZ, HIGH_HZ] : [HIGH_HZ, LOW_HZ], ms / 1000);
    this.timer = setTimeout(() => this.turn(isIn ? "out" : "in"), ms);
  }

  // --- Tones: they swell and fade, so that nothing begins with a start -----------------

  openSound() {
    this.sound ??= new AudioContext();
  }

  closeSound() {
    this.sound?.close();
    this.sound = null;
  }

  play([fromHz, toHz], seconds) {
    if (!this.sound) return;
    const now = this.sound.currentTime;
    const tone = this.sound.createOscillator();
    const loudness = this.sound.createGain();
    tone.frequency.setValueAtTime(fromHz, now);
    tone.frequency.linearRampToValueAtTime(toHz, now + seconds);
    loudness.gain.setValueAtTime(0, now);
    loudness.gain.linearRampToValueAtTime(SOFT, now + seconds / 3);
    loudness.gain.linearRampToValueAtTime(0, now + seconds);
    tone.connect(loudness).connect(this.sound.destination);
    tone.start(now);
    tone.stop(now + seconds);
  }
}
