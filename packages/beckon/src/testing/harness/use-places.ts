import { afterEach, beforeEach } from 'vitest';
import { connectBeckon } from '../../client/connect-beckon.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { Daemon } from '../../daemon/daemon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { createSqliteDatabase, type TestDatabase } from './database.ts';
import { startOn } from './use-daemon.ts';

/** Where an agent may have its Beckon. */
export const PLACES = ['in process', 'over HTTP'] as const;
type Place = (typeof PLACES)[number];

/** Who answers; over HTTP the token of the person has the same name. */
export const ADA = { who: 'ada', via: 'test' };

/** How a verb hears of its request. */
interface Hearing {
  onAsked(asked: { id: string }): void;
}

/** An agent and a person on one Beckon. */
export interface TestPlace {
  readonly agent: Beckon;
  readonly person: Beckon;
  /** Closes everything and opens it again on the same store. */
  restart(): Promise<void>;
  /** Options of a verb: ada answers as soon as she is asked. */
  answer(given: AnswerInput): Hearing;
  /** Asks, and gives the code of the error with which Beckon refuses an answer. */
  refuse(run: (options: Hearing) => Promise<unknown>, given: AnswerInput): Promise<unknown>;
}

interface Opened {
  agent: Beckon;
  person: Beckon;
  close(): Promise<void>;
}

/** For each test around it a new Beckon at that place. */
export function usePlace(place: Place): TestPlace {
  let database: TestDatabase;
  let opened: Opened;
  const tokens = new Map<string, string>();
  const open = (): Promise<Opened> => (place === 'in process' ? openHere(database) : openThere(database, tokens));
  beforeEach(async () => {
    tokens.clear();
    database = await createSqliteDatabase();
    opened = await open();
  });
  afterEach(async () => {
    await opened.close();
    await database.dispose();
  });
  return {
    get agent() {
      return opened.agent;
    },
    get person() {
      return opened.person;
    },
    restart: async () => {
      await opened.close();
      opened = await open();
    },
    answer: (given) => ({ onAsked: ({ id }) => void opened.person.answer(id, given, ADA) }),
    refuse: async (run, given) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const running = run({ onAsked: ({ id }) => resolve(id) });
      const id = await promise;
      const answered = await opened.person.answer(id, given, ADA).catch((error: unknown) => error);
      await Promise.all([running, opened.person.cancel({ id })]);
      return answered instanceof BeckonError ? answered.code : answered;
    },
  };
}

async function openHere({ url }: TestDatabase): Promise<Opened> {
  const beckon = await openBeckon({ store: url });
  return { agent: beckon, person: beckon, close: () => beckon.close() };
}

async function openThere({ url }: TestDatabase, tokens: Map<string, string>): Promise<Opened> {
  const daemon = await startOn(url);
  const agent = await connect(daemon, tokens, 'agent');
  const person = await connect(daemon, tokens, 'admin');
  return {
    agent,
    person,
    close: async () => {
      await Promise.all([agent.close(), person.close()]);
      await daemon.stop();
    },
  };
}

/** A token outlives the daemon that made it, as the agent's own does. */
async function connect(daemon: Daemon, tokens: Map<string, string>, role: 'agent' | 'admin'): Promise<Beckon> {
  const token = tokens.get(role) ?? (await daemon.tokens.create({ name: role === 'agent' ? 'builder' : 'ada', role }));
  tokens.set(role, token);
  return connectBeckon(daemon.url, { token });
}
