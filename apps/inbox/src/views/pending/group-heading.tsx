import { toAsker, toVisibleLine } from 'beckon/presentation';
import { classNames, Icon } from 'beckon/react/parts';
import { type Line, toFirst } from './lines.ts';
import { texts } from './texts.ts';

/** The heading of a project or a session. It folds what is below. */
export function GroupHeading({
  line,
  onFold,
}: {
  line: Extract<Line, { type: 'project' | 'session' }>;
  onFold: (key: string, isFolded: boolean) => void;
}) {
  const Heading = line.type === 'project' ? 'h2' : 'h3';
  return (
    <Heading className="h-full">
      <button
        type="button"
        data-group={line.key}
        aria-expanded={!line.isFolded}
        onClick={() => onFold(line.key, !line.isFolded)}
        className={classNames(
          'flex h-full w-full items-center gap-1.5 pr-3 text-left -outline-offset-2 hover:bg-hover',
          line.type === 'project' ? 'border-b border-line bg-canvas pl-2 text-sm' : 'pl-4 text-xs text-muted',
        )}
      >
        <Icon
          name="next"
          className={classNames('size-3 text-muted transition-transform', !line.isFolded && 'rotate-90')}
        />
        {line.type === 'project' ? <ProjectName line={line} /> : <SessionName line={line} />}
      </button>
    </Heading>
  );
}

// The project is what the agent says. Who really asks stands beside it, unless the name is that already.
function ProjectName({ line: { project } }: { line: Extract<Line, { type: 'project' }> }) {
  const first = toFirst(project);
  const asker = first === undefined ? '' : toAsker(first).name;
  return (
    <>
      <bdi className="min-w-0 shrink truncate font-semibold">{project.name}</bdi>
      {project.branch !== undefined && (
        <bdi className="min-w-0 shrink-2 truncate font-mono text-xs text-muted">{project.branch}</bdi>
      )}
      <span className="min-w-0 flex-1 shrink-3 truncate text-right text-xs text-muted">
        {asker !== project.name && <bdi>{asker}</bdi>}
      </span>
      <Count count={project.count} />
    </>
  );
}

function SessionName({ line: { session, title } }: { line: Extract<Line, { type: 'session' }> }) {
  return (
    <>
      <bdi className="min-w-0 flex-1 truncate">
        {title === undefined ? texts.untitled(session.sessionId !== undefined) : toVisibleLine(title, 120)}
      </bdi>
      <Count count={session.entries.length} />
    </>
  );
}

function Count({ count }: { count: number }) {
  return (
    <span className="shrink-0 text-xs text-muted tabular-nums">
      {count}
      <span className="sr-only">{` ${texts.waiting}`}</span>
    </span>
  );
}
