import { connectBeckon } from '../connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { createSqliteDatabase, type TestDatabase, usePostgres } from '../testing/harness/database.ts';
import { startOn, TRANSPORTS, type Transport } from '../testing/harness/use-daemon.ts';
import { testBeckon } from '../testing/suites/beckon.testsuite.ts';
import type { BeckonDatabase } from '../testing/suites/use-beckons.ts';

const createPostgresDatabase = usePostgres();

for (const transport of TRANSPORTS) {
  testBeckon(`the transport ${transport} with SQLite`, () => createRemotes(transport, createSqliteDatabase()));
  testBeckon(`the transport ${transport} with Postgres`, () => createRemotes(transport, createPostgresDatabase()));
}

/** Each Beckon is a client of a daemon of its own, all on one database. */
async function createRemotes(transport: Transport, creating: Promise<TestDatabase>): Promise<BeckonDatabase> {
  const database = await creating;
  const daemons: Daemon[] = [];
  const beckons: Beckon[] = [];
  const tokens = new Map<string, Promise<string>>();
  return {
    open: async () => {
      const daemon = await startOn(database.url);
      daemons.push(daemon);
      const connect = async (name: string): Promise<Beckon> => {
        const creatingToken = tokens.get(name) ?? daemon.tokens.create({ name, role: 'admin' });
        tokens.set(name, creatingToken);
        return connectBeckon(daemon.url, { token: await creatingToken, transport });
      };
      const beckon = createPeople(await connect('agent'), connect);
      beckons.push(beckon);
      return beckon;
    },
    dispose: async () => {
      await Promise.all(beckons.map((beckon) => beckon.close()));
      await Promise.all(daemons.map((daemon) => daemon.stop()));
      await database.dispose();
    },
  };
}

/** Over HTTP a person is known by their token: everybody who answers gets a connection of their own. */
function createPeople(main: Beckon, connect: (name: string) => Promise<Beckon>): Beckon {
  const people = new Map<string, Promise<Beckon>>();
  let isClosed = false;
  const asPerson = (who: string): Promise<Beckon> | Beckon => {
    if (isClosed || who === '') return main;
    const person = people.get(who) ?? connect(who);
    people.set(who, person);
    return person;
  };
  return {
    ask: (input) => main.ask(input),
    askGroup: (inputs) => main.askGroup(inputs),
    wait: (id, options) => main.wait(id, options),
    answer: async (id, answer, by) => (await asPerson(by.who)).answer(id, answer, by),
    answerMany: async (ids, answer, by) => (await asPerson(by.who)).answerMany(ids, answer, by),
    answerGroup: async (groupId, answers, by) => (await asPerson(by.who)).answerGroup(groupId, answers, by),
    say: async (chatId, text, by, options) => (await asPerson(by.who)).say(chatId, text, by, options),
    cancel: (target, reason) => main.cancel(target, reason),
    supersede: (id, reason) => main.supersede(id, reason),
    note: (id, note) => main.note(id, note),
    get: (id) => main.get(id),
    context: (id) => main.context(id),
    list: (filter) => main.list(filter),
    events: (options) => main.events(options),
    close: async () => {
      isClosed = true;
      const open = [main, ...(await Promise.all(people.values()))];
      await Promise.all(open.map((beckon) => beckon.close()));
    },
  };
}
