import { toVisibleLine } from 'beckon/presentation';
import type { QuestionRequest } from 'beckon/protocol';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { texts } from './texts.ts';

/** The agent's preview of an option. */
export function PreviewPane({ option }: { option: QuestionRequest['options'][number] | undefined }) {
  const preview = option?.preview ?? '';
  return (
    <section
      aria-label={texts.preview(toVisibleLine(option?.label ?? '', 60))}
      className="min-w-0 rounded-md border border-line bg-canvas @2xl:sticky @2xl:top-3"
    >
      <p className="truncate border-b border-line px-3 py-1.5 text-xs text-muted">
        {texts.preview(toVisibleLine(option?.label ?? '', 60))}
      </p>
      <div
        tabIndex={0}
        role="region"
        aria-label={texts.preview('')}
        className="max-h-96 min-h-24 overflow-auto px-3 py-2"
      >
        {preview === '' ? (
          <p className="text-xs text-muted">{texts.noPreview}</p>
        ) : (
          <PlainText text={preview} isWrapped={false} />
        )}
      </div>
    </section>
  );
}
