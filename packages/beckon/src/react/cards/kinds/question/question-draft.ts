import { type AnswerInput, type QuestionRequest, toQuestionAbilities } from '../../../../protocol/index.ts';

/** The places of the chosen options, and the written texts. */
export interface QuestionDraft {
  chosen: number[];
  isOther: boolean;
  other: string;
  notes: string;
}

export const EMPTY_DRAFT: QuestionDraft = { chosen: [], isOther: false, other: '', notes: '' };

/** The draft after an option was chosen or cleared. With single choice, it replaces the others. */
export function choose(draft: QuestionDraft, place: number, isChosen: boolean, isMultiple: boolean): QuestionDraft {
  if (!isMultiple) return { ...draft, chosen: isChosen ? [place] : [], isOther: false };
  const others = draft.chosen.filter((at) => at !== place);
  return { ...draft, chosen: isChosen ? [...others, place].toSorted((one, other) => one - other) : others };
}

/** The answer of a draft; `null` if it is empty. */
export function toAnswer(request: QuestionRequest, draft: QuestionDraft): AnswerInput | null {
  const { options, multiSelect } = request;
  const abilities = toQuestionAbilities(request);
  const labels = options.filter((_, place) => draft.chosen.includes(place)).map(({ label }) => label);
  const isOther = abilities.ownWords && (draft.isOther || options.length === 0);
  const other = isOther ? draft.other.trim() : '';
  const notes = draft.notes.trim() === '' || !abilities.notes ? {} : { notes: draft.notes.trim() };
  if (multiSelect !== true && other !== '') return { text: other, ...notes };
  const selected = other === '' ? labels : [...labels, other];
  return selected.length === 0 ? null : { selected, ...notes };
}

/** Whether a stored value is a draft for this question. */
export function fitsQuestion({ options }: QuestionRequest, kept: unknown): kept is QuestionDraft {
  if (typeof kept !== 'object' || kept === null) return false;
  const { chosen, isOther, other, notes } = kept as Partial<Record<keyof QuestionDraft, unknown>>;
  return (
    Array.isArray(chosen) &&
    chosen.every((place) => typeof place === 'number' && options[place] !== undefined) &&
    typeof isOther === 'boolean' &&
    typeof other === 'string' &&
    typeof notes === 'string'
  );
}
