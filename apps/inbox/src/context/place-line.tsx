import { toPlace } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { classNames } from 'beckon/react/parts';

/** Project, branch, agent and machine, as the agent says. Nothing if it says nothing. */
export function PlaceLine({ interaction, className }: { interaction: Interaction; className?: string }) {
  const { project, branch, agent, machine } = toPlace(interaction);
  const parts = [project, branch, agent, machine].filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  return (
    <p className={classNames('min-w-0 text-sm', className)}>
      {parts.map((part, index) => (
        <span key={index}>
          {index > 0 && <span className="text-muted">{' · '}</span>}
          <bdi className={part === project ? 'font-semibold' : 'text-muted'}>{part}</bdi>
        </span>
      ))}
    </p>
  );
}
