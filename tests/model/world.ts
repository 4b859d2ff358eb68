import assert from 'node:assert/strict';
import { toIso } from '../../packages/beckon/src/core/clock.ts';
import type { AnswerInput, AskInput, Interaction, LogEvent } from '../../packages/beckon/src/index.ts';
import type { Rule } from '../../packages/beckon/src/protocol/rule.ts';
import { FakeClock } from '../../packages/beckon/src/testing/fake-clock.ts';
import type { TestDatabase } from '../../packages/beckon/src/testing/harness/database.ts';
import { within } from '../harness/within.ts';
import { CHOICES, REQUESTS } from './catalogue.ts';
import { explain, toJson } from './explain.ts';
import { type Action, type Chosen, EMPTY, find, type Heard, isDue, type State } from './model.ts';
import { hear, LogReader, listAll, type Node, openNode, Wait } from './nodes.ts';
import type { DrawnCall, Operation } from './operations.ts';

const START = Date.UTC(2030, 0, 1);
const MOST_NODES = 4;
const PEOPLE = [
  { who: 'ada', via: 'terminal' },
  { who: 'ben', via: 'inbox', kind: 'person' },
  { who: 'policy', via: 'rules', kind: 'rule' },
] as const;

/**
 * Two runtimes on one database beside the model of what they hold. Each operation is made in both, and then they are
 * compared.
 */
export class World {
  readonly #database: TestDatabase;
  readonly #time = new FakeClock(START);
  /** The clocks of the runtimes in use. */
  readonly #clocks = new Set<FakeClock>();
  /** The runtimes in use, then those that were left behind. */
  readonly #nodes: Node[] = [];
  readonly #accepted: Interaction[] = [];
  #texts = 0;
  #groups = 0;
  #rules = 0;
  readonly #log: LogEvent[] = [];
  #state: State = EMPTY;
  #waits: Wait[] = [];
  #readers: LogReader[] = [];
  #ids = 0;

  constructor(database: TestDatabase) {
    this.#database = database;
  }

  get state(): State {
    return this.#state;
  }

  /** The answers that somebody was told are accepted. */
  get accepted(): readonly Interaction[] {
    return this.#accepted;
  }

