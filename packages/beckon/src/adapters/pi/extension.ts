import { hash } from 'node:crypto';
import type { AskInput, InteractionOf, Settled } from '../../protocol/interaction.ts';
import { type JsonObject, JsonRecord } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';
import { gatherSurroundings, type Surroundings } from '../claude/surroundings.ts';
import { askOutside, type Outside, type OutsideWait } from '../shared/ask-outside.ts';
import { PI_ABILITIES } from './abilities.ts';
import { createAskPerson } from './ask-person.ts';
import { type AskHere, TIMEOUT } from './asking.ts';
import { type PiCall, toPiCall } from './calls.ts';
import { waitForFirst } from './first-answer.ts';
import type { Pi, PiContext, PiToolCall, PiVerdict } from './pi-types.ts';
import { Said } from './said.ts';

/** What is asked about. */
export interface ExtensionOptions {
  /** The tools whose calls need somebody's consent. */
  asksAbout(toolName: string): boolean;
}

const ALLOW = 'Allow';
const DENY = 'Deny';

/**
 * The extension of pi, which asks nothing by itself: calls of some tools wait for consent, in Beckon and in a dialog of
 * the terminal at once. Without an answer the call does not run.
 */
export function runPiExtension(outside: Outside, pi: Pi, { asksAbout }: ExtensionOptions): void {
  const said = new Said();
  const open = new Set<OutsideWait>();
  const ask: AskHere = (input) => {
    const wait = askOutside(outside, [input]);
    open.add(wait);
    void wait.settled.then(() => open.delete(wait));
    return wait;
  };

  pi.on('before_agent_start', ({ prompt }) => said.hearPrompt(prompt));
  pi.on('message_end', ({ message }) => said.hearMessage(message));
  pi.on('session_shutdown', async () => {
    await Promise.all([...open].map((wait) => wait.end('pi ended')));
  });
  pi.on('tool_call', async (event, context) => {
    if (!asksAbout(event.toolName)) return undefined;
    return decide(event, context, { outside, said, ask });
  });
  pi.registerTool(createAskPerson(ask, said));
}

interface Tools {
  outside: Outside;
  said: Said;
  ask: AskHere;
}

async function decide(event: PiToolCall, context: PiContext, { outside, said, ask }: Tools): Promise<PiVerdict> {
  const given = parse(JsonRecord, event.input, { what: `input of ${event.toolName}` });
  const call = toPiCall(event.toolName, given);
  const surroundings = gatherSurroundings(call, { said: said.toContext(), folder: context.cwd });
  const wait = ask(toAsk(event, context, call, surroundings));
  const first = await waitForFirst(wait, context, {
    dialog: (signal) => context.ui.select(toTitle(call), [ALLOW, DENY], { signal }),
    describe: (choice) => (choice === ALLOW ? 'Allowed in pi’s terminal' : 'Denied in pi’s terminal'),
  });
  switch (first.by) {
    case 'nobody':
      return block(`Nobody allowed ${event.toolName}: ${first.why}.`);
    case 'terminal':
      return first.choice === ALLOW ? undefined : block(`The person denied ${event.toolName}.`);
    case 'outside':
      return applyAnswer(event, call, first.settled, { surroundings, outside });
  }
}

async function applyAnswer(
  event: PiToolCall,
  call: PiCall,
  settled: Extract<Settled<'approval'>, { status: 'answered' }>,
  { surroundings, outside }: { surroundings: Surroundings; outside: Outside },
): Promise<PiVerdict> {
  const { answer } = settled;
  if (answer.decision === 'deny') return block(toDenial(settled));
  const withhold = async (reason: string): Promise<PiVerdict> => {
    await outside
      .open({ retryFor: 0 })
      ?.note(settled.id, { type: 'withheld', reason })
      .catch(() => undefined);
    return block(reason);
  };
  const changed = surroundings.findChange([settled]);
  if (changed !== null) return withhold(changed);
  if (answer.updatedInput === undefined) return undefined;
  const input = call.toInput(answer.updatedInput as JsonObject);
  if (input === null) return withhold(`The input that the person wants does not fit ${event.toolName}. Ask them.`);
  for (const name of Object.keys(event.input)) delete event.input[name];
  Object.assign(event.input, input);
  return undefined;
}

function toAsk(
  { toolCallId, toolName, input }: PiToolCall,
  { cwd, sessionManager }: PiContext,
  call: PiCall,
  { context, mark }: Surroundings,
): AskInput<'approval'> {
  const sessionId = sessionManager.getSessionId();
  const key = hash('sha256', JSON.stringify([sessionId, toolCallId, toolName, input, cwd]));
  return {
    kind: 'approval',
    request: { tool: call.tool, input: call.input, abilities: PI_ABILITIES.approval },
    sessionId,
    timeout: TIMEOUT,
    idempotencyKey: `pi:${key}`,
    metadata: { agent: 'pi', cwd, toolUseId: toolCallId, ...(mark !== undefined && { files: mark }) },
    ...(context !== undefined && { context }),
  };
}

/** One line of what would run; the rest is on pi's screen above the dialog. */
function toTitle({ tool, input }: PiCall): string {
  const about = input['command'] ?? input['file_path'];
  const [line = ''] = (typeof about === 'string' ? about : '').split('\n');
  return `Beckon: allow ${tool}${line === '' ? '' : ` ${line.slice(0, 200)}`}?`;
}

function toDenial({ answer, answeredBy, request }: InteractionOf<'approval'>): string {
  return answer?.message || `${answeredBy?.who ?? 'The person'} denied ${request.tool}.`;
}

function block(reason: string): PiVerdict {
  return { block: true, reason };
}
