import type { AnswerResult } from '../../core/beckon.ts';
import type { Connector, Inbound } from '../../core/connector.ts';
import type { History } from '../../core/history.ts';
import type { Rules } from '../../core/rules.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { sendOrExplain } from '../../terminal/answer-here.ts';
import { decideAll } from '../../terminal/bulk-screen.ts';
import { showClosed } from '../../terminal/closed-screen.ts';
import { type Notice, toClosing, toRemark } from '../../terminal/closing.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { type Desk, type Going, readLines } from '../../terminal/desk.ts';
import type { Draft } from '../../terminal/draft.ts';
import { createEditText, type EditText } from '../../terminal/edit-text.ts';
import { InboxList } from '../../terminal/inbox-list.ts';
import type { KeyTimes } from '../../terminal/key-guard.ts';
import { INBOX_KEYS, REQUEST_KEYS } from '../../terminal/keys.ts';
import type { Line } from '../../terminal/line.ts';
import { openEntry, type SendAnswers, type Sent } from '../../terminal/open-entry.ts';
import { pick } from '../../terminal/pick.ts';
import { PromptLeft, toHeading } from '../../terminal/prompt-context.ts';
import { Screen, type TerminalInput, type TerminalOutput } from '../../terminal/screen.ts';
import { chooseSnooze } from '../../terminal/snooze-screen.ts';

/** Most characters of a session's title. */
const TITLE_CHARS = 120;

export interface TerminalOptions {
  /** Where keys come from. */
  input: TerminalInput;
  /** Where the screen is. */
  output: TerminalOutput;
  /** The person at this terminal, as others see them: "dev@laptop". */
  who: string;
  /** The one chat that is shown here. Default: every chat. */
  chatId?: string;
  /**
   * Names the editor: `VISUAL` or `EDITOR`. Default: none, so vi. `ACCESSIBLE` draws nothing that a screen reader would
   * spell out.
   */
  env?: Readonly<Record<string, string | undefined>>;
  /** Edits a text. Default: the editor that `env` names. */
  editText?: EditText;
  /** What happened to a request, one event on each line, ready for a terminal. Without it, the log is not offered. */
  readLog?: (id: string) => Promise<readonly string[]>;
  /** Where snoozes, titles and conversations of sessions are. Without it, nothing can be put off. */
  history?: Pick<History, 'conversation' | 'snooze' | 'snoozes' | 'titles'>;
  /** Where "remember" makes rules. Without it, only the agent's own rules can be remembered. */
  rules?: Pick<Rules, 'offers' | 'add'>;
  /** The time, for the ages in the list. Default: the system's. */
  now?: () => number;
  /** How long keys are guarded against haste. Default: `KEY_TIMES`. */
  keyTimes?: KeyTimes;
}

/** A terminal, with a promise that resolves when the person quits, and rejects if the screen fails. */
export interface TerminalConnector extends Connector {
  readonly left: Promise<void>;
}

/** Shows pending interactions in a live list, to be answered with the keyboard. Draws from `start` to `stop`. */
export function createTerminalConnector(options: TerminalOptions): TerminalConnector {
  return new Terminal(options);
}

/** What the person has open. `settled` is set as soon as one of it is settled, here or elsewhere. */
interface Opened {
  readonly ids: readonly string[];
  readonly closing: AbortController;
  settled?: Interaction;
}

/** What comes after a request: another one by its key, the list, or the end. */
type Next = { open: string } | 'list' | 'leave';