  async open(): Promise<void> {
    this.#nodes.push(await this.#openNode(), await this.#openNode());
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ beckon }) => beckon.close()));
    const ends = [...this.#waits, ...this.#readers].map(({ ended }) => ended);
    await within('waits and readers to end with their nodes', Promise.all(ends));
  }

  /** A runtime that has seen nothing of what happened so far. */
  async openFresh(): Promise<Node> {
    const node = await this.#openNode();
    this.#nodes.push(node);
    return node;
  }

  async perform(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'call':
        return this.#callTogether(operation.calls);
      case 'wait':
        return this.#wait(this.#node(operation.node), this.#target(operation.target));
      case 'abort':
        return this.#abort(operation.wait);
      case 'read': {
        const after = operation.after % (this.#state.log.length + 1);
        this.#readers.push(new LogReader(this.#node(operation.node), after));
        return;
      }
      case 'skip':
        this.#time.skip(operation.seconds * 1000);
        return;
      case 'advance':
        this.#time.skip(operation.seconds * 1000);
        this.#runDue();
        return this.#keepDeadlines([]);
      case 'rush':
        return this.#rush(operation.node, operation.kind);
      case 'restart':
        return this.#restart(operation.node);
      case 'abandon':
        return this.#abandon(operation.node);
    }
  }

  /** Compares what every runtime and every waiter sees with the model. */
  async compare(): Promise<void> {
    assert.deepEqual(toJson(await this.#listAll()), toJson(this.#state.interactions));
    assert.deepEqual(await this.#node(this.#log.length).store.rules.all(), this.#state.rules);
    const pending: Wait[] = [];
    for (const wait of this.#waits) {
      // A wait notices a deadline whose timer is late, and then it ends during this very look.
      if (wait.heard !== undefined) await this.#explain([]);
      const expected = find(this.#state, wait.id);
      if (expected?.status !== 'pending') await within(`the waiter of ${wait.id}`, wait.ended);
      if (expected === undefined) assert.deepEqual(wait.heard, { code: 'interaction_not_found' });
      else if (expected.status !== 'pending') assert.deepEqual(toJson(wait.heard), toJson({ value: expected }));
      else if (wait.heard === undefined) pending.push(wait);
      else assert.fail(`A waiter of ${wait.id}, which is pending, was told that it ended`);
    }
    this.#waits = pending;
    for (const reader of this.#readers) {
      await within(`a reader of the log from ${reader.after}`, reader.reaches(this.#log.length));
      const { length } = this.#log;
      assert.deepEqual(reader.events.slice(0, length - reader.after), this.#log.slice(reader.after));
    }
  }

  /** A list that the state explains: a late timer may still expire something during the first look. */
  async #listAll(): Promise<Interaction[]> {
    for (;;) {
      const { length } = this.#log;
      const interactions = await listAll(this.#node(length), 1 + (length % 7));
      await this.#explain([]);
      if (this.#log.length === length) return interactions;
    }
  }

  async #callTogether(drawn: readonly DrawnCall[]): Promise<void> {
    const calls = await Promise.all(drawn.map((call) => this.#call(call)));
    for (const { heard } of calls) {
      this.#accepted.push(...('value' in heard ? findAccepted(heard.value) : []));
    }
    await this.#explain(calls);
  }

  async #call(drawn: DrawnCall): Promise<{ action: Action; heard: Heard }> {
    const { beckon, store } = this.#node(drawn.node);
    const at = this.#now();
    switch (drawn.call) {
      case 'ask': {
        const names = {
          chatId: toChat(drawn.chat),
          ...(drawn.key > 0 && { idempotencyKey: `key-${drawn.key}` }),
          ...(drawn.id > 0 && { id: `mine-${drawn.id}` }),
        };
        const timeout = drawn.timeout === 0 ? null : drawn.timeout;
        const expiresAt = toIso(this.#time.now() + drawn.timeout * 1000);
        const action: Action = { call: 'ask', at, kind: drawn.kind, ...names, ...(timeout !== null && { expiresAt }) };
        return { action, heard: await hear(beckon.ask({ ...REQUESTS[drawn.kind], ...names, timeout })) };
      }
      case 'askGroup': {
        this.#groups += 1;
        const groupId = `group-${this.#groups}`;
        const asks = drawn.kinds.map((kind, index) => ({
          kind,
          chatId: toChat(drawn.chat),
          ...(drawn.key > 0 && { idempotencyKey: `group-key-${drawn.key}-${index}` }),
        }));
        const inputs = asks.map((ask) => ({ ...REQUESTS[ask.kind], ...ask, groupId, timeout: null }) as AskInput);
        return { action: { call: 'askGroup', at, asks, groupId }, heard: await hear(beckon.askGroup(inputs)) };
      }
      case 'answerMany': {
        // One answer is for one kind: what it means for another is left to the tests of answers.
        const targets = [...new Set(drawn.targets.map((target) => this.#target(target)))];
        const kind = find(this.#state, targets[0]!)?.kind;
        const ids = targets.filter((id) => find(this.#state, id)?.kind === kind);
        const by = PEOPLE[drawn.by]!;
        const answers = ids.map((id) => ({ id, choice: drawn.choice }));
        const heard = await hear(beckon.answerMany(ids, this.#toSent(answers[0]!), by));
        return { action: { call: 'answerMany', at, answers, by }, heard };
      }
      case 'answerGroup': {
        const groupId = `group-${this.#groups - drawn.group}`;
        const members = this.#state.interactions.filter((interaction) => interaction.groupId === groupId);
        const ids = members.length === 0 ? ['nobody'] : members.slice(-drawn.choices.length).map(({ id }) => id);
        const by = PEOPLE[drawn.by]!;
        const answers = ids.map((id, index) => ({ id, choice: drawn.choices[index]! }));
        const sent = answers.map((chosen) => ({ id: chosen.id, answer: this.#toSent(chosen) }));
        const heard = await hear(beckon.answerGroup(groupId, sent, by));
        return { action: { call: 'answerGroup', at, answers, by }, heard };
      }
      case 'answer': {
        const id = this.#target(drawn.target);
        const by = PEOPLE[drawn.by]!;
        const send = this.#toSent({ id, choice: drawn.choice });
        const action: Action = { call: 'answer', at, id, choice: drawn.choice, by };
        return { action, heard: await hear(beckon.answer(id, send, by)) };
      }
      case 'say': {
        // Everybody says one thing: what a person says twice within seconds counts once, and that is left to the tests
        // of texts.
        this.#texts += 1;
        const by = { ...PEOPLE[drawn.by]!, who: `${PEOPLE[drawn.by]!.who}-${this.#texts}` };
        const action: Action = { call: 'say', at, chatId: toChat(drawn.chat), text: drawn.text, by };
        return { action, heard: await hear(beckon.say(action.chatId, action.text, action.by)) };
      }
      case 'cancel': {
        const id = this.#target(drawn.target);
        const action: Action = { call: 'cancel', at, id, ...toReason(drawn) };
        return { action, heard: await hear(beckon.cancel({ id }, action.reason)) };
      }
      case 'supersede': {
        const id = this.#target(drawn.target);
        const action: Action = { call: 'supersede', at, id, ...toReason(drawn) };
        return { action, heard: await hear(beckon.supersede(id, action.reason)) };
      }
      case 'cancelChat': {
        const action: Action = { call: 'cancelChat', at, chatId: toChat(drawn.chat), ...toReason(drawn) };
        return { action, heard: await hear(beckon.cancel({ chatId: action.chatId }, action.reason)) };
      }
      case 'addRule': {
        this.#rules += 1;
        const rule = toRule(drawn, `rul_${this.#rules}`, at);
        return { action: { call: 'addRule', at, rule }, heard: await hear(store.rules.add(rule)) };
      }
      case 'editRule': {
        const expected = this.#rule(drawn.target) ?? toRule(drawn, 'rul_none', at);
        const rule = toRule(drawn, expected.id, expected.createdAt);
        const action: Action = { call: 'editRule', at, rule, expected };
        return { action, heard: await hear(store.rules.put({ rule, expected, at })) };
      }
      case 'removeRule': {
        const removal = { id: this.#rule(drawn.target)?.id ?? 'rul_none', by: 'ada', at };
        return { action: { call: 'removeRule', ...removal }, heard: await hear(store.rules.remove(removal)) };
      }
    }
  }

  async #wait(node: Node, id: string): Promise<void> {
    this.#waits.push(new Wait(node, id));
  }

  async #abort(index: number): Promise<void> {
    const wait = this.#waits[index];
    if (wait === undefined) return;
    wait.abort();
    assert.deepEqual(await within('the end of an aborted wait', wait.ended), { code: 'wait_timed_out' });
    this.#waits = this.#waits.filter((other) => other !== wait);
  }

  /** Asks with a deadline that comes while the runtime is still busy with an earlier one. */
  async #rush(node: number, kind: Interaction['kind']): Promise<void> {
    this.#time.skip(10_000);
    this.#runDue();
    const action: Action = {
      call: 'ask',
      at: this.#now(),
      kind,
      chatId: 'rush',
      expiresAt: toIso(this.#time.now() + 1),
    };
    const asking = hear(this.#node(node).beckon.ask({ ...REQUESTS[kind], chatId: 'rush', timeout: '1ms' }));
    this.#time.skip(2);
    await this.#settle();
    await this.#keepDeadlines([{ action, heard: await asking }]);
  }

  async #restart(index: number): Promise<void> {
    const node = this.#node(index);
    await node.beckon.close();
    this.#clocks.delete(node.clock);
    const [waits, others] = [
      this.#waits.filter((wait) => wait.node === node),
      this.#waits.filter((wait) => wait.node !== node),
    ];
    for (const wait of waits) assert.deepEqual(await within('a wait at a closed node', wait.ended), { code: 'closed' });
    for (const reader of this.#readers.filter((other) => other.node === node)) {
      assert.deepEqual(await within('a reader at a closed node', reader.ended), { code: 'closed' });
    }
    this.#readers = this.#readers.filter((reader) => reader.node !== node);
    const reopened = await this.#openNode();
    this.#nodes[this.#nodes.indexOf(node)] = reopened;
    // An agent that finds its question again waits again.
    this.#waits = [...others, ...waits.map(({ id }) => new Wait(reopened, id))];
    await this.#keepDeadlines([]);
  }

  /**
   * The process hangs from here on: its timers stop and nobody calls it, but it was not closed. Another one takes over.
   */
  async #abandon(index: number): Promise<void> {
    if (this.#nodes.length >= MOST_NODES) return;
    const node = this.#node(index);
    this.#clocks.delete(node.clock);
    this.#nodes.push(node);
    this.#nodes[this.#nodes.indexOf(node)] = await this.#openNode();
    await this.#keepDeadlines([]);
  }

  async #keepDeadlines(calls: readonly { action: Action; heard: Heard }[]): Promise<void> {
    await this.#explain(calls);
    for (const interaction of this.#state.interactions) {
      if (interaction.status !== 'pending' || !isDue(interaction, this.#now())) continue;
      const ended = await within(`the end of ${interaction.id}`, this.#node(0).beckon.wait(interaction.id));
      assert.equal(ended.status, 'expired');
    }
    await this.#settle();
    await this.#explain([]);
  }

  async #explain(calls: readonly { action: Action; heard: Heard }[]): Promise<void> {
    const added = await this.#node(0).store.readLog({ after: this.#log.length, limit: 10_000 });
    this.#log.push(...added);
    const state = explain(this.#state, { calls, log: this.#log, now: this.#now() });
    if (state === null) {
      throw new Error(`No order of steps explains this:\n${JSON.stringify({ calls, added }, null, 1)}`);
    }
    this.#state = state;
  }

  #runDue(): void {
    for (const clock of this.#clocks) clock.runDue();
  }

  /** Runs timers until every runtime has planned its next one for later. */
  async #settle(): Promise<void> {
    for (const clock of this.#clocks) await within('a runtime to plan its next timer', clock.settle());
  }

  #openNode(): Promise<Node> {
    const clock = this.#time.createTwin();
    this.#clocks.add(clock);
    return openNode(this.#database, clock, () => {
      this.#ids += 1;
      return `int_${this.#ids}`;
    });
  }

  #node(index: number): Node {
    return this.#nodes[index % 2]!;
  }

  #target(index: number): string {
    return this.#state.interactions[index % (this.#state.interactions.length + 1)]?.id ?? 'nobody';
  }

  #rule(index: number): Rule | undefined {
    return this.#state.rules[index % (this.#state.rules.length + 1)];
  }

  #toSent({ id, choice }: Chosen): AnswerInput {
    const choices = CHOICES[find(this.#state, id)?.kind ?? 'question'];
    return choices[choice % choices.length]!.send;
  }

  #now(): string {
    return toIso(this.#time.now());
  }
}

/** The interactions that a caller was told are answered by what it sent. */
function findAccepted(value: unknown): Interaction[] {
  if (Array.isArray(value)) return value.flatMap(findAccepted);
  const told = value as { result?: string; interaction?: Interaction; interactions?: Interaction[] } | null;
  if (told?.result !== 'accepted') return [];
  const about = told.interactions ?? [told.interaction];
  return about.filter((interaction) => interaction?.status === 'answered') as Interaction[];
}

/** A rule about the one approval that is asked here; in chat 0, it is for every chat. */
function toRule({ effect, chat, isWatch }: Extract<DrawnCall, { effect: unknown }>, id: string, at: string): Rule {
  return {
    id,
    effect,
    tool: 'Bash',
    match: { commands: [{ words: ['npm', 'test'], rest: 'none' }] },
    scope: chat === 0 ? {} : { chatId: toChat(chat) },
    mode: isWatch ? 'watch' : 'on',
    examples: { match: ['npm test'], notMatch: [] },
    createdBy: PEOPLE[chat % 2]!.who,
    createdAt: at,
  };
}

function toChat(chat: number): string {
  return `chat-${chat}`;
}

function toReason({ hasReason }: { hasReason: boolean }): { reason?: string } {
  return hasReason ? { reason: 'not needed any more' } : {};
}
