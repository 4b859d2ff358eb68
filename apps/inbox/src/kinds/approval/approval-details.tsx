import { toJsonText } from 'beckon/presentation';
import type { JsonObject } from 'beckon/protocol';
import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { Prose } from '../../agent-text/prose.tsx';
import { ownText } from '../parts/json-text.ts';
import { JsonView } from '../parts/json-view.tsx';
import { toFileChanges } from './file-changes.ts';
import { FileChangesView } from './file-changes-view.tsx';
import { texts } from './texts.ts';

/** What a tool call would do: a command, a diff of files, or its input field by field. */
export function ApprovalDetails({ tool, input }: { tool: string; input: JsonObject }) {
  const command = tool === 'Bash' ? ownText(input, 'command') : undefined;
  if (command !== undefined) return <Command command={command} input={input} />;
  const files = toFileChanges(tool, input);
  if (files !== null) return <FileChangesView files={files} />;
  if (Object.keys(input).length === 0) return <p className="text-sm text-muted">{texts.noInput}</p>;
  return (
    <section aria-label={texts.input} className="space-y-3 rounded-md border border-line px-3 py-2.5">
      <HiddenWarning text={toJsonText(input)} place="code" />
      <JsonView value={input} />
    </section>
  );
}

function Command({ command, input }: { command: string; input: JsonObject }) {
  const { command: _, description, ...rest } = input;
  const hasDescription = typeof description === 'string';
  const others = hasDescription || description === undefined ? rest : { description, ...rest };
  return (
    <div className="space-y-3">
      {hasDescription && <Prose text={description} look="quiet" />}
      <section aria-label={texts.command} className="rounded-md border border-line bg-canvas px-3 py-2.5">
        <PlainText text={command} place="code" />
      </section>
      <HiddenWarning text={command} place="code" />
      {Object.keys(others).length > 0 && <JsonView value={others} />}
    </div>
  );
}