class Terminal implements TerminalConnector {
  readonly name = 'terminal';
  readonly showsGroups = true;
  readonly left: Promise<void>;
  readonly #options: TerminalOptions;
  readonly #screen: Screen;
  readonly #list: InboxList;
  readonly #stopping = new AbortController();
  readonly #leave: PromiseWithResolvers<void>;
  /** Answered here, but not yet reported as settled. */
  readonly #answered = new Set<string>();
  /** What was chosen or written, but not sent. */
  readonly #drafts = new Map<string, Draft>();
  readonly #sizes = new Map<string, string>();
  #opened: Opened | null = null;
  /** What became of the last answer, for the next request to show. */
  #lastNotice: Notice | null = null;
  /** What else happened since the last request was opened. */
  #announced: Notice[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#screen = new Screen(options.input, options.output, options.keyTimes);
    this.#list = new InboxList(options.now);
    this.#leave = Promise.withResolvers();
    this.left = this.#leave.promise;
  }

  reaches(chatId: string): boolean {
    return this.#options.chatId === undefined || this.#options.chatId === chatId;
  }

  async start(inbound: Inbound): Promise<void> {
    this.#screen.open();
    this.#running = this.#run(inbound)
      .finally(() => this.#screen.close())
      .then(this.#leave.resolve, this.#leave.reject);
  }

  async show(interaction: Interaction): Promise<void> {
    if (interaction.status !== 'pending') return this.settle(interaction);
    this.#list.put(interaction);
  }

  async settle(interaction: Interaction): Promise<void> {
    const { id } = interaction;
    const wasListed = this.#list.get(id) !== undefined;
    this.#list.remove(id);
    this.#drafts.delete(id);
    this.#sizes.delete(id);
    if (this.#opened?.ids.includes(id) === true) {
      this.#opened.settled ??= interaction;
      this.#opened.closing.abort();
    } else if (!this.#answered.delete(id) && wasListed) {
      this.#list.notice(toClosing(interaction));
    }
  }

  async prompt(chatId: string, text: string): Promise<void> {
    this.#list.notice(toRemark(chatId, text));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(inbound: Inbound): Promise<void> {
    let next: Next = 'list';
    while (next !== 'leave') {
      next = next === 'list' ? await this.#pick(inbound) : await this.#open(next.open, inbound);
    }
  }

  async #pick(inbound: Inbound): Promise<Next> {
    const { now = Date.now } = this.#options;
    const { signal } = this.#stopping;
    this.#lastNotice = null;
    this.#announced = [];
    void this.#refresh();
    const canSnooze = this.#options.history !== undefined;
    const picked = await pick(this.#screen, this.#list, { now, signal, canSnooze, sizes: this.#sizes });
    if (picked === 'leave' || (typeof picked === 'object' && 'open' in picked)) return picked;
    try {
      const desk = this.#toDesk(inbound, signal);
      if (picked === 'keys') await readLines(desk, 'Keys', [...INBOX_KEYS, { text: '' }, ...REQUEST_KEYS]);
      else if ('decide' in picked) await this.#decideMarked(picked.decide, desk, inbound);
      else await this.#snooze(picked.snooze, desk);
      return 'list';
    } catch (error) {
      return this.#toNext(error, '');
    }
  }

  async #decideMarked(decision: 'allow' | 'deny' | 'reason', desk: Desk, inbound: Inbound): Promise<void> {
    const decided = await decideAll(this.#list.marked, decision, desk);
    if (decided === null) return;
    const { ids, answer } = decided;
    const sent = await sendOrExplain(desk, () => inbound.answerMany(ids, answer, this.#options.who));
    if ('refused' in sent) return this.#list.notice({ text: `* ${sent.refused}`, style: 'yellow' });
    this.#list.clearMarks();
    for (const [index, id] of ids.entries()) this.#conclude(id, sent.result[index]);
  }

  async #open(key: string, inbound: Inbound): Promise<Next> {
    const entry = this.#list.find(key);
    if (entry === undefined) return 'list';
    this.#list.selectKey(key);
    const opened: Opened = { ids: entry.steps.map(({ id }) => id), closing: new AbortController() };
    this.#opened = opened;
    const { who } = this.#options;
    const send: SendAnswers = {
      answer: (id, answer) => inbound.answer(id, answer, who),
      answerGroup: (groupId, answers) => inbound.answerGroup(groupId, answers, who),
    };
    try {
      const desk = this.#toDesk(
        inbound,
        AbortSignal.any([opened.closing.signal, this.#stopping.signal]),
        entry.interaction,
      );
      const ended = await openEntry(entry, desk, send, this.#toNotes(), this.#drafts);
      if ('sent' in ended) return await this.#goOn(key, ended.sent);
      return await this.#go(ended.go, key, entry.interaction, desk);
    } catch (error) {
      const next = this.#toNext(error, entry.interaction.id);
      if (next === 'leave' || opened.settled === undefined) return next;
      return await this.#tellClosed(opened.settled);
    } finally {
      this.#opened = null;
    }
  }

  async #go(to: Going['go'], key: string, interaction: Interaction, desk: Desk): Promise<Next> {
    switch (to) {
      case 'next':
      case 'previous':
        return { open: this.#list.findBeside(key, to === 'next' ? 1 : -1) ?? key };
      case 'alike':
        this.#list.markAlike(interaction);
        return 'list';
      case 'snooze':
        await this.#snooze(key, desk);
        return 'list';
    }
  }

  async #snooze(key: string, desk: Desk): Promise<void> {
    const { history, now = Date.now } = this.#options;
    const entry = this.#list.find(key);
    if (entry === undefined || history === undefined) return;
    const until = new Date(await chooseSnooze(entry.interaction, desk, now()));
    for (const { id } of entry.steps) await history.snooze(id, until.toISOString());
    this.#list.notice({ text: `* Snoozed until ${toLocalTime(until.toISOString())}.`, style: 'yellow' });
    await this.#refresh();
  }

  /** Reads what people keep beside requests. The list works without it, so a failure is only told. */
  async #refresh(): Promise<void> {
    const { history } = this.#options;
    if (history === undefined) return;
    try {
      const [snoozes, titles] = await Promise.all([history.snoozes(), history.titles()]);
      this.#list.hide(new Map(snoozes.map(({ interactionId, until }) => [interactionId, Date.parse(until)])));
      const shown = Object.entries(titles).map(([id, title]) => [id, toVisibleLine(title, TITLE_CHARS)] as const);
      this.#list.entitle(new Map(shown));
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#list.notice(toRemark('Snoozes and titles', error instanceof Error ? error.message : String(error)));
    }
  }

  /** Where to go after an error: away, or back to the list, which says what went wrong with the request `about`. */
  #toNext(error: unknown, about: string): 'list' | 'leave' {
    if (error instanceof BeckonError) {
      this.#list.notice(toRemark(about, error.message));
      return 'list';
    }
    if (!(error instanceof PromptLeft)) throw error;
    return error.wantsOut || this.#stopping.signal.aborted ? 'leave' : 'list';
  }

  #toDesk(inbound: Inbound, signal: AbortSignal, interaction?: Interaction): Desk {
    const { env = {}, editText = createEditText(env), readLog, history, rules } = this.#options;
    return {
      ...(rules !== undefined && { rules }),
      isSpoken: Boolean(env['ACCESSIBLE']),
      announce: (text) => {
        const notice: Notice = { text: `* ${text}`, style: 'yellow' };
        this.#announced.push(notice);
        this.#list.notice(notice);
      },
      screen: this.#screen,
      signal,
      editText,
      readContext: (id) => inbound.context(id),
      canSnooze: history !== undefined,
      now: this.#options.now ?? Date.now,
      titles: this.#list.titles,
      countAlike: (about) => this.#list.findAlike(about).length,
      ...(readLog !== undefined && { readLog }),
      ...(history !== undefined && { readSession: async (id) => (await history.conversation(id)).entries }),
      ...(interaction !== undefined && { heading: toHeading(this.#screen, interaction) }),
    };
  }

  #toNotes(): Line[] {
    const notices = [...(this.#lastNotice === null ? [] : [this.#lastNotice]), ...this.#announced];
    this.#announced = [];
    return notices.map(({ text, style }) => ({ text: this.#screen.paint(text, style) }));
  }

  /** Goes on after an answer: to the next request, unless the person must hear that somebody was faster. */
  async #goOn(key: string, sent: readonly Sent[]): Promise<Next> {
    const next = this.#list.findNext(key) ?? this.#list.rows.find((row) => row.type === 'entry')?.key;
    const isStillOpen = sent.some(({ interaction }) => interaction?.status === 'pending');
    for (const answered of sent) this.#conclude(answered.id, answered);
    const beaten = sent.find(({ result }) => result === 'lost' || result === 'late')?.interaction;
    if (beaten) return await this.#tellClosed(beaten);
    if (isStillOpen) return 'list';
    // A call may have more to ask than its questions.
    if (this.#list.find(key) !== undefined) return { open: key };
    return next === undefined || next === key ? 'list' : { open: next };
  }

  /** Takes what was answered from the list, and says what became of it. */
  #conclude(id: string, answered: AnswerResult | undefined): void {
    const interaction = answered?.interaction;
    if (interaction === null || interaction === undefined) {
      this.#list.remove(id);
      this.#list.notice(toRemark(id, 'This request no longer exists.'));
      return;
    }
    if (interaction.status === 'pending') return this.#list.put(interaction);
    const wasListed = this.#list.get(id) !== undefined;
    this.#list.remove(id);
    if (wasListed) this.#answered.add(id);
    this.#lastNotice = toClosing(interaction);
    this.#list.notice(this.#lastNotice);
  }

  async #tellClosed(interaction: Interaction): Promise<'list' | 'leave'> {
    const isTold = this.#lastNotice?.text === toClosing(interaction).text;
    if (!isTold) this.#list.notice(toClosing(interaction));
    const next = await showClosed(this.#screen, interaction, this.#stopping.signal);
    return next === 'leave' ? 'leave' : 'list';
  }
}
