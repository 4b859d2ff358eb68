import { PassThrough, Writable } from 'node:stream';
import { type TestedConnector, testConnector } from '../../testing/connector.testsuite.ts';
import { createLinesConnector } from './index.ts';

testConnector('JSON lines', async () => createTested(), { takesTexts: false });

function createTested(seen: string[] = []): TestedConnector {
  let failures = 0;
  const input = new PassThrough();
  const output = Object.assign(new Writable(), {
    write: (line: string): boolean => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the reader is gone');
      }
      seen.push(line);
      return true;
    },
  });
  return {
    connector: createLinesConnector({ input, output, who: 'ada' }),
    chatId: 'chat-1',
    seen: () => seen.join(''),
    choose: async ({ id, kind }, choice) => {
      const answer = kind === 'question' ? { selected: [choice] } : { decision: choice };
      input.write(`${JSON.stringify({ id, answer })}\n`);
    },
    failSends: (count) => {
      failures = count;
    },
    restart: async () => createTested(seen),
    dispose: async () => undefined,
  };
}
