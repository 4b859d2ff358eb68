import type { ReactNode } from 'react';
import { Prose } from '../../agent-text/prose.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';

const LOOKS = {
  good: 'bg-success-soft text-success',
  bad: 'bg-danger-soft text-danger',
  neutral: 'bg-accent-soft text-accent-text',
};

/** The decision, and remarks of the person. */
export function Outcome({
  look,
  title,
  remarks = [],
  children,
}: {
  look: keyof typeof LOOKS;
  title: ReactNode;
  remarks?: readonly { label: string; text: string | undefined }[];
  children?: ReactNode;
}) {
  const said = remarks.filter(({ text }) => text !== undefined && text !== '');
  return (
    <section className="min-w-0 overflow-clip rounded-md border border-line">
      <p
        className={classNames(
          'flex items-start gap-2 px-3 py-2 text-sm font-medium [overflow-wrap:anywhere]',
          LOOKS[look],
        )}
      >
        <Icon name={look === 'bad' ? 'close' : 'check'} className="mt-0.5" />
        <span className="min-w-0 flex-1">{title}</span>
      </p>
      {said.map(({ label, text = '' }) => (
        <div key={label} className="border-t border-line px-3 py-2 text-sm">
          <p className="text-xs text-muted">{label}</p>
          <Prose text={text} />
        </div>
      ))}
      {children}
    </section>
  );
}
