import { useMemo } from 'react';
import { isObject, type JsonObject } from '../../../../protocol/index.ts';
import { useDraft } from '../../state/use-draft.ts';
import { findJsonProblem } from '../parts/json-editor.tsx';
import { parseJsonText } from '../parts/json-text.ts';
import { applyTexts, type EditField, toEditFields } from './edit-fields.ts';

interface ApprovalDraft {
  /** The input as edited JSON; `null` if nobody edits it. */
  edited: string | null;
  /** The texts that are edited plainly, by field. */
  texts: Record<string, string>;
  isEditing: boolean;
  isDenying: boolean;
  reason: string;
}

const EMPTY_DRAFT: ApprovalDraft = {
  edited: null,
  texts: {},
  isEditing: false,
  isDenying: false,
  reason: '',
};

/** What the person has prepared, and the input that would run. */
export function useApprovalDraft(
  key: string,
  tool: string,
  input: JsonObject,
  mayEdit: boolean,
): {
  draft: ApprovalDraft;
  change: (changes: Partial<ApprovalDraft>) => void;
  clear: () => void;
  edit: {
    /** The texts that are edited plainly; `null`: the input is edited as JSON. */
    fields: EditField[] | null;
    problem: string | undefined;
    current: JsonObject;
    isEdited: boolean;
    /** There is something to undo, even if it makes no difference. */
    isTouched: boolean;
  };
} {
  const [draft, setDraft, clear] = useDraft(key, EMPTY_DRAFT, fitsApproval);
  const fields = useMemo(() => toEditFields(tool, input), [tool, input]);
  const edited = !mayEdit || fields !== null ? null : draft.edited;
  const problem = edited === null ? undefined : findJsonProblem(edited);
  const current = useMemo(
    () => (fields === null || !mayEdit ? (toInput(edited) ?? input) : applyTexts(input, fields, draft.texts)),
    [fields, mayEdit, edited, input, draft.texts],
  );
  const isTouched = edited !== null || (fields !== null && Object.keys(draft.texts).length > 0);
  return {
    draft,
    change: (changes) => setDraft({ ...draft, ...changes }),
    clear,
    edit: { fields, problem, current, isEdited: JSON.stringify(current) !== JSON.stringify(input), isTouched },
  };
}

function toInput(edited: string | null): JsonObject | null {
  const parsed = edited === null ? null : parseJsonText(edited);
  return parsed?.ok === true && isObject(parsed.value) ? parsed.value : null;
}

function fitsApproval(kept: unknown): kept is ApprovalDraft {
  if (typeof kept !== 'object' || kept === null) return false;
  const { edited, texts, isEditing, isDenying, reason } = kept as Partial<Record<keyof ApprovalDraft, unknown>>;
  return (
    (edited === null || typeof edited === 'string') &&
    isObject(texts) &&
    Object.values(texts).every((text) => typeof text === 'string') &&
    typeof reason === 'string' &&
    [isEditing, isDenying].every((flag) => typeof flag === 'boolean')
  );
}
