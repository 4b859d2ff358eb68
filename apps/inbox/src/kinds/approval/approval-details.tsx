import { toShownPath } from 'beckon/presentation';
import type { InteractionOf, JsonObject } from 'beckon/protocol';
import { useCallback } from 'react';
import { CodeBlock } from '../../agent-text/code-block.tsx';
import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { Prose } from '../../agent-text/prose.tsx';
import { useRequestContext } from '../../context/use-request-context.ts';
import { Comparing, FileDiffs } from '../parts/diff.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { ArgumentsView } from './arguments-view.tsx';
import { texts } from './texts.ts';
import { findScript, isFileTool, type Script } from './tools.ts';

const NO_FILES: readonly never[] = [];

/** What a tool call would do, with this input: a script, a diff of files, or its arguments. */
export function ApprovalDetails({ interaction, input }: { interaction: InteractionOf<'approval'>; input: JsonObject }) {
  const { tool } = interaction.request;
  const script = findScript(tool, input);
  if (script !== null) return <ScriptView script={script} input={input} />;
  if (isFileTool(tool)) return <Files interaction={interaction} input={input} />;
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

function Files({ interaction, input }: { interaction: InteractionOf<'approval'>; input: JsonObject }) {
  const { context, isLoading } = useRequestContext(interaction);
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
