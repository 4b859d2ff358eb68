import { toDenial } from '../adapters/claude/tool-decision.ts';
import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Duration } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Answerer, AskInput, Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { Desk, type Ended } from './desk.ts';
import { explain } from './explain.ts';
import { createInbound } from './inbound.ts';
import { MultiConnector } from './multi-connector.ts';
import { toPlanResult } from './plan-result.ts';
import { QuestionCall, type TimeoutPolicy } from './question-call.ts';
import { Remembered } from './remembered.ts';
import { type CoordinatorEvent, deny, type PermissionResult, type PlanReviewDecision } from './results.ts';
import { type TextOrigin, TextRouter } from './text-router.ts';
import type { TimePolicy } from './time-policy.ts';
import { toAnswerInput } from './to-answer.ts';
import { parseToolInput, readQuestions } from './tool-input.ts';

/** Settings of a coordinator. */
export interface CoordinatorOptions {
  beckon: Beckon;
  /** Where people see what is asked. Several are one `MultiConnector`. */
  connector: Connector;
  /** How long an interaction waits for its answer; `null` is for ever. Default: that of Beckon, 300 seconds. */
  timeout?: Duration | null;
  /** Hears when something is asked for the first time, and when it is over. */
  events?: (event: CoordinatorEvent) => void;
  /** Hears of failures that nobody waits for, such as a copy that could not be repainted. */
  onError?: (error: unknown) => void;
}

/** What one call adds: who asks, and what happens as time goes by. */
export interface CallOptions extends TimePolicy {
  /** The id of the tool call. After a crash the same call finds its interaction, or its answer: nobody is asked twice. */
  toolUseId?: string;
  sessionId?: string;
  /** Aborting cancels what is pending. */
  signal?: AbortSignal;
}

/** Silence may stand for an answer to a question, where the agent says which. It never stands for consent. */
export interface QuestionOptions extends CallOptions, TimeoutPolicy {}

/** What the person may want to know about a tool call. */
export interface ApprovalOptions extends CallOptions {
  description?: string;
  /** Permission rules to be remembered, in the shape of the Agent SDK; given back where the person says so. */
  suggestions?: JsonObject[];
}

const CONNECTOR: Answerer = { who: 'person', via: 'connector' };

/**
 * Turns an agent's tool calls into interactions and their outcomes into permission results. It keeps nothing that matters: what is
 * pending is in Beckon, so any process sees it, and a restart loses nothing.
 */
export class InteractionCoordinator {
  readonly #beckon: Beckon;
  readonly #connector: MultiConnector;
  readonly #router: TextRouter;
  readonly #desk: Desk;
  readonly #events: (event: CoordinatorEvent) => void;
  readonly #onError: (error: unknown) => void;
  readonly #remembered = new Remembered();

  constructor(options: CoordinatorOptions) {
    const { beckon, connector, timeout, events, onError = () => undefined } = options;
    this.#beckon = beckon;
    this.#connector = MultiConnector.of(connector, { beckon, onError });
    this.#router = new TextRouter(beckon);
    this.#desk = new Desk({ beckon, connector: this.#connector, timeout, onError });
    this.#events = events ?? (() => undefined);
    this.#onError = onError;
  }

  /** Lets the connector bring answers. Only for connectors that do not call `resolveOption` and `resolveText` themselves. */
  start(): Promise<void> {
    return this.#connector.start(createInbound(this.#beckon, this.#router));
  }

  /** Repaints what has ended, then lets go of the connector. What is pending stays pending. */
  async stop(): Promise<void> {
    await this.#desk.finish();
    await this.#connector.stop();
  }

