import { MemoryConnector } from '../testing/memory-connector.ts';
import { type ConnectorContext, type TestedConnector, testConnector } from '../testing/suites/connector.testsuite.ts';
import { MultiConnector } from './multi-connector.ts';

testConnector('in memory', async (context) => createTested(context, ['memory']));
testConnector('of two in memory', async (context) => createTested(context, ['left', 'right']));

/** With several names it is several connectors in one, of which the person uses the first. */
function createTested(context: ConnectorContext, names: readonly [string, ...string[]]): TestedConnector {
  const first = new MemoryConnector({ name: names[0] });
  const all = [first, ...names.slice(1).map((name) => new MemoryConnector({ name }))];
  let failures = 0;
  for (const connector of all) connector.beforeSend = () => (connector.isStarted ? send() : undefined);
  return {
    connector: all.length === 1 ? first : new MultiConnector({ ...context, connectors: all }),
    chatId: 'chat-1',
    names,
    seen: () => first.seen('chat-1'),
    choose: async ({ id, kind }, choice) => {
      await first.answer(id, kind === 'question' ? { selected: [choice] } : { decision: choice as 'allow' }, 'ada');
    },
    write: async (text) => void (await first.say('chat-1', text, 'ada')),
    failSends: (count) => {
      failures = count * all.length;
    },
    restart: async () => createTested(context, names),
    leftovers: () => all.filter(({ isStarted }) => isStarted),
    dispose: async () => undefined,
  };

  function send(): void {
    if (failures <= 0) return;
    failures -= 1;
    throw new Error('no network');
  }
}
