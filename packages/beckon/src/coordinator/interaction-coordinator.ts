import { gatherSurroundings, type Surroundings } from '../adapters/claude/surroundings.ts';
import { toDenial } from '../adapters/claude/tool-decision.ts';
import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import { ALLOW_ANYWAY } from '../core/words.ts';
import { explainDanger } from '../presentation/describe-risk.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { ContextInput } from '../protocol/context.ts';
import type { Duration } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Answerer, AskInput } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { explain } from './explain.ts';
import { createInbound } from './inbound.ts';
import { MultiConnector } from './multi-connector.ts';
import { type Ended, PendingRequests } from './pending-requests.ts';
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
  /** Where people see what is asked. Combine several with `MultiConnector`. */
  connector: Connector;
  /** How long a request waits for its answer; `null` never times out. Default: that of Beckon, 300 seconds. */
  timeout?: Duration | null | undefined;
  /** Hears when something is asked for the first time, and when it is over. */
  events?: ((event: CoordinatorEvent) => void) | undefined;
  /** Hears of failures that nobody waits for, such as a delivery that could not be closed. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Options of one call: who asks, and what happens as time goes by. */
export interface CallOptions extends TimePolicy {
  /** The id of the tool call. After a crash the same call finds its request, or its answer: nobody is asked twice. */
  toolUseId?: string | undefined;
  sessionId?: string | undefined;
  /** What surrounds the call, for the person to see: project, branch, the agent's last message, files. */
  context?: ContextInput | undefined;
  /**
   * The folder in which the agent works, if that is on this machine. Project, branch and the files that the call
   * changes are then added to the context, and an "allow" is withheld if such a file has changed since.
   */
  cwd?: string | undefined;
  /** Aborting cancels what is pending. */
  signal?: AbortSignal | undefined;
}

/** Silence may stand for an answer to a question, if the agent says which. It never stands for consent. */
export interface QuestionOptions extends CallOptions, TimeoutPolicy {}

/** What the person may want to know about a tool call. */
export interface ApprovalOptions extends CallOptions {
  description?: string | undefined;
  /**
   * Permission rules in the shape of the Agent SDK. They come back as `updatedPermissions` if the person says to
   * remember them.
   */
  suggestions?: ToolInput[] | undefined;
}

/** The input of a tool, as an agent engine has it. It must be JSON. */
export type ToolInput = Record<string, unknown>;

const CONNECTOR: Answerer = { who: 'person', via: 'connector' };

/**
 * Turns an agent's tool calls into requests, and their outcomes into permission results. Beckon stores what is pending,
 * so any process sees it and a restart loses nothing.
 */
export class InteractionCoordinator {
  readonly #beckon: Beckon;
  readonly #connector: MultiConnector;
  readonly #router: TextRouter;
  readonly #requests: PendingRequests;
  readonly #events: (event: CoordinatorEvent) => void;
  readonly #onError: (error: unknown) => void;
  readonly #remembered = new Remembered();

  constructor(options: CoordinatorOptions) {
    const { beckon, connector, timeout, events, onError = () => undefined } = options;
    this.#beckon = beckon;
    this.#connector = MultiConnector.of(connector, { beckon, onError });
    this.#router = new TextRouter(beckon);
    this.#requests = new PendingRequests({ beckon, connector: this.#connector, timeout, onError });
    this.#events = events ?? (() => undefined);
    this.#onError = onError;
  }

  /** Starts the connector. Not needed for one that calls `resolveOption` and `resolveText` itself. */
  start(): Promise<void> {
    return this.#connector.start(createInbound(this.#beckon, this.#router));
  }

  /** Closes the deliveries of what has ended, then stops the connector. What is pending stays pending. */
  async stop(): Promise<void> {
    await this.#requests.finish();
    await this.#connector.stop();
  }

