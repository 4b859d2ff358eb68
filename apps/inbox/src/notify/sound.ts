import { pause } from '../live/pause.ts';

/** Two short, soft notes. */
const NOTES = [
  { hertz: 659.25, at: 0 },
  { hertz: 880, at: 0.13 },
];
const SECONDS = 0.35;
const LOUDNESS = 0.12;

/** Plays the tone. Browsers stay silent until the person has touched the page. */
export async function playTone(): Promise<void> {
  const audio = new AudioContext();
  try {
    // Until the person has touched the page, `resume` would wait.
    await Promise.race([audio.resume(), pause(500)]);
    if (audio.state !== 'running') return;
    for (const { hertz, at } of NOTES) {
      const start = audio.currentTime + at;
      const tone = new OscillatorNode(audio, { type: 'sine', frequency: hertz });
      const volume = new GainNode(audio, { gain: 0 });
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.015);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + SECONDS);
    }
    await pause((SECONDS + 0.3) * 1000);
  } finally {
    await audio.close();
  }
}
