import { useQuery } from '@tanstack/react-query';
import type { SessionSummary } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Fragment } from 'react';
import { Age } from '../../interactions/time-left.tsx';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { texts } from './texts.ts';

/** How many agents are named. */
const MOST_AGENTS = 6;

/** What the list says while nothing is pending: which agents there are, and when each was last heard from. */
export function EmptyInbox() {
  const { history } = useApp();
  const { data } = useQuery({ queryKey: keys.recentSessions, queryFn: () => history.sessions({ limit: 50 }) });
  const agents = toAgents(data?.items ?? []);
  return (
    <EmptyState icon="check" title={texts.empty}>
      <p>{texts.emptyHint}</p>
      {agents.length > 0 && (
        <ul aria-label={texts.agentsTitle} className="space-y-1 text-left text-xs">
          {agents.map(({ name, place, lastAt }) => (
            <li key={`${name} ${place}`} className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 truncate">
                <bdi className="font-medium text-ink">{name}</bdi>
                {place !== '' && <bdi>{` · ${place}`}</bdi>}
              </span>
              <span className="shrink-0">
                {`${texts.lastSpoke} `}
                <Age at={lastAt} isLong />
              </span>
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}

/** The pane beside an unopened list, which only wide screens have. */
export function Unopened({ hasItems, isComplete }: { hasItems: boolean; isComplete: boolean }) {
  if (hasItems) {
    return (
      <EmptyState icon="inbox" title={texts.choose}>
        <p>{texts.chooseHint}</p>
      </EmptyState>
    );
  }
  if (!isComplete) return null;
  return (
    <EmptyState icon="sessions" title={texts.tryTitle}>
      <p>{texts.tryHint}</p>
      <pre className="rounded-md border border-line bg-canvas px-3 py-2 text-left font-mono text-xs whitespace-pre-wrap text-ink">
        <Command text={texts.tryCommand} />
      </pre>
    </EmptyState>
  );
}

interface SeenAgent {
  name: string;
  place: string;
  lastAt: string;
}

// An agent may run many sessions in one place; the newest speaks for them.
function toAgents(sessions: readonly SessionSummary[]): SeenAgent[] {
  const agents = new Map<string, SeenAgent>();
  for (const { agent, project, machine, lastAt } of sessions) {
    const name = toVisibleLine(agent ?? texts.anAgent, 60);
    const place = [project, machine].map((text) => (text === undefined ? '' : toVisibleLine(text, 60)));
    const key = JSON.stringify([name, place]);
    const known = agents.get(key);
    if (known === undefined || known.lastAt < lastAt) {
      agents.set(key, { name, place: place.filter(Boolean).join(' · '), lastAt });
    }
  }
  return [...agents.values()].sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1)).slice(0, MOST_AGENTS);
}

// Browsers break lines at hyphens, but a command should break only before an option.
function Command({ text }: { text: string }) {
  return text.split(/ (?=--)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      <span className="whitespace-nowrap">{part}</span>
    </Fragment>
  ));
}
