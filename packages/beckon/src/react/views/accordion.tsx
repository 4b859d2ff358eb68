import { useId, useState } from 'react';
import type { AccordionProps } from '../../components/accordion.ts';
import type { PartProps } from '../events.ts';
import { Content } from '../nodes.tsx';

export function AccordionView({ title, items, notify, onCallback }: AccordionProps & PartProps) {
  const id = useId();
  /** What the person opened or closed. The rest is as the agent wants it. */
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({});
  // With or without a title, no heading level is skipped.
  const Heading = title === undefined ? 'h2' : 'h3';
  return (
    <section className="beckon-accordion">
      {title !== undefined && <h2 className="beckon-title">{title}</h2>}
      <div className="beckon-accordion-items">
        {items.map(({ label, content, open = false }, index) => {
          const isOpen = chosen[index] ?? open;
          return (
            <div key={index}>
              <Heading className="beckon-accordion-label">
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
              </Heading>
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