  /**
   * Asks the questions of an AskUserQuestion call together. Connectors show them in turn, or all at once if they can.
   * The answers are added to the input, by question.
   */
  async handleQuestion(chatId: string, toolInput: ToolInput, options: QuestionOptions = {}): Promise<PermissionResult> {
    const input = parseToolInput(toolInput, 'AskUserQuestion');
    if (input instanceof BeckonError) return deny(input.message);
    const questions = readQuestions(input);
    if (questions instanceof BeckonError) return deny(questions.message);
    const { toolUseId } = options;
    const { context } = surround({ tool: 'AskUserQuestion', input }, options);
    const call = new QuestionCall(input, questions, options);
    if (questions.length === 0) return call.toResult([]).result;
    // A single question is a group only if it belongs to a tool call.
    const groupId = toolUseId ?? (questions.length > 1 ? `grp_${crypto.randomUUID()}` : undefined);
    const asks = questions.map((question, index) => ({
      kind: 'question' as const,
      chatId,
      request: question,
      ...(context !== undefined && { context }),
      ...(groupId !== undefined && { groupId }),
      ...(toolUseId !== undefined && { idempotencyKey: `${toolUseId}:${index}` }),
    }));
    const about = { chatId, kind: 'question', interactionIds: [] as string[] } as const;
    const ended = await this.#requests.ask(asks, options, (interactions) => {
      about.interactionIds.push(...interactions.map(({ id }) => id));
      this.#emit({ ...about, type: 'INTERACTION_REQUESTED' });
    });
    const { result, outcome } = call.toResult(ended);
    this.#emit({ ...about, type: 'INTERACTION_RESOLVED', outcome });
    return result;
  }

  /**
   * Has a plan reviewed. An accepted plan gives a `PlanReviewDecision`; feedback, a timeout and a cancellation deny it.
   */
  async handlePlanReview(
    chatId: string,
    toolInput: ToolInput,
    planContent?: string,
    options: CallOptions = {},
  ): Promise<PlanReviewDecision | PermissionResult> {
    const input = parseToolInput(toolInput, 'ExitPlanMode');
    if (input instanceof BeckonError) return deny(input.message);
    const plan = planContent ?? (typeof input['plan'] === 'string' ? input['plan'] : '');
    const { context } = surround({ tool: 'ExitPlanMode', input }, options);
    const request = { plan, toolInput: input };
    const asked = { kind: 'plan_review' as const, chatId, request, ...(context !== undefined && { context }) };
    const ended = await this.#once(asked, options);
    if (ended.outcome === 'cancelled') return deny('Plan review cancelled');
    return toPlanResult(ended.interaction, input) ?? deny(explain(ended, 'the plan review'));
  }

  /** Asks whether a tool may run. What a person said to remember is allowed for the rest of the session. */
  async handleApproval(
    chatId: string,
    toolName: string,
    toolInput: ToolInput,
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
    const { context, mark, findChange } = surround({ tool: toolName, input }, options);
    const asked = {
      kind: 'approval' as const,
      chatId,
      request,
      ...(context !== undefined && { context }),
      ...(mark !== undefined && { metadata: { files: mark } }),
    };
    const ended = await this.#once(asked, call);
    const { interaction } = ended;
    if (ended.outcome !== 'answered' || interaction.kind !== 'approval' || interaction.answer === undefined) {
      return deny(explain(ended, `the approval of ${toolName}`));
    }
    const { decision, updatedInput = input, remember } = interaction.answer;
    const { suggestions: rules } = interaction.request;
    if (decision === 'deny') return deny(toDenial(interaction));
    const changed = findChange([interaction]);
    if (changed !== null) {
      await this.#beckon.note(interaction.id, { type: 'withheld', reason: changed });
      return deny(changed);
    }
    if (remember === true) this.#remembered.add(scope, input);
    return {
      behavior: 'allow',
      updatedInput,
      ...(remember === true && rules !== undefined && { updatedPermissions: rules }),
    };
  }

  /**
   * Takes the answer of a button or a form. `false`: the id is unknown or settled, or the word is not understood. The
   * word "allow" alone does not allow what is dangerous: offer "allow anyway" as a second step, on another place.
   */
  async resolveOption(interactionId: string, answer: string | AnswerInput, by: Answerer = CONNECTOR): Promise<boolean> {
    const interaction = this.#requests.find(interactionId) ?? (await this.#beckon.get(interactionId));
    if (interaction === null) return false;
    const input = typeof answer === 'string' ? toAnswerInput(interaction, answer) : answer;
    if (input === 'dangerous') {
      await this.#connector.prompt(
        interaction.chatId,
        explainDanger(assessRisk(interaction), ALLOW_ANYWAY),
        interactionId,
      );
      return false;
    }
    try {
      // Even if it was settled: the log keeps late answers.
      const { result } = await this.#beckon.answer(interactionId, input, by);
      return interaction.status === 'pending' && (result === 'accepted' || result === 'repeated');
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'invalid_answer') throw error;
      await this.#connector.prompt(interaction.chatId, error.message, interactionId);
      return false;
    }
  }

  /**
   * Takes a text typed in a chat. If it could answer several requests, the person is asked which. `false`: not for us.
   */
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

  /** As `resolveText`, but returns what the person should read; `null` if the text is for the agent. */
  async handleMessage(
    chatId: string,
    text: string,
    { by = CONNECTOR, ...origin }: { by?: Answerer } & TextOrigin = {},
  ): Promise<string | null> {
    const routed = await this.#router.route(chatId, text, by, origin);
    return routed.result === 'not_for_us' ? null : routed.reply;
  }

  /** Whether anything is pending in the chat, from any process. */
  async hasPending(chatId: string): Promise<boolean> {
    return (await this.#beckon.list({ chatId, status: 'pending', limit: 1 })).items.length > 0;
  }

  /** Cancels everything that is pending in the chat, from any process, and returns the ids. */
  cancelPending(chatId: string, reason?: string): Promise<string[]> {
    return this.#beckon.cancel({ chatId }, reason);
  }

  async #once(
    input: AskInput & { chatId: string; kind: 'plan_review' | 'approval' },
    options: CallOptions,
  ): Promise<Ended> {
    const { chatId, kind } = input;
    const { toolUseId } = options;
    const [ended] = await this.#requests.ask(
      [{ ...input, ...(toolUseId !== undefined && { idempotencyKey: toolUseId }) }],
      options,
      (interactions) => {
        this.#emit({ type: 'INTERACTION_REQUESTED', chatId, kind, interactionIds: interactions.map(({ id }) => id) });
      },
    );
    if (ended === undefined) throw new Error('Expected one request to end once');
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

/** What surrounds a call. Only an agent on this machine has its files here. */
function surround(
  call: { tool: string; input: JsonObject },
  { context, cwd }: CallOptions,
): Pick<Surroundings, 'context' | 'mark' | 'findChange'> {
  if (cwd !== undefined) return gatherSurroundings(call, { said: context ?? {}, folder: cwd });
  return { findChange: () => null, ...(context !== undefined && { context }) };
}
