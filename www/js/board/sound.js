// The sound of a move, synthesized: a click for the disc that is played, and a softer one for each disc that turns.

const MAX_CLICKS = 8;
const CLICK_S = 0.05;

/** @type {AudioContext | null} */
let audio = null;

/** @param {number} turned number of discs that turn */
export function playMoveSound(turned) {
  audio ??= new AudioContext();
  audio.resume();
  for (let i = 0; i <= Math.min(turned, MAX_CLICKS); i++) {
    const at = audio.currentTime + (i && 0.1 + 0.045 * i);
    const tone = new OscillatorNode(audio, { type: 'triangle', frequency: i ? 760 + 40 * i : 420 });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(i ? 0.12 : 0.5, at).exponentialRampToValueAtTime(0.001, at + CLICK_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + CLICK_S);
  }
}
