import { writeSync } from 'node:fs';

/** Takes whole lines, line end included. */
export interface LogFile {
  write(line: string): void;
}

/** How often, and how long each time, to wait for a full pipe. */
const TRIES = 10;
const TRY_MS = 10;
const LINE_END = 0x0a;

/**
 * The file, pipe or terminal that the log goes to. Lines are written immediately, so the last ones before an exit are
 * not lost. A line that cannot be written (the disk is full, the reader is gone or stuck) is dropped, because logging
 * must not stop the process. Once writing works again, `toNotice` says how many lines were lost and why.
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
    // A line that was cut off stays on its own line.
    let bytes = Buffer.from(lastByte === LINE_END ? text : `\n${text}`);
    // Once lines are being lost, do not wait for the next ones.
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
