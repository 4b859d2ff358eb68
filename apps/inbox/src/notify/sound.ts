/** Two short notes, so soft that they do not startle. */
const NOTES = [
  { hertz: 659.25, at: 0 },
  { hertz: 880, at: 0.13 },
];
const SECONDS = 0.35;
const LOUDNESS = 0.12;

/** Plays the tone. Browsers allow it after the person has touched the page; before, nothing is heard. */
export async function playTone(): Promise<void> {
  const audio = new AudioContext();
  try {
    // Before the person has touched the page, this would wait for it.
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
