import { PassThrough, Writable } from 'node:stream';
import type { Connector } from '../../core/connector.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { AT_ONCE, createFakeTerminal } from '../../testing/harness/terminal/fake-terminal.ts';
import { TerminalPerson } from '../../testing/harness/terminal/terminal-person.ts';
import { type TestedConnector, testConnector } from '../../testing/suites/connector.testsuite.ts';
import { createLinesConnector, createTerminalConnector } from './index.ts';

testConnector('JSON lines', async () => createTestedLines(), { takesTexts: false });
testConnector('terminal', async () => createTestedTerminal());

function createTestedLines(seen: string[] = []): TestedConnector {
  let failures = 0;
  const input = new PassThrough();
  const output = Object.assign(new Writable(), {
    write: (line: string): boolean => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the reader is gone');
      }
      // The headline repeats what is asked, and the contract counts how often that is seen.
      const { headline: _, ...document } = JSON.parse(line) as { headline?: string };
      seen.push(JSON.stringify(document));
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
    restart: async () => createTestedLines(seen),
    dispose: async () => undefined,
  };
}

function createTestedTerminal(): TestedConnector {
  const terminal = createFakeTerminal({ columns: 160, rows: 50 });
  const person = new TerminalPerson(terminal);
  const connector = createTerminalConnector({
    input: terminal.input,
    output: terminal.output,
    who: 'ada',
    keyTimes: AT_ONCE,
  });
  let failures = 0;
  // Nothing is between Beckon and the screen that could fail. So it fails before it is drawn.
  const send = (method: 'show' | 'settle', interaction: Interaction): Promise<void> => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Error('no screen')) : connector[method](interaction);
  };
  const failing: Connector = {
    name: connector.name,
    reaches: (chatId) => connector.reaches(chatId),
    start: (inbound) => connector.start(inbound),
    show: (interaction) => send('show', interaction),
    settle: (interaction) => send('settle', interaction),
    prompt: (chatId, text) => connector.prompt(chatId, text),
    stop: () => connector.stop(),
  };
  return {
    connector: failing,
    chatId: 'chat-1',
    seen: () => person.look(),
    choose: (interaction, choice) => person.choose(interaction, choice),
    write: (text) => person.giveFeedback(text),
    failSends: (count) => {
      failures = count;
    },
    restart: async () => createTestedTerminal(),
    leftovers: () => [
      ...terminal.input.listeners('keypress'),
      ...terminal.output.listeners('resize'),
      ...(terminal.isRaw() ? ['raw'] : []),
    ],
    dispose: async () => undefined,
  };
}
