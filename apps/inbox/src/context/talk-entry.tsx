import { DECISION_NAMES, toToolName, toVisibleLine } from 'beckon/presentation';
import { Button, classNames, Icon, type IconName, VisibleText } from 'beckon/react/parts';
import { formatTook } from '../interactions/durations.ts';
import { Age } from '../interactions/time-left.tsx';
import type { Talk } from './conversation.ts';
import { texts } from './texts.ts';

/** What an entry shows before somebody wants all of it. */
const SHORT_CHARS = 600;
const SHORT_LINES = 8;

const ICONS: Record<Talk['by'], IconName> = {
  person: 'person',
  agent: 'agent',
  tool: 'sessions',
  call: 'sessions',
  request: 'approval',
  note: 'clock',
};

/** One entry of a conversation. `isCurrent`: it is the open request. */
export function TalkEntry({
  entry: { by, text, at, tool, outcome, ms, error },
  isCurrent,
  isOpen,
  onOpen,
}: {
  entry: Talk;
  isCurrent: boolean;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const whole = error === undefined || error === '' ? text : `${text}\n${error}`;
  const lines = whole.split('\n');
  const short = lines.slice(0, SHORT_LINES).join('\n').slice(0, SHORT_CHARS);
  const isCut = short.length < whole.length;
  const isCode = by === 'tool' || by === 'call';
  return (
    <div
      className={classNames('space-y-0.5 border-l-2 pl-2', by === 'person' ? 'border-accent' : 'border-transparent')}
    >
      <p className="flex items-center gap-1.5 text-xs text-muted">
        <Icon name={ICONS[by]} className="size-3.5" />
        <span className="min-w-0 truncate font-medium">
          {isCurrent ? texts.current : toName(by, tool)}
          {outcome !== undefined && <span className={toLook(outcome)}>{` · ${toOutcome(outcome)}`}</span>}
          {ms !== undefined && ms >= 500 && <span className="font-normal">{` · ${formatTook(ms)}`}</span>}
        </span>
        {at !== undefined && !Number.isNaN(Date.parse(at)) && <Age at={at} isLong className="ml-auto" />}
      </p>
      <p
        dir="auto"
        className={classNames(
          'overflow-x-clip [overflow-wrap:anywhere] whitespace-pre-wrap',
          isCode ? 'font-mono text-xs leading-5' : by === 'note' ? 'text-xs text-muted' : 'text-sm',
        )}
      >
        <VisibleText text={isOpen || !isCut ? whole : `${short}…`} place={isCode ? 'code' : 'prose'} />
      </p>
      {isCut && !isOpen && (
        <Button look="quiet" size="small" onClick={onOpen} className="-ml-2">
          {texts.showAll(lines.length)}
        </Button>
      )}
    </div>
  );
}

function toName(by: Talk['by'], tool: string | undefined): string {
  if (tool === undefined) return texts.by[by];
  const { server, tool: name } = toToolName(tool);
  return toVisibleLine([server, name].filter(Boolean).join(': '), 40, 'code');
}

type Outcome = NonNullable<Talk['outcome']>;

function toOutcome(outcome: Outcome): string {
  return isCallOutcome(outcome) ? texts.outcomes[outcome] : DECISION_NAMES[outcome];
}

function isCallOutcome(outcome: Outcome): outcome is keyof typeof texts.outcomes {
  return Object.hasOwn(texts.outcomes, outcome);
}

function toLook(outcome: Outcome): string {
  if (outcome === 'failed' || outcome === 'denied') return 'text-danger';
  return outcome === 'ok' || outcome === 'allowed' || outcome === 'accepted' ? 'text-success' : '';
}
