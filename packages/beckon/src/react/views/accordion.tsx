import { useId, useState } from 'react';
import type { AccordionProps } from '../../components/accordion.ts';
import type { PartProps } from '../events.ts';
import { Content } from '../nodes.tsx';

export function AccordionView({ title, items, notify, onCallback }: AccordionProps & PartProps) {
  const id = useId();
  /** What the person opened and closed; the others are as the agent wants them. */
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({});
  return (
    <section className="beckon-accordion">
      {title !== undefined && <h3 className="beckon-title">{title}</h3>}
      <div className="beckon-accordion-items">
        {items.map(({ label, content, open = false }, index) => {
          const isOpen = chosen[index] ?? open;
          return (
            <div key={index}>
              <h4>
                <button
                  type="button"
                  id={`${id}-${index}`}
                  aria-expanded={isOpen}
                  aria-controls={isOpen ? `${id}-${index}-content` : undefined}
                  onClick={() => {
                    setChosen({ ...chosen, [index]: !isOpen });
                    if (notify) onCallback?.({ action: 'change', data: { label, open: !isOpen } });
                  }}
                >
                  {label}
                </button>
              </h4>
              {isOpen && (
                <div
                  className="beckon-accordion-content"
                  role="region"
                  id={`${id}-${index}-content`}
                  aria-labelledby={`${id}-${index}`}
                >
                  <Content value={content} />
                </div>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}
