import * as z from 'zod/mini';
import type { AnswerInput, QuestionAnswer } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { parseQuestions } from '../claude/questions.ts';
import { ownObject, ownString, type PermissionOption, type ToolCall } from './messages.ts';
import { findChosen, findReject, toRefusal, toSelected } from './permission.ts';
import type { AskedPart, Translated } from './translated.ts';

/** Qwen Code's questions, which come as a permission; `null` if the call has none, or none that Beckon can ask. */
export function toQwenQuestions(call: ToolCall, options: readonly PermissionOption[]): Translated | null {
  const submit = options.find(({ kind }) => kind === 'allow_once');
  const given = call._meta?.['qwenQuestions'];
  if (submit === undefined || !Array.isArray(given) || given.length === 0 || given.length > LIMITS.groupSteps)
    return null;
  const questions = parseQuestions({ questions: given });
  const asks = questions.map(
    (question): AskedPart => ({
      kind: 'question',
      request: { ...question, abilities: { notes: false } },
    }),
  );
  return {
    asks,
    refusal: toRefusal(findReject(options)),
    toResult(settled) {
      const answers = readAnswers(settled);
      if (answers === null) return null;
      return toSelected(submit, {
        answers: Object.fromEntries(answers.map(({ text }, index) => [String(index), text])),
      });
    },
    toAnswers(result) {
      if (findChosen(options, result)?.optionId !== submit.optionId) return null;
      const answers = ownObject(result, 'answers');
      const texts = asks.map((_, index) => ownString(answers, String(index)));
      return texts.every((text) => text !== undefined && text.trim() !== '')
        ? texts.map((text) => ({ text: text ?? '' }))
        : null;
    },
  };
}

const Choice = z.object({
  const: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
});
const Field = z.object({
  type: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  oneOf: z.optional(z.array(Choice)),
  items: z.optional(z.object({ anyOf: z.optional(z.array(Choice)) })),
  _meta: z.optional(z.looseObject({})),
});
type Field = z.output<typeof Field>;

/** A question of an agent in the form of a field, and the field for a person's own words. */
interface AskedField {
  name: string;
  field: Field;
  own?: string;
}

/** What Codex adds to the options of a question that takes own words. */
const OTHER = 'None of the above';

/**
 * The questions of Claude's and Codex's own tools, which come as a form: each has a field beside it for own words, or
 * is marked. `null` for any other form.
 */
export function toAskedFields(schema: JsonObject, message: string): Translated | null {
  const fields = readFields(schema);
  if (fields === null || fields.length === 0 || fields.length > LIMITS.groupSteps) return null;
  const isAlone = fields.length === 1;
  return {
    asks: fields.map((one): AskedPart => ({ kind: 'question', request: toQuestion(one, isAlone ? message : '') })),
    refusal: { action: 'cancel' },
    toResult(settled) {
      const answers = readAnswers(settled);
      if (answers === null) return null;
      return {
        action: 'accept',
        content: Object.assign({}, ...answers.map((answer, at) => toContent(fields[at], answer))),
      };
    },
    toAnswers(result) {
      const content = ownString(result, 'action') === 'accept' ? ownObject(result, 'content') : undefined;
      const answers = fields.map((one) => readContent(one, content ?? {}));
      return answers.every((answer) => answer !== null) ? answers : null;
    },
  };
}

function readFields(schema: JsonObject): AskedField[] | null {
  const properties = ownObject(schema, 'properties') ?? {};
  const owners = new Map(Object.keys(properties).map((name) => [name, toOwner(properties, name)] as const));
  const found: AskedField[] = [];
  for (const [name, value] of Object.entries(properties)) {
    if (owners.get(name) !== undefined) continue;
    const parsed = z.safeParse(Field, value);
    const codex = ownObject(ownObject(value, '_meta'), 'codex');
    const own = [...owners].find(([, owner]) => owner === name)?.[0];
    if (!parsed.success || (own === undefined && codex === undefined)) return null;
    found.push({ name, field: parsed.data, ...(own !== undefined && { own }) });
  }
  return found;
}

/** The question that a field takes own words for. */
function toOwner(properties: JsonObject, name: string): string | undefined {
  const marked = ownString(ownObject(ownObject(properties[name], '_meta'), 'codex'), 'questionId');
  const owner = marked ?? /^(question_\d+)_custom$/.exec(name)?.[1];
  return owner !== undefined && isObject(properties[owner]) ? owner : undefined;
}

function toQuestion({ field, own }: AskedField, message: string) {
  const isMulti = field.type === 'array';
  const isCodex = ownObject(field._meta, 'codex') !== undefined;
  // Codex puts the question into the title, Claude into the description, or into the message if it is the only one.
  const [question, header] = isCodex ? [field.title, field.description] : [message || field.description, field.title];
  const options = toChoices(field).filter((choice) => own === undefined || choice.const !== OTHER);
  return {
    question: question || field.title || 'The agent has a question.',
    ...(header !== undefined && header !== question && { header }),
    options: options.map(({ const: label, description }) => ({
      label,
      ...(description !== undefined && { description }),
    })),
    ...(isMulti && { multiSelect: true }),
    abilities: { ownWords: own !== undefined || options.length === 0, notes: own !== undefined && !isMulti },
  };
}

function toContent(asked: AskedField | undefined, { text, selected = [], notes }: QuestionAnswer): JsonObject {
  if (asked === undefined) return {};
  const { name, field, own } = asked;
  if (toChoices(field).length === 0) return { [name]: text };
  if (field.type === 'array') {
    // The text has all choices, also the person's own words.
    const others = text
      .split(', ')
      .filter((part) => !selected.includes(part))
      .join(', ');
    return {
      ...(selected.length > 0 && { [name]: selected }),
      ...(own !== undefined && others !== '' && { [own]: others }),
    };
  }
  if (selected[0] !== undefined) {
    return { [name]: selected[0], ...(own !== undefined && notes !== undefined && { [own]: notes }) };
  }
  const hasOther = toChoices(field).some((choice) => choice.const === OTHER);
  return { ...(hasOther && { [name]: OTHER }), ...(own !== undefined && { [own]: text }) };
}

function readContent({ name, own, field }: AskedField, content: JsonObject): AnswerInput | null {
  const value = content[name];
  const words = own === undefined ? undefined : ownString(content, own)?.trim() || undefined;
  if (field.type === 'array') {
    const picked = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    const selected = [...picked, ...(words === undefined ? [] : [words])];
    return selected.length === 0 ? null : { selected };
  }
  if (typeof value !== 'string' || value === '' || (value === OTHER && words !== undefined)) {
    return words === undefined ? null : { text: words };
  }
  return { text: value, ...(words !== undefined && { notes: words }) };
}

function toChoices({ oneOf, items }: Field): z.output<typeof Choice>[] {
  return oneOf ?? items?.anyOf ?? [];
}

/** The answers of all steps; `null` if one has none. */
function readAnswers(settled: readonly Interaction[]): QuestionAnswer[] | null {
  const answers = settled.map((one) => (one.kind === 'question' && one.status === 'answered' ? one.answer : undefined));
  return answers.every((answer) => answer !== undefined) ? answers : null;
}