  /** Asks the questions of an AskUserQuestion call one after another. The answers are added to the input, by question. */
  async handleQuestion(
    chatId: string,
    toolInput: JsonObject,
    options: QuestionOptions = {},
  ): Promise<PermissionResult> {
    const questions = readQuestions(toolInput);
    if (questions instanceof BeckonError) return deny(questions.message);
    const { toolUseId } = options;
    const call = new QuestionCall(toolInput, questions, options);
    const about = { chatId, kind: 'question', interactionIds: [] as string[] } as const;
    const steps = questions.length;
    // One question alone is no group, except for the tool call that it belongs to.
    const groupId = toolUseId ?? (steps > 1 ? `grp_${crypto.randomUUID()}` : undefined);
    for (const [index, question] of questions.entries()) {
      const ended = await this.#desk.ask(
        {
          kind: 'question',
          chatId,
          request: question,
          ...(groupId !== undefined && { groupId }),
          ...(steps > 1 && { metadata: { step: index + 1, steps } }),
          ...(toolUseId !== undefined && { idempotencyKey: `${toolUseId}:${index}` }),
        },
        options,
        ({ id }) => {
          about.interactionIds.push(id);
          if (index === 0) this.#emit({ ...about, type: 'INTERACTION_REQUESTED', interactionIds: [id] });
        },
      );
      const denial = call.add(question, ended);
      if (denial === null) continue;
      this.#emit({ ...about, type: 'INTERACTION_RESOLVED', outcome: ended.outcome });
      return denial;
    }
    if (steps > 0) {
      this.#emit({ ...about, type: 'INTERACTION_RESOLVED', outcome: call.isDefaulted ? 'default' : 'answered' });
    }
    return call.toResult();
  }

  /** Has a plan reviewed. An accepted plan gives a `PlanReviewDecision`; feedback, a timeout and a cancellation are denials. */
  async handlePlanReview(
    chatId: string,
    toolInput: JsonObject,
    planContent?: string,
    options: CallOptions = {},
  ): Promise<PlanReviewDecision | PermissionResult> {
    const input = parseToolInput(toolInput, 'ExitPlanMode');
    if (input instanceof BeckonError) return deny(input.message);
    const plan = planContent ?? (typeof input['plan'] === 'string' ? input['plan'] : '');
    const ended = await this.#once({ kind: 'plan_review', chatId, request: { plan, toolInput: input } }, options);
    if (ended.outcome === 'cancelled') return deny('Plan review cancelled');
    return toPlanResult(ended.interaction, input) ?? deny(explain(ended, 'the plan review'));
  }

  /** Asks whether a tool may run. What the person asked to remember is allowed again: the same input, in the same session. */
  async handleApproval(
    chatId: string,
    toolName: string,
    toolInput: JsonObject,
    options: ApprovalOptions = {},
  ): Promise<PermissionResult> {
    const { description, suggestions, ...call } = options;
    const input = parseToolInput(toolInput, toolName);
    if (input instanceof BeckonError) return deny(input.message);
    const scope = { chatId, sessionId: options.sessionId, tool: toolName };
    if (this.#remembered.has(scope, input)) return { behavior: 'allow', updatedInput: input };
    const request = {
      tool: toolName,
      input,
      ...(description !== undefined && { description }),
      ...(suggestions !== undefined && { suggestions }),
    };
    const ended = await this.#once({ kind: 'approval', chatId, request }, call);
    const { interaction } = ended;
    if (ended.outcome !== 'answered' || interaction.kind !== 'approval' || interaction.answer === undefined) {
      return deny(explain(ended, `the approval of ${toolName}`));
    }
    const { decision, updatedInput = input, remember } = interaction.answer;
    if (decision === 'deny') return deny(toDenial(interaction));
    // After an edit there is nothing to remember.
    if (remember === true) this.#remembered.add(scope, input);
    return {
      behavior: 'allow',
      updatedInput,
      ...(remember === true && suggestions !== undefined && { updatedPermissions: suggestions }),
    };
  }

  /** Takes the answer of a button, or of a form. `false`: the id is not known or was settled, or the word is not understood. */
  async resolveOption(interactionId: string, answer: string | AnswerInput, by: Answerer = CONNECTOR): Promise<boolean> {
    const interaction = this.#desk.find(interactionId) ?? (await this.#beckon.get(interactionId));
    if (interaction === null) return false;
    const input = typeof answer === 'string' ? toAnswerInput(interaction.kind, answer) : answer;
    try {
      // Also where it was settled: an answer that comes too late is kept in the log.
      const { result } = await this.#beckon.answer(interactionId, input, by);
      return interaction.status === 'pending' && (result === 'accepted' || result === 'repeated');
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'invalid_answer') throw error;
      await this.#connector.prompt(interaction.chatId, error.message);
      return false;
    }
  }

  /** Takes a text typed in a chat. Where several interactions could be meant, the person is asked which. `false`: not for us. */
  async resolveText(
    chatId: string,
    text: string,
    by: Answerer = CONNECTOR,
    options: TextOrigin = {},
  ): Promise<boolean> {
    const routed = await this.#router.route(chatId, text, by, options);
    if (routed.result === 'held') await this.#connector.prompt(chatId, routed.reply);
    return routed.result !== 'not_for_us';
  }

  /**
   * The same for whoever replies to the person: gives what they should read, or `null` where the text is for the agent.
   */
  async handleMessage(
    chatId: string,
    text: string,
    { by = CONNECTOR, ...origin }: { by?: Answerer } & TextOrigin = {},
  ): Promise<string | null> {
    const routed = await this.#router.route(chatId, text, by, origin);
    return routed.result === 'not_for_us' ? null : routed.reply;
  }

  /** Whether anything is pending in the chat, whichever process asked it. */
  async hasPending(chatId: string): Promise<boolean> {
    return (await this.#beckon.list({ chatId, status: 'pending', limit: 1 })).items.length > 0;
  }

  /** Cancels everything that is pending in the chat, whichever process asked it, and returns the ids. */
  cancelPending(chatId: string, reason?: string): Promise<string[]> {
    return this.#beckon.cancel({ chatId }, reason);
  }

  async #once(
    input: AskInput & { chatId: string; kind: 'plan_review' | 'approval' },
    options: CallOptions,
  ): Promise<Ended> {
    const { chatId, kind } = input;
    const key = options.toolUseId === undefined ? {} : { idempotencyKey: options.toolUseId };
    const ended = await this.#desk.ask({ ...input, ...key }, options, ({ id }: Interaction) => {
      this.#emit({ type: 'INTERACTION_REQUESTED', chatId, kind, interactionIds: [id] });
    });
    const interactionIds = [ended.interaction.id];
    this.#emit({ type: 'INTERACTION_RESOLVED', chatId, kind, interactionIds, outcome: ended.outcome });
    return ended;
  }

  // A listener that throws must not leave the agent without its answer.
  #emit(event: CoordinatorEvent): void {
    try {
      this.#events(event);
    } catch (error) {
      this.#onError(error);
    }
  }
}
