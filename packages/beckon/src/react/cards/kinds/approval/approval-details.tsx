import { useCallback } from 'react';
import { toShownPath } from '../../../../presentation/index.ts';
import type { InteractionOf, JsonObject } from '../../../../protocol/index.ts';
import { CodeBlock } from '../../agent-text/code-block.tsx';
import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { Prose } from '../../agent-text/prose.tsx';
import { Comparing, FileDiffs } from '../parts/diff.tsx';
import { JsonView } from '../parts/json-view.tsx';
import type { LoadContext } from '../parts/kind-props.ts';
import { ArgumentsView } from './arguments-view.tsx';
import { texts } from './texts.ts';
import { findScript, isFileTool, type Script } from './tools.ts';
import { useRequestContext } from './use-request-context.ts';

const NO_FILES: readonly never[] = [];

interface DetailsProps {
  interaction: InteractionOf<'approval'>;
  input: JsonObject;
  loadContext: LoadContext | undefined;
}

/** What a tool call would do, with this input: a script, a diff of files, or its arguments. */
export function ApprovalDetails({ interaction, input, loadContext }: DetailsProps) {
  const { tool } = interaction.request;
  const script = findScript(tool, input);
  if (script !== null) return <ScriptView script={script} input={input} />;
  if (isFileTool(tool)) return <Files interaction={interaction} input={input} loadContext={loadContext} />;
  return <ArgumentsView input={input} />;
}

function ScriptView({ script: { field, text, language }, input }: { script: Script; input: JsonObject }) {
  const { [field]: _, description, ...rest } = input;
  const hasDescription = typeof description === 'string';
  const others = hasDescription || description === undefined ? rest : { description, ...rest };
  return (
    <div className="space-y-3">
      {hasDescription && <Prose text={description} look="lead" />}
      <section aria-label={texts.command} className="rounded-md border border-line bg-canvas px-3 py-2.5">
        <CodeBlock text={text} language={language} path={[field]} />
      </section>
      <HiddenWarning text={text} place="code" />
      {Object.keys(others).length > 0 && <JsonView value={others} path={[]} />}
    </div>
  );
}

function Files({ interaction, input, loadContext }: DetailsProps) {
  const { context, isLoading } = useRequestContext(interaction, loadContext);
  const { context: summary } = interaction;
  const toShown = useCallback(
    (path: string) => toShownPath(path, summary === undefined ? {} : { context: summary }),
    [summary],
  );
  // A diff without what the file holds would look like another one.
  if (isLoading) return <Comparing />;
  return (
    <FileDiffs
      tool={interaction.request.tool}
      input={input}
      files={context?.files ?? NO_FILES}
      toShown={toShown}
      fallback={<ArgumentsView input={input} />}
    />
  );
}
