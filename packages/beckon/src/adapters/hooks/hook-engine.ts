import { hash, randomUUID } from 'node:crypto';
import { hasAsked } from '../../core/access.ts';
import {
  type AgentAttendance,
  type AgentHooks,
  HOOK_KEY_PREFIX,
  type HookContext,
  NOT_BACK,
  TEST_EVENT,
} from '../../core/agent-hooks.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { HookSink } from '../../core/hooks.ts';
import { type RequestGroupOptions, requestGroup } from '../../core/request.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Answerer, AskInput, Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { toToolDecision } from '../claude/tool-decision.ts';
import { AllowedCalls, AnnouncedCalls } from './calls.ts';
import { type HookDialect, NO_OPINION } from './hook-dialect.ts';
import { type Elicitation, type Hook, type PermissionRequest, type PreToolUse, parseHook } from './hook-payload.ts';
import { Recent, toDigest } from './recent.ts';
import { endsTurn, findSettled, type Settlement } from './settle.ts';
import { toForm } from './to-form.ts';
import { toRequests } from './to-requests.ts';

/** What the hooks of a client need. */
export interface HookEngineOptions {
  dialect: HookDialect;
  beckon: Beckon;
  /** Keeps every hook, for the log and a backend. Default: hooks are only answered. */
  sink?: HookSink;
  /** Ends what hooks asked that do not come back. Without it, nobody can come back. */
  attendance?: AgentAttendance;
  /** Hears of what cannot be asked, such as a form that Beckon does not understand. The client then continues itself. */
  onError?: (error: unknown) => void;
  /**
   * How long the end of a turn waits before it ends what is pending, in milliseconds: the hook with the answer from the
   * terminal is a separate process, and may arrive after one that was started later. Default 2 seconds.
   */
  graceMs?: number;
  /** Whether the requests of a session reach Beckon another way. Its hooks then only report. Default: never. */
  isCovered?: (sessionId: string) => boolean;
}

/** What all interactions of one hook share. */
interface Asking {
  context: HookContext;
  hook: PermissionRequest | PreToolUse | Elicitation;
  key: string;
  digest: string;
  toolUseId?: string | undefined;
}

/** What a hook says about itself, wherever it is read. */
type Origin = Pick<HookContext, 'caller' | 'user' | 'key' | 'ageMs' | 'happenedAt'>;

const GRACE_MS = 2000;

/**
 * Turns the hooks of a client into requests, and answers into replies. Beckon keeps what is pending, so a restart loses
 * nothing. What differs between clients is in the dialect.
 */
export class HookEngine implements AgentHooks {
  readonly #dialect: HookDialect;
  readonly #beckon: Beckon;
  readonly #sink: HookSink | undefined;
  readonly #attendance: AgentAttendance | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #graceMs: number;
  readonly #isCovered: (sessionId: string) => boolean;
  readonly #noLongerWaits: string;
  readonly #announced = new AnnouncedCalls();
  readonly #allowed = new AllowedCalls();
  /** The calls that a hook of this process waits for. */
  readonly #waiting = new Set<string>();
  /** Calls whose hooks may be away for a while, and come back. Their end is noticed by the attendance. */
  readonly #returning = new Recent<true>();
  readonly #startedAt = Date.now();
  /** Calls settled in the terminal, whose hooks have nothing left to say. */
  readonly #over = new Recent<true>();
  /** Calls whose hooks no longer wait: an attempt of theirs that is still under way must not ask. */
  readonly #left = new Recent<true>();
  /** What the ends of turns will end after the grace period. */
  readonly #ending = new Map<NodeJS.Timeout, () => Promise<void>>();

  /** The agent whose hooks it takes. */
  get agent(): string {
    return this.#dialect.agent;
  }

  /** The last part of the address that they are sent to. */
  get path(): string {
    return this.#dialect.path;
  }

  constructor(options: HookEngineOptions) {
    this.#dialect = options.dialect;
    this.#beckon = options.beckon;
    this.#sink = options.sink;
    this.#attendance = options.attendance;
    this.#onError = options.onError ?? (() => undefined);
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.#isCovered = options.isCovered ?? (() => false);
    const { title } = options.dialect;
    this.#noLongerWaits = `${title} no longer waits for it: it was refused in the terminal, or the session ended`;
  }

  async handle(payload: JsonObject, context: HookContext): Promise<JsonObject> {
    const parsed = this.#parse(payload);
    if (parsed.hook.hook_event_name === TEST_EVENT) return NO_OPINION;
    await this.#keep(payload, parsed, context);
    await this.#settleEarlier(parsed, context);
    try {
      return await this.#answer(parsed, context);
    } catch (error) {
      // The terminal can still ask what Beckon cannot.
      if (!(error instanceof BeckonError) || error.code !== 'invalid_input') throw error;
      this.#onError(error);
      return NO_OPINION;
    }
  }

