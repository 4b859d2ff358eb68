import { writeSync } from 'node:fs';

/** Takes whole lines, each with its end. */
export interface LogFile {
  write(line: string): void;
}

/** How often, and for how long each time, a pipe that is full is waited for. */
const TRIES = 10;
const TRY_MS = 10;
const LINE_END = 0x0a;

/**
 * The file, pipe or terminal that the log goes to. Lines are written at once, so that the last words before an exit are not lost. One
 * that cannot be written (a full disk, a reader that is gone or stands still) is dropped: it must not change what the process does. When
 * writing works again, `toNotice` says how many were lost and why.
 */
export function createLogFile(fd: number, toNotice: (lost: number, reason: string) => string): LogFile {
  let lost = 0;
  let reason = '';
  let lastByte = LINE_END;

  return {
    write: (line) => {
      if (lost > 0 && put(toNotice(lost, reason))) lost = 0;
      if (lost > 0 || !put(line)) lost += 1;
    },
  };

  function put(text: string): boolean {
    // What was cut off in the middle of a line stays a line of its own.
    let bytes = Buffer.from(lastByte === LINE_END ? text : `\n${text}`);
    // While lines are lost already, nobody waits for the next ones.
    for (let tries = lost > 0 ? TRIES : 0; bytes.length > 0; ) {
      try {
        const written = writeSync(fd, bytes);
        lastByte = bytes[written - 1] ?? lastByte;
        bytes = bytes.subarray(written);
      } catch (error) {
        reason = (error as NodeJS.ErrnoException).code ?? String(error);
        tries += 1;
        if (reason !== 'EAGAIN' || tries > TRIES) return false;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_MS);
      }
    }
    return true;
  }
}
