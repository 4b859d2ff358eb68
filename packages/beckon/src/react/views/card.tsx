import type { CardProps } from '../../components/card.ts';
import type { PartProps } from '../events.ts';
import { Content } from '../nodes.tsx';

/** A text that is one figure, such as "$2.4M" or "+15 %", is written large. */
const FIGURE = /^(?=.{1,12}$)[^a-z\n]*\d[\d.,' ]*\s?\S{0,3}$/i;

export function CardView({ title, content, actions = [], metadata, onCallback }: CardProps & PartProps) {
  const isFigure = typeof content === 'string' && FIGURE.test(content);
  return (
    <section className="beckon-card">
      {title !== undefined && <h2 className="beckon-title">{title}</h2>}
      {isFigure ? <p className="beckon-figure">{content}</p> : <Content value={content} />}
      {actions.length > 0 && (
        <div className="beckon-actions">
          {actions.map((button, index) => (
            <button
              key={index}
              type="button"
              className="beckon-button"
              disabled={onCallback === undefined}
              onClick={() => onCallback?.({ action: 'click', data: { button } })}
            >
              {button}
            </button>
          ))}
        </div>
      )}
      {metadata !== undefined && <p className="beckon-note">{metadata}</p>}
    </section>
  );
}
