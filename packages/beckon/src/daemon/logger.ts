import { type Logger, pino } from 'pino';
import type { Settings } from './config.ts';
import { createLogFile, type LogFile } from './log-file.ts';

/** The daemon's log: JSON for machines, colored lines in a terminal. Logging never throws. */
export async function createLogger(
  stream: NodeJS.WriteStream & { fd: number },
  level: Settings['logLevel'],
): Promise<Logger> {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Headers are not logged anywhere; if that changes, these stay hidden.
    redact: { paths: ['*.headers.authorization', '*.headers.cookie', '*.token'], censor: '(hidden)' },
  };
  if (!stream.isTTY) return pino(options, createLogFile(stream.fd, toNotice));
  const { prettyFactory } = await import('pino-pretty');
  const isPlain = Boolean(process.env['NO_COLOR']);
  const toLine = prettyFactory({ colorize: !isPlain, ignore: 'pid', translateTime: 'SYS:HH:MM:ss' });
  const terminal = createLogFile(stream.fd, (lost, reason) => toLine(toNotice(lost, reason)));
  const pretty: LogFile = { write: (line) => terminal.write(toLine(line)) };
  return pino(options, pretty);
}

function toNotice(lost: number, reason: string): string {
  const msg = `${lost} ${lost === 1 ? 'line was' : 'lines were'} lost: the log could not be written (${reason})`;
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), pid: process.pid, lost, msg })}\n`;
}