  async takeNote(payload: JsonObject, context: Omit<HookContext, 'signal'>): Promise<void> {
    const parsed = this.#parse(payload);
    if (parsed.hook.hook_event_name === TEST_EVENT) return;
    await this.#keep(payload, parsed, context, new Date(Date.now() - (context.ageMs ?? 0)).toISOString());
    await this.observe(payload, context);
  }

  /**
   * Looks at a hook that is kept already and whose agent waits for no reply: at once ends what it settled, and what it
   * asked itself. Throws `invalid_input` if it is not a hook.
   */
  async observe(payload: JsonObject, origin: Origin): Promise<void> {
    const parsed = this.#parse(payload);
    if (parsed.event === 'PermissionRequest' || parsed.event === 'Elicitation') return this.#leave(parsed.hook, origin);
    await this.#settle(await this.#findEarlier(parsed, origin), toAnswerer(origin));
  }

  /** Ends now what was about to be ended. */
  async close(): Promise<void> {
    const ending = [...this.#ending];
    this.#ending.clear();
    for (const [timer, settle] of ending) {
      clearTimeout(timer);
      await settle();
    }
  }

  #parse(payload: JsonObject): Hook {
    return parseHook(this.#dialect.toHook(payload), this.#dialect.title);
  }

  async #keep(
    payload: JsonObject,
    { hook: { session_id: sessionId } }: Hook,
    { text, key }: Pick<HookContext, 'text' | 'key'>,
    at?: string,
  ): Promise<void> {
    await this.#sink?.receive({
      sessionId,
      hook: payload,
      ...(text !== undefined && { text }),
      ...(key !== undefined && { id: key }),
      ...(at !== undefined && { at }),
    });
  }

  /** Ends what a hook asked that no longer waits for it. */
  async #leave(hook: PermissionRequest | Elicitation, origin: Origin): Promise<void> {
    if (origin.key === undefined) return;
    const key = toKey([toAskerKey(origin), hook.session_id, origin.key, toDigest(hook)]);
    this.#left.add(key, true);
    const pending = await this.#listPending(hook.session_id, origin);
    const own = pending.filter(({ groupId = '' }) => isCall(groupId, key));
    await Promise.all(own.map(({ id }) => this.#beckon.supersede(id, this.#noLongerWaits)));
  }

  #answer({ event, hook }: Hook, context: HookContext): Promise<JsonObject> {
    switch (event) {
      case 'PermissionRequest':
        return this.#permit(hook, context);
      case 'PreToolUse':
        if (this.#dialect.announcesCalls) this.#announced.add(hook.tool_use_id, toDigest(hook));
        return context.mayDefer === true ? this.#defer(hook, context) : Promise.resolve(NO_OPINION);
      case 'Elicitation':
        return this.#fillIn(hook, context);
      case 'PostToolUse':
      case 'other':
        return Promise.resolve(NO_OPINION);
    }
  }

  async #permit(hook: PermissionRequest, context: HookContext): Promise<JsonObject> {
    const requests = toRequests(hook, this.#dialect);
    if (requests.length === 0 || this.#isCovered(hook.session_id)) return NO_OPINION;
    const asking = await this.#identify(hook, context, this.#announced.take(toDigest(hook), context.key));
    const settled = await this.#request(asking, requests);
    if (settled === null || this.#over.get(settled[0]?.groupId ?? '') !== undefined) return NO_OPINION;
    context.onSettled?.(settled);
    const { tool_name: tool, tool_input: input } = hook;
    const decision = toToolDecision(input, settled);
    if (decision === null) return NO_OPINION;
    const reply = this.#dialect.toReply(decision, { tool, input });
    if (decision.behavior === 'allow' && this.#dialect.isAllow(reply)) {
      const { updatedInput = input } = decision;
      const digest = toDigest({ ...hook, tool_input: updatedInput });
      this.#allowed.add(hook.session_id, { key: asking.key, digest });
    }
    return reply;
  }

  /** Answers at once: with the decision, or that the session should end and be resumed later. */
  async #defer(hook: PreToolUse, context: HookContext): Promise<JsonObject> {
    const { toPreToolReply } = this.#dialect;
    const requests = toRequests(hook, this.#dialect);
    if (requests.length === 0 || toPreToolReply === undefined) return NO_OPINION;
    const digest = toDigest(hook);
    const key = toKey([toAskerKey(context), hook.session_id, hook.tool_use_id, digest]);
    const asking: Asking = { context, hook, key, digest, toolUseId: hook.tool_use_id };
    const deferred = this.#toAsks(asking, requests).map((ask) => ({
      ...ask,
      metadata: { ...ask.metadata, deferred: true },
    }));
    const asked = await this.#beckon.askGroup(deferred);
    const open = asked.filter(({ status }) => status === 'pending');
    const isTakenBack = asked.some(({ status }) => status === 'cancelled' || status === 'superseded');
    if (open.length > 0 && !isTakenBack) return toPreToolReply('defer');
    await Promise.all(open.map(({ id }) => this.#beckon.supersede(id, 'Another question of the same call ended')));
    context.onSettled?.(asked);
    return toPreToolReply(toToolDecision(hook.tool_input, asked));
  }

  async #fillIn(hook: Elicitation, context: HookContext): Promise<JsonObject> {
    const form = toForm(hook);
    const { toFormReply } = this.#dialect;
    if (form === null || toFormReply === undefined) return NO_OPINION;
    const asking = await this.#identify(hook, context, undefined);
    const [settled] = (await this.#request(asking, [form])) ?? [];
    return settled === undefined ? NO_OPINION : toFormReply(settled);
  }

  /**
   * Finds the key under which a call is asked. A hook command sends a name, the same one after a restart; without it,
   * the id of the call counts. What is asked is always part of the key: an answer must never count for another call.
   * Without a name and an id every hook is a new call, because identical hooks cannot be told from a repeated one.
   */
  async #identify(
    hook: PermissionRequest | Elicitation,
    context: HookContext,
    toolUseId: string | undefined,
  ): Promise<Asking> {
    const digest = toDigest(hook);
    const asking = { context, hook, digest, toolUseId };
    const known = context.key ?? toolUseId;
    if (known !== undefined) return { ...asking, key: toKey([toAskerKey(context), hook.session_id, known, digest]) };
    await this.#endOrphans(digest, hook.session_id, context);
    return { ...asking, key: toKey([randomUUID()]) };
  }

  /** Ends requests from before this process started that nobody can come back for: their answers would reach nobody. */
  async #endOrphans(digest: string, sessionId: string, context: HookContext): Promise<void> {
    for (const { id, groupId, createdAt, metadata } of await this.#listPending(sessionId, context)) {
      const isOrphan = metadata?.['digest'] === digest && Date.parse(createdAt) < this.#startedAt;
      if (isOrphan && !this.#waiting.has(groupId ?? '')) {
        await this.#beckon.supersede(id, `${this.#dialect.title} asked again`);
      }
    }
  }

  /** Asks everything that a call needs in one commit, and waits for all of it. `null`: its hook no longer waits. */
  async #request(asking: Asking, requests: readonly AskInput[]): Promise<Interaction[] | null> {
    const { key, context } = asking;
    const { signal, onAsked } = context;
    const holdMs = this.#attendance === undefined ? undefined : context.holdMs;
    if (holdMs === undefined) {
      return this.#waitFor(key, this.#toAsks(asking, requests), { signal, reason: this.#noLongerWaits, onAsked });
    }
    this.#returning.add(key, true);
    for (let time = 1; ; time += 1) {
      const asks = this.#toAsks({ ...asking, key: toCall(key, time) }, requests);
      await this.#attendance?.attend(
        asks.flatMap(({ idempotencyKey = [] }) => idempotencyKey),
        holdMs,
      );
      if (this.#left.get(key) !== undefined) return null;
      const settled = await this.#waitFor(key, asks, { signal, keep: true, onAsked });
      // It was away for too long, as a laptop that slept, and is back before anybody has answered.
      if (!settled.every(({ status, reason }) => status === 'superseded' && reason === NOT_BACK)) return settled;
    }
  }

  async #waitFor(key: string, asks: readonly AskInput[], options: RequestGroupOptions): Promise<Interaction[]> {
    this.#waiting.add(key);
    try {
      return await requestGroup(this.#beckon, asks, options);
    } finally {
      this.#waiting.delete(key);
    }
  }

  async #settleEarlier(parsed: Hook, context: HookContext): Promise<void> {
    const settlements = await this.#findEarlier(parsed, context);
    const by = toAnswerer(context);
    const isSoft = this.#dialect.softTurnEnds?.has(parsed.hook.hook_event_name) === true;
    const settle = (): Promise<void> =>
      this.#settle(isSoft ? settlements.filter(({ groupId }) => !this.#isAwaited(groupId)) : settlements, by);
    if (parsed.event === 'PostToolUse' || this.#graceMs === 0) return settle();
    if (settlements.length === 0) return;
    // The client does not wait for this.
    const timer = setTimeout(() => {
      this.#ending.delete(timer);
      void settle().catch(this.#onError);
    }, this.#graceMs).unref();
    this.#ending.set(timer, settle);
  }

  /** Whether a hook still waits for this call, or comes back for it. */
  #isAwaited(groupId = ''): boolean {
    const [key = ''] = groupId.split('.');
    return this.#waiting.has(key) || this.#returning.get(key) !== undefined;
  }

  async #findEarlier(
    parsed: Hook,
    { caller, ageMs = 0, happenedAt }: Pick<HookContext, 'caller' | 'ageMs' | 'happenedAt'>,
  ): Promise<Settlement[]> {
    if (parsed.event !== 'PostToolUse' && parsed.event !== 'other') return [];
    if (this.#hasRun(parsed)) return [];
    const pending = await this.#listPending(parsed.hook.session_id, { caller });
    return findSettled(parsed, pending, {
      at: { here: Date.now() - ageMs, there: happenedAt },
      ends: this.#dialect,
    });
  }

  /** Whether the hook reports a call that was allowed through Beckon: pending requests then belong to other calls. */
  #hasRun({ event, hook }: Hook): boolean {
    if (endsTurn(hook.hook_event_name, this.#dialect)) this.#allowed.clear(hook.session_id);
    if (event !== 'PostToolUse') return false;
    if (hook.tool_use_id !== undefined) this.#announced.drop(hook.tool_use_id);
    return this.#allowed.take(hook.session_id, toDigest(hook));
  }

  async #settle(settlements: readonly Settlement[], by: Answerer): Promise<void> {
    const settle = ({ id, answer, reason }: Settlement): Promise<unknown> =>
      answer === undefined ? this.#beckon.supersede(id, reason) : this.#beckon.answer(id, answer, by);
    for (const { groupId } of settlements) if (groupId !== undefined) this.#over.add(groupId, true);
    // All at once, so that the steps of a call end in one commit.
    await Promise.all(settlements.map(settle));
  }

  #toAsks({ context, hook, key, digest, toolUseId }: Asking, requests: readonly AskInput[]): AskInput[] {
    const { agent_id: agentId, cwd } = hook;
    return requests.map((asked, index) => ({
      ...asked,
      sessionId: hook.session_id,
      groupId: key,
      idempotencyKey: `${key}:${index}`,
      askedBy: context.caller.name,
      ...(context.caller.id !== undefined && { askerId: context.caller.id }),
      ...(context.chatId !== undefined && { chatId: context.chatId }),
      ...(context.timeout !== undefined && { timeout: context.timeout }),
      ...(context.context !== undefined && { context: context.context }),
      metadata: {
        agent: this.#dialect.agent,
        digest,
        ...(cwd !== undefined && { cwd }),
        ...(context.happenedAt !== undefined && { happenedAt: context.happenedAt }),
        ...(agentId !== undefined && { agentId }),
        ...(toolUseId !== undefined && { toolUseId }),
      },
    }));
  }

  // An agent ends only its own requests from hooks: nobody else may use such keys.
  async #listPending(sessionId: string, { caller }: Pick<HookContext, 'caller'>): Promise<Interaction[]> {
    const { items } = await this.#beckon.list({ sessionId, status: 'pending', limit: LIMITS.pageItems });
    return items.filter((item) => item.idempotencyKey?.startsWith(HOOK_KEY_PREFIX) === true && hasAsked(caller, item));
  }
}

// Only the token is certain. The person at the terminal is the agent's claim.
function toAnswerer({ user, caller }: Pick<HookContext, 'user' | 'caller'>): Answerer {
  const isClaimed = user !== undefined && user !== caller.name;
  return { who: caller.name, via: 'terminal', ...(isClaimed && { claim: { who: user } }) };
}

// Not the name: names can be reused.
function toAskerKey({ caller }: Pick<HookContext, 'caller'>): string {
  return caller.id ?? caller.name;
}

function toKey(parts: readonly string[]): string {
  return `${HOOK_KEY_PREFIX}${hash('sha256', JSON.stringify(parts)).slice(0, 40)}`;
}

/** The key of a call that is asked once more, because its hook came back too late. */
function toCall(key: string, time: number): string {
  return time === 1 ? key : `${key}.${time}`;
}

/** Whether a group is the call of this key, or that call asked once more. */
function isCall(groupId: string, key: string): boolean {
  return groupId === key || groupId.startsWith(`${key}.`);
}
