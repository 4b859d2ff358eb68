import { note } from '../output.ts';

const CLEAR = '\r\u001B[K';
const TICK_MS = 1000;

/** Says that the command waits, and for how long: on a terminal one line that counts down, else once. */
export function showWaiting(endsAt: number): { clear: () => void } {
  const { stderr } = process;
  if (!stderr.isTTY) {
    note('Waiting for a decision. Ctrl-C stops.');
    return { clear: () => undefined };
  }
  const draw = (): void => {
    const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
    const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    stderr.write(`${CLEAR}beckon: Waiting for a decision, ${left} left. Ctrl-C stops.`);
  };
  draw();
  const timer = setInterval(draw, TICK_MS);
  return {
    clear: () => {
      clearInterval(timer);
      stderr.write(CLEAR);
    },
  };
}
