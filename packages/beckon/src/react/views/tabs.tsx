import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { TabsProps } from '../../components/tabs.ts';
import type { PartProps } from '../events.ts';
import { Content } from '../nodes.tsx';

export function TabsView({ tabs, notify, onCallback }: TabsProps & PartProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  // A tab that was opened stays mounted, so a form in it keeps its input.
  const [seen, setSeen] = useState<readonly number[]>([0]);

  const choose = (index: number): void => {
    if (index === at) return;
    setAt(index);
    setSeen([...seen.filter((one) => one !== index), index]);
    if (notify) onCallback?.({ action: 'change', data: { tab: tabs[index]?.id } });
  };
  const move = (event: KeyboardEvent): void => {
    const last = tabs.length - 1;
    const steps: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    list.current?.querySelectorAll<HTMLElement>(':scope > [role="tab"]')[next]?.focus();
  };

  return (
    <section className="beckon-tabs">
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the chosen tab has the focus */}
      <div role="tablist" ref={list} onKeyDown={move} className="beckon-tablist">
        {tabs.map(({ label }, index) => (
          <button
            key={index}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === at}
            aria-controls={seen.includes(index) ? `${id}-${index}-panel` : undefined}
            tabIndex={index === at ? 0 : -1}
            onClick={() => choose(index)}
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(
        ({ content }, index) =>
          seen.includes(index) && (
            <div
              key={index}
              role="tabpanel"
              id={`${id}-${index}-panel`}
              aria-labelledby={`${id}-${index}`}
              tabIndex={0}
              hidden={index !== at}
              className="beckon-tabpanel"
            >
              <Content value={content} />
            </div>
          ),
      )}
    </section>
  );
}
