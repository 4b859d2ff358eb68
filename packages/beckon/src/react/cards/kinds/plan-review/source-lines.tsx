import { Fragment, use } from 'react';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { BlockContext } from '../../markdown/block-context.ts';

/** A plan as written, line by line. */
export function SourceLines({ plan }: { plan: string }) {
  const parts = use(BlockContext);
  return (
    <div dir="ltr" className="font-mono text-xs leading-6 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {plan
        .replaceAll('\r\n', '\n')
        .split('\n')
        .map((text, index) => {
          const lines = { from: index + 1, to: index + 1 };
          return (
            <Fragment key={index}>
              {text.trim() !== '' && parts?.beside(lines)}
              <div data-line={index + 1} className="min-h-6">
                <VisibleText text={text} />
              </div>
              {parts?.below(lines)}
            </Fragment>
          );
        })}
    </div>
  );
}
