import { classNames, Icon, useStore } from 'beckon/react/parts';
import { useApp } from '../../live/app-context.ts';
import type { ConnectionState } from '../../live/connection.ts';
import { texts } from './texts.ts';

const DOTS: Record<ConnectionState, string> = {
  connecting: 'bg-line-strong',
  live: 'bg-success',
  back: 'bg-success',
  lost: 'bg-warning',
};

/** A small sign of the connection's state. */
export function ConnectionDot() {
  const { inbox, me } = useApp();
  const state = useStore(inbox.connection.state);
  return (
    <p className="flex items-center gap-2.5 px-2.5 py-1.5 text-xs text-muted">
      <span className="flex size-4 items-center justify-center">
        <span className={classNames('size-2 rounded-full', DOTS[state])} />
      </span>
      <span className="min-w-0 flex-1 truncate" title={texts.loggedInAs(me.who)}>
        {state === 'live' || state === 'back' ? me.who : texts.connection.short[state]}
      </span>
    </p>
  );
}

/** Says that the connection is lost or back. It lies over the page, so nothing moves. */
export function ConnectionNote() {
  const { inbox } = useApp();
  const state = useStore(inbox.connection.state);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 top-[calc(env(safe-area-inset-top)+0.5rem)] z-30 flex justify-center lg:left-138"
    >
      {state === 'lost' && (
        <p className="appear flex items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 text-sm shadow-pop">
          <Icon name="offline" className="text-warning" />
          <span>
            <span className="font-medium">{texts.connection.lost}</span>
            <span className="block text-xs text-muted">{texts.connection.lostHint}</span>
          </span>
        </p>
      )}
      {state === 'back' && (
        <p className="appear flex items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 text-sm shadow-pop">
          <Icon name="check" className="text-success" />
          <span className="font-medium">{texts.connection.back}</span>
        </p>
      )}
    </div>
  );
}
