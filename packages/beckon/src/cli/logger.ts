import { type Logger, pino } from 'pino';
import type { Settings } from './config.ts';

/** The log of the daemon: JSON for machines, coloured lines where a person reads the stream. */
export async function createLogger(
  stream: NodeJS.WriteStream & { fd: number },
  level: Settings['logLevel'],
): Promise<Logger> {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Headers are not logged anywhere; should that change, these stay out.
    redact: { paths: ['*.headers.authorization', '*.headers.cookie', '*.token'], censor: '(hidden)' },
  };
  // Synchronous, so that the last words before an exit are not lost.
  if (!stream.isTTY) return pino(options, pino.destination({ dest: stream.fd, sync: true }));
  const { PinoPretty } = await import('pino-pretty');
  const isPlain = Boolean(process.env['NO_COLOR']);
  return pino(
    options,
    PinoPretty({
      colorize: !isPlain,
      ignore: 'pid',
      translateTime: 'SYS:HH:MM:ss',
      destination: stream.fd,
      sync: true,
    }),
  );
}
