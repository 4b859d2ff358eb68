import type { Duration } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';

/** The value of `--remind-after`: a duration, or "never". */
export function toRemindAfter(text: string): Duration | null {
  return text === 'never' ? null : toDuration(text);
}

/** The values of `--escalate`, each `AFTER:TO`, such as `30m:bob`. The server checks durations and names. */
export function toEscalations(texts: readonly string[]): { after: Duration; to: string }[] {
  return texts.map((text) => {
    const [after = '', to = ''] = text.split(/:(.*)/s);
    if (after === '' || to === '') {
      throw new BeckonError(
        'invalid_input',
        `--escalate: expected how long and to whom, such as 30m:bob or 1h:dst_…, got ${JSON.stringify(text)}.`,
      );
    }
    return { after: toDuration(after), to };
  });
}

function toDuration(text: string): Duration {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}
