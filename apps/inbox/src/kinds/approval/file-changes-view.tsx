import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { Diff } from '../parts/diff.tsx';
import { JsonView } from '../parts/json-view.tsx';
import type { FileChange, FileChanges } from './file-changes.ts';
import { texts } from './texts.ts';

const FIRST_CHANGES = 50;

/** The path of a file, then each change as a diff. */
export function FileChangesView({ files: { path, changes, rest } }: { files: FileChanges }) {
  const text = [path, ...changes.map(({ after }) => after)].join('\n');
  return (
    <div className="space-y-3">
      <HiddenWarning text={text} place="code" />
      <section aria-label={texts.where} className="min-w-0 overflow-clip rounded-md border border-line">
        <p
          dir="ltr"
          className="border-b border-line bg-canvas px-3 py-2 font-mono text-sm font-medium [overflow-wrap:anywhere]"
        >
          <Path path={path} />
        </p>
        {changes.slice(0, FIRST_CHANGES).map((change, index) => (
          <Change key={index} change={change} path={path} place={index + 1} of={changes.length} />
        ))}
      </section>
      {changes.length > FIRST_CHANGES && (
        <JsonView value={changes.slice(FIRST_CHANGES).map(({ before, after }) => ({ before, after }))} />
      )}
      {Object.keys(rest).length > 0 && (
        <section aria-label={texts.rest}>
          <JsonView value={rest} />
        </section>
      )}
    </div>
  );
}

/** The folder in gray, the file name in full color. */
function Path({ path }: { path: string }) {
  const nameAt = path.lastIndexOf('/') + 1;
  return (
    <>
      <span className="font-normal text-muted">
        <VisibleText text={path.slice(0, nameAt)} place="code" />
      </span>
      <VisibleText text={path.slice(nameAt)} place="code" />
    </>
  );
}

function Change({ change, path, place, of }: { change: FileChange; path: string; place: number; of: number }) {
  const { before, after, everywhere } = change;
  const notes = [
    of > 1 && texts.change(place, of),
    before === null && texts.newContent,
    before === '' && texts.creates,
    everywhere && texts.everywhere,
  ].filter((note) => note !== false);
  return (
    <div className="not-last:border-b not-last:border-line">
      <Diff before={before ?? ''} after={after} path={path} note={notes.join(' · ')} hasNumbers={before === null} />
    </div>
  );
}
