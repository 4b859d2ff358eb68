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
import { CLAUDE_ABILITIES, DEFERRED_ABILITIES } from '../claude/abilities.ts';
import { toToolDecision } from '../claude/tool-decision.ts';
import { toToolRequests } from '../claude/tool-requests.ts';
import { AllowedCalls, AnnouncedCalls } from './calls.ts';
import { type Elicitation, type Hook, type PermissionRequest, type PreToolUse, parseHook } from './hook-payload.ts';
import { Recent, toDigest } from './recent.ts';
import { endsTurn, findSettled, type Settlement } from './settle.ts';
import { toForm } from './to-form.ts';
import { NO_OPINION, toElicitationReply, toPermissionReply, toPreToolUseReply } from './to-reply.ts';

/** What the hooks of Claude Code need. */
export interface ClaudeHooksOptions {
  beckon: Beckon;
  /** Keeps every hook, for the log and a backend. Default: hooks are only answered. */
  sink?: HookSink;
  /** Ends what hooks asked that do not come back. Without it, nobody can come back. */
  attendance?: AgentAttendance;
  /**
   * Hears of what cannot be asked, such as a form that Beckon does not understand. Claude Code then continues by
   * itself.
   */
  onError?: (error: unknown) => void;
  /**
   * How long the end of a turn waits before it ends what is pending, in milliseconds: the hook with the answer from the
   * terminal is a separate process, and may arrive after one that was started later. Default 2 seconds.
   */
  graceMs?: number;
}

/** What all interactions of one hook share. */
interface Asking {
  context: HookContext;
  hook: PermissionRequest | PreToolUse | Elicitation;
  key: string;
  digest: string;
  toolUseId?: string | undefined;
}

const AGENT = 'claude-code';
/** What a hook says about itself, wherever it is read. */
type Origin = Pick<HookContext, 'caller' | 'user' | 'key' | 'ageMs' | 'happenedAt'>;

const GRACE_MS = 2000;
const NO_LONGER_WAITS = 'Claude Code no longer waits for it: it was refused in the terminal, or the session ended';

/**
 * Turns the hooks of Claude Code into requests, and answers into replies. Beckon keeps what is pending, so a restart
 * loses nothing.
 */
export class ClaudeHooks implements AgentHooks {
  readonly #beckon: Beckon;
  readonly #sink: HookSink | undefined;
  readonly #attendance: AgentAttendance | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #graceMs: number;
  readonly #announced = new AnnouncedCalls();
  readonly #allowed = new AllowedCalls();
  /** The calls that a hook of this process waits for. */
  readonly #waiting = new Set<string>();
  readonly #startedAt = Date.now();
  /** Calls settled in the terminal, whose hooks have nothing left to say. */
  readonly #over = new Recent<true>();
  /** Calls whose hooks no longer wait: an attempt of theirs that is still under way must not ask. */
  readonly #left = new Recent<true>();
  /** What the ends of turns will end after the grace period. */
  readonly #ending = new Map<NodeJS.Timeout, () => Promise<void>>();

  constructor(options: ClaudeHooksOptions) {
    this.#beckon = options.beckon;
    this.#sink = options.sink;
    this.#attendance = options.attendance;
    this.#onError = options.onError ?? (() => undefined);
    this.#graceMs = options.graceMs ?? GRACE_MS;
  }

  async handle(payload: JsonObject, context: HookContext): Promise<JsonObject> {
    const parsed = parseHook(payload);
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
    const parsed = parseHook(payload);
    if (parsed.hook.hook_event_name === TEST_EVENT) return;
    await this.#keep(payload, parsed, context, new Date(Date.now() - (context.ageMs ?? 0)).toISOString());
    await this.observe(payload, context);
  }

