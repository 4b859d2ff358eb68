import { toVisibleLine } from '../../../../presentation/index.ts';
import type { QuestionRequest } from '../../../../protocol/index.ts';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { isMarkdown } from './is-markdown.ts';
import { texts } from './texts.ts';

/** So many previews are formatted in advance, so that looking at another option changes nothing else. */
const MOST_READY = 9;

type Options = QuestionRequest['options'];

/** The agent's preview of the option at `place`: Markdown, or a drawing made of characters. */
export function PreviewPane({ options, place, isAwaited }: { options: Options; place: number; isAwaited: boolean }) {
  const option = options[place];
  const label = texts.preview(toVisibleLine(option?.label ?? '', 60));
  return (
    <section aria-label={label} className="min-w-0 rounded-md border border-line bg-canvas @2xl:sticky @2xl:top-3">
      <p className="truncate border-b border-line px-3 py-1.5 text-xs text-muted">{label}</p>
      <div
        tabIndex={0}
        role="region"
        aria-label={texts.preview('')}
        className="max-h-96 min-h-24 overflow-auto px-3 py-2 text-sm"
      >
        {!option?.preview && <p className="text-xs text-muted">{texts.noPreview}</p>}
        {options.map(
          ({ preview = '' }, index) =>
            preview !== '' &&
            (index === place || options.length <= MOST_READY) && (
              <div key={index} hidden={index !== place}>
                {isMarkdown(preview) ? (
                  <Markdown text={preview} isAwaited={isAwaited} />
                ) : (
                  <PlainText text={preview} isWrapped={false} />
                )}
              </div>
            ),
        )}
      </div>
    </section>
  );
}
