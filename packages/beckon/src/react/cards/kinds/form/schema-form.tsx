import { type FormEvent, useId, useMemo, useState } from 'react';
import { toField } from '../../../../presentation/index.ts';
import { Prose } from '../../agent-text/prose.tsx';
import { useDraft } from '../../state/use-draft.ts';
import { Notice } from '../../ui/notice.tsx';
import type { KindProps } from '../parts/kind-props.ts';
import { SubmitBar } from '../parts/submit-bar.tsx';
import { toSender } from '../parts/to-sender.ts';
import { createDraft, type Draft, fitsField } from './draft.ts';
import { FieldInput } from './field-input.tsx';
import { assignProblems, type Problems } from './field-path.ts';
import { focusInput } from './focus-input.ts';
import { type FormContext, toInputId } from './form-context.ts';
import { ROOT, readDraft } from './read-draft.ts';
import { texts } from './texts.ts';

const NO_PROBLEMS: Problems = new Map();

/** A form, drawn from its JSON Schema. Problems stand beside their field, whether page or server found them. */
export function SchemaForm({ interaction, onAnswer, isSending, problems, draftKey }: KindProps<'form'>) {
  const { message, schema } = interaction.request;
  const id = useId();
  const field = useMemo(() => toField(schema), [schema]);
  const [draft, setDraft, clearDraft] = useDraft<Draft>(draftKey, createDraft(field), (kept): kept is Draft =>
    fitsField(field, kept),
  );
  const [isTried, setTried] = useState(false);
  // The server judged the sent values, so its problems disappear once something changes.
  const [judged, setJudged] = useState({ draft, problems });
  const [given, setGiven] = useState(problems);
  if (given !== problems) {
    setGiven(problems);
    setJudged({ draft, problems });
  }
  const send = toSender(onAnswer, clearDraft, (refused) => setJudged({ draft, problems: refused }));
  const read = readDraft(field, draft);
  const foreign =
    judged.draft === draft && judged.problems.length > 0
      ? assignProblems(judged.problems, read.paths, ({ expected, received }) => texts.server(expected, received))
      : NO_PROBLEMS;
  const shown: Problems = new Map([...foreign, ...(isTried ? read.problems : [])]);
  const context: FormContext = {
    problems: shown,
    isDisabled: isSending,
    id,
    draw: (props) => <FieldInput {...props} />,
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const [first] = read.problems.keys();
    if (first !== undefined) focusInput(toInputId(context, first));
    else send({ values: read.values });
  };

  return (
    <form id={`${id}-form`} onSubmit={submit} noValidate className="@container space-y-4">
      {message !== '' && <Prose text={message} look="lead" />}
      <div aria-live="polite">
        {shown.size > 0 && (
          <Notice tone="danger" icon="warning" title={texts.fix(shown.size)}>
            {field.type === 'object' && shown.has(ROOT) && <p>{shown.get(ROOT)}</p>}
          </Notice>
        )}
      </div>
      <FieldInput
        field={field}
        draft={draft}
        path={ROOT}
        name=""
        required
        isRoot
        context={context}
        onChange={setDraft}
      />
      <SubmitBar formId={`${id}-form`} label={texts.submit} isSending={isSending} />
    </form>
  );
}