  /**
   * Looks at a hook that is kept already and whose agent waits for no reply: at once ends what it settled, and what it
   * asked itself. Throws `invalid_input` if it is not a hook.
   */
  async observe(payload: JsonObject, origin: Origin): Promise<void> {
    const parsed = parseHook(payload);
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
    await Promise.all(own.map(({ id }) => this.#beckon.supersede(id, NO_LONGER_WAITS)));
  }

  #answer({ event, hook }: Hook, context: HookContext): Promise<JsonObject> {
    switch (event) {
      case 'PermissionRequest':
        return this.#permit(hook, context);
      case 'PreToolUse':
        this.#announced.add(hook.tool_use_id, toDigest(hook));
        return context.mayDefer === true ? this.#defer(hook, context) : Promise.resolve(NO_OPINION);
      case 'Elicitation':
        return this.#fillIn(hook, context);
      case 'PostToolUse':
      case 'other':
        return Promise.resolve(NO_OPINION);
    }
  }

  async #permit(hook: PermissionRequest, context: HookContext): Promise<JsonObject> {
    const requests = toRequests(hook);
    if (requests.length === 0) return NO_OPINION;
    const asking = await this.#identify(hook, context, this.#announced.take(toDigest(hook), context.key));
    const settled = await this.#request(asking, requests);
    if (settled === null || this.#over.get(settled[0]?.groupId ?? '') !== undefined) return NO_OPINION;
    context.onSettled?.(settled);
    const decision = toToolDecision(hook.tool_input, settled);
    if (decision?.behavior === 'allow') {
      const { updatedInput = hook.tool_input } = decision;
      const digest = toDigest({ ...hook, tool_input: updatedInput });
      this.#allowed.add(hook.session_id, { key: asking.key, digest });
    }
    return toPermissionReply(decision);
  }

  /** Answers at once: with the decision, or that the session should end and be resumed later. */
  async #defer(hook: PreToolUse, context: HookContext): Promise<JsonObject> {
    const requests = toRequests(hook);
    if (requests.length === 0) return NO_OPINION;
    const digest = toDigest(hook);
    const key = toKey([toAskerKey(context), hook.session_id, hook.tool_use_id, digest]);
    const asking: Asking = { context, hook, key, digest, toolUseId: hook.tool_use_id };
    const deferred = toAsks(asking, requests).map((ask) => ({ ...ask, metadata: { ...ask.metadata, deferred: true } }));
    const asked = await this.#beckon.askGroup(deferred);
    const open = asked.filter(({ status }) => status === 'pending');
    const isTakenBack = asked.some(({ status }) => status === 'cancelled' || status === 'superseded');
    if (open.length > 0 && !isTakenBack) return toPreToolUseReply('defer');
    await Promise.all(open.map(({ id }) => this.#beckon.supersede(id, 'Another question of the same call ended')));
    context.onSettled?.(asked);
    return toPreToolUseReply(toToolDecision(hook.tool_input, asked));
  }

  async #fillIn(hook: Elicitation, context: HookContext): Promise<JsonObject> {
    const form = toForm(hook);
    if (form === null) return NO_OPINION;
    const asking = await this.#identify(hook, context, undefined);
    const [settled] = (await this.#request(asking, [form])) ?? [];
    return settled === undefined ? NO_OPINION : toElicitationReply(settled);
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
      if (isOrphan && !this.#waiting.has(groupId ?? '')) await this.#beckon.supersede(id, 'Claude Code asked again');
    }
  }

  /** Asks everything that a call needs in one commit, and waits for all of it. `null`: its hook no longer waits. */
  async #request(asking: Asking, requests: readonly AskInput[]): Promise<Interaction[] | null> {
    const { key, context } = asking;
    const { signal, onAsked } = context;
    const holdMs = this.#attendance === undefined ? undefined : context.holdMs;
    if (holdMs === undefined) {
      return this.#waitFor(key, toAsks(asking, requests), { signal, reason: NO_LONGER_WAITS, onAsked });
    }
    for (let time = 1; ; time += 1) {
      const asks = toAsks({ ...asking, key: toCall(key, time) }, requests);
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
    if (parsed.event === 'PostToolUse' || this.#graceMs === 0) return this.#settle(settlements, by);
    if (settlements.length === 0) return;
    // Claude Code does not wait for this.
    const timer = setTimeout(() => {
      this.#ending.delete(timer);
      void this.#settle(settlements, by).catch(this.#onError);
    }, this.#graceMs).unref();
    this.#ending.set(timer, () => this.#settle(settlements, by));
  }

  async #findEarlier(
    parsed: Hook,
    { caller, ageMs = 0, happenedAt }: Pick<HookContext, 'caller' | 'ageMs' | 'happenedAt'>,
  ): Promise<Settlement[]> {
    if (parsed.event !== 'PostToolUse' && parsed.event !== 'other') return [];
    if (this.#hasRun(parsed)) return [];
    const pending = await this.#listPending(parsed.hook.session_id, { caller });
    return findSettled(parsed, pending, { here: Date.now() - ageMs, there: happenedAt });
  }

  /** Whether the hook reports a call that was allowed through Beckon: pending requests then belong to other calls. */
  #hasRun({ event, hook }: Hook): boolean {
    if (endsTurn(hook.hook_event_name)) this.#allowed.clear(hook.session_id);
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

function toRequests(hook: PermissionRequest | PreToolUse): AskInput[] {
  const { tool_name: tool, tool_input: input } = hook;
  if (hook.hook_event_name === 'PreToolUse') return toToolRequests({ tool, input }, DEFERRED_ABILITIES);
  return toToolRequests({ tool, input, suggestions: hook.permission_suggestions }, CLAUDE_ABILITIES);
}

function toAsks({ context, hook, key, digest, toolUseId }: Asking, requests: readonly AskInput[]): AskInput[] {
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
      agent: AGENT,
      digest,
      ...(cwd !== undefined && { cwd }),
      ...(context.happenedAt !== undefined && { happenedAt: context.happenedAt }),
      ...(agentId !== undefined && { agentId }),
      ...(toolUseId !== undefined && { toolUseId }),
    },
  }));
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
