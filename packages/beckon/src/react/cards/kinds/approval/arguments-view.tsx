import { useState } from 'react';
import { toEditableJson, toJsonText } from '../../../../presentation/index.ts';
import type { JsonObject } from '../../../../protocol/index.ts';
import { CodeBlock } from '../../agent-text/code-block.tsx';
import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { useKey } from '../../keyboard/use-key.ts';
import { Button } from '../../ui/button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { texts } from './texts.ts';

const FIRST_ROWS = 40;

/** The arguments of a call as a table, or as the JSON that the tool gets. */
export function ArgumentsView({ input }: { input: JsonObject }) {
  const [isJson, setJson] = useState(false);
  const [count, setCount] = useState(FIRST_ROWS);
  useKey('o', () => setJson(!isJson));
  const entries = Object.entries(input);
  if (entries.length === 0) return <p className="text-sm text-muted">{texts.noInput}</p>;
  return (
    <section aria-label={texts.input} className="space-y-2">
      <HiddenWarning text={toJsonText(input)} place="code" />
      <div className="overflow-clip rounded-md border border-line">
        {isJson ? (
          <div className="bg-canvas px-3 py-2.5">
            <CodeBlock text={toEditableJson(input)} language="json" />
          </div>
        ) : (
          <table className="w-full border-collapse text-left max-sm:block">
            <thead className="sr-only">
              <tr>
                <th scope="col">{texts.argument}</th>
                <th scope="col">{texts.value}</th>
              </tr>
            </thead>
            <tbody className="max-sm:block">
              {entries.slice(0, count).map(([name, value]) => (
                <tr key={name} className="align-top not-last:border-b not-last:border-line max-sm:block max-sm:py-1">
                  <th
                    scope="row"
                    className="w-40 px-3 py-1.5 text-xs leading-5 font-medium [overflow-wrap:anywhere] text-muted max-sm:block max-sm:w-auto max-sm:pb-0 sm:bg-canvas"
                  >
                    <VisibleText text={name} place="code" />
                  </th>
                  <td className="min-w-0 px-3 py-1.5 [overflow-wrap:anywhere] max-sm:block">
                    <JsonView value={value} level={1} path={[name]} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {!isJson && <ShowMore rest={entries.length - count} onMore={() => setCount(count + FIRST_ROWS * 5)} />}
      <Button
        look="quiet"
        size="small"
        aria-pressed={isJson}
        aria-keyshortcuts="o"
        onClick={() => setJson(!isJson)}
        className="-ml-2"
      >
        {isJson ? texts.showTable : texts.showJson}
        <KeyHint name="o" />
      </Button>
    </section>
  );
}
