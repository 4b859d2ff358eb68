import * as z from 'zod/mini';
import * as account from '../protocol/account.ts';
import * as agentHooks from '../protocol/agent-hooks.ts';
import * as answers from '../protocol/answers.ts';
import * as context from '../protocol/context.ts';
import * as destination from '../protocol/destination.ts';
import * as destinationsHttp from '../protocol/destinations-http.ts';
import * as events from '../protocol/events.ts';
import * as group from '../protocol/group.ts';
import * as history from '../protocol/history.ts';
import * as hooks from '../protocol/hooks.ts';
import * as http from '../protocol/http.ts';
import * as interaction from '../protocol/interaction.ts';
import * as json from '../protocol/json.ts';
import * as machineLogin from '../protocol/machine-login.ts';
import * as note from '../protocol/note.ts';
import * as outbox from '../protocol/outbox.ts';
import * as problem from '../protocol/problem.ts';
import * as replies from '../protocol/replies.ts';
import * as requests from '../protocol/requests.ts';
import * as rule from '../protocol/rule.ts';
import * as rulesHttp from '../protocol/rules-http.ts';
import * as timePoliciesHttp from '../protocol/time-policies-http.ts';
import * as timePolicy from '../protocol/time-policy.ts';
import * as shapes from './shapes.ts';

// A shape is called in the API what it is called in the code.
const MODULES: readonly object[] = [
  account,
  agentHooks,
  answers,
  context,
  destination,
  destinationsHttp,
  events,
  group,
  history,
  hooks,
  http,
  interaction,
  json,
  machineLogin,
  note,
  outbox,
  problem,
  replies,
  requests,
  rule,
  rulesHttp,
  timePoliciesHttp,
  timePolicy,
  shapes,
];

/** What is worth a name. Texts, numbers and lists are clear where they stand. */
const NAMED_TYPES: ReadonlySet<string> = new Set(['object', 'union', 'intersection', 'custom']);

/** In a description the fields of these stand alone. */
const PARAMETERS = /(?:Query|Params|Header)$/;

type Registry = z.core.$ZodRegistry<Record<string, unknown>>;
type Union = { def: { options: readonly z.core.$ZodType[] } };

/** Gives every shape a name in the description of the API, and each form of a shape that has several. */
export function nameShapes(registry: Registry): void {
  const name = (schema: z.core.$ZodType | undefined, id: string): void => {
    if (schema === undefined || registry.get(schema)?.['id'] !== undefined) return;
    registry.add(schema, { ...registry.get(schema), id });
  };
  const nameForms = (union: Union, field: string, toId: (value: string) => string): void => {
    for (const form of union.def.options) name(form, toId(toPascal(readLiteral(form, field))));
  };
  for (const module of MODULES) {
    for (const [id, value] of Object.entries(module)) {
      const isShape = value instanceof z.core.$ZodType && NAMED_TYPES.has(value._zod.def.type);
      if (isShape && !PARAMETERS.test(id)) name(value, id);
    }
  }
  nameForms(interaction.Interaction, 'kind', (kind) => `${kind}Interaction`);
  for (const form of interaction.Interaction.def.options) {
    name(form.shape.request, `Asked${toPascal(readLiteral(form, 'kind'))}`);
  }
  nameForms(interaction.AskBody, 'kind', (kind) => `Ask${kind}`);
  nameForms(events.LogEvent, 'type', (type) => `${type}Event`);
  nameForms(note.Note, 'type', (type) => `${type}Note`);
  nameForms(destination.DestinationDraft, 'kind', (kind) => `${kind}DestinationDraft`);
  for (const [kind, form] of Object.entries(answers.ANSWER_INPUTS)) name(form, `Given${toPascal(kind)}Answer`);
  name(group.AnswerEntries.def.element, 'AnswerEntry');
}

/** The value of a field that is always the same. */
function readLiteral(schema: z.core.$ZodType, field: string): string {
  const { shape } = (schema as z.ZodMiniObject)._zod.def;
  return String((shape[field] as z.ZodMiniLiteral).def.values[0]);
}

function toPascal(text: string): string {
  return text.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
