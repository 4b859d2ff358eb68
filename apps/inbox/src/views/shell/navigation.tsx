import { classNames, Icon, type IconName } from 'beckon/react/parts';
import { Link } from 'wouter';
import { Mark } from '../../ui/mark.tsx';
import { ConnectionDot } from './connection-note.tsx';
import { texts } from './texts.ts';

interface Place {
  to: string;
  name: string;
  icon: IconName;
  isOnPhone: boolean;
}

const PLACES: readonly Place[] = [
  { to: '/', name: texts.navigation.pending, icon: 'inbox', isOnPhone: true },
  { to: '/history', name: texts.navigation.history, icon: 'history', isOnPhone: true },
  { to: '/rules', name: texts.navigation.rules, icon: 'rules', isOnPhone: true },
  { to: '/sessions', name: texts.navigation.sessions, icon: 'sessions', isOnPhone: true },
  { to: '/statistics', name: texts.navigation.statistics, icon: 'statistics', isOnPhone: true },
  { to: '/devices', name: texts.navigation.devices, icon: 'devices', isOnPhone: false },
];

const ITEM =
  'tap flex items-center rounded-md font-medium text-muted transition-colors duration-100 hover:bg-hover hover:text-ink ' +
  'flex-col justify-center gap-0.5 px-1 py-1.5 text-[0.75rem] leading-4 lg:h-8 lg:flex-row lg:justify-start lg:gap-2.5 lg:px-2.5 lg:text-sm';

/** The navigation: at the side of a wide screen, at the bottom of a narrow one. */
export function Navigation({
  path,
  pending,
  isRequestOpen,
  onSettings,
  onShortcuts,
}: {
  path: string;
  pending: number;
  /** On a phone an open request has the screen for itself, so its bar is where a thumb is. */
  isRequestOpen: boolean;
  onSettings: () => void;
  onShortcuts: () => void;
}) {
  return (
    <header
      className={classNames(
        'order-2 shrink-0 border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] lg:order-1 lg:flex lg:w-50 lg:flex-col lg:border-t-0 lg:border-r lg:p-2.5',
        isRequestOpen && 'max-lg:hidden',
      )}
    >
      <div className="mb-3 hidden items-center gap-2 px-2 pt-1.5 lg:flex">
        <Mark className="size-6" />
        <span className="text-base font-semibold tracking-tight">{texts.appName}</span>
      </div>
      <nav aria-label={texts.navigation.name} className="lg:flex-1">
        <ul className="grid grid-cols-6 gap-0.5 px-1 lg:flex lg:flex-col lg:px-0">
          {PLACES.map(({ to, name, icon, isOnPhone }) => {
            const isHere = to === '/' ? path === '/' || path.startsWith('/i/') : path.startsWith(to);
            return (
              <li key={to} className={isOnPhone ? undefined : 'hidden lg:block'}>
                <Link
                  to={to}
                  aria-current={isHere ? 'page' : undefined}
                  className={classNames(ITEM, isHere && 'text-ink lg:bg-hover')}
                >
                  <span className="relative">
                    <Icon name={icon} className={classNames('size-5 lg:size-4', isHere && 'text-accent-text')} />
                  </span>
                  <span className="flex-1">{name}</span>
                  {to === '/' && pending > 0 && (
                    <span className="hidden rounded-full bg-accent px-1.5 text-xs leading-5 font-semibold text-on-accent tabular-nums lg:inline">
                      <span className="sr-only">{texts.navigation.count(pending)}</span>
                      <span aria-hidden="true">{pending}</span>
                    </span>
                  )}
                </Link>
              </li>
            );
          })}
          <li className="lg:hidden">
            <button type="button" onClick={onSettings} className={classNames(ITEM, 'w-full')}>
              <Icon name="settings" className="size-5" />
              {texts.navigation.settings}
            </button>
          </li>
        </ul>
      </nav>
      <div className="hidden flex-col gap-0.5 lg:flex">
        <button type="button" onClick={onShortcuts} className={ITEM}>
          <Icon name="keyboard" />
          <span className="flex-1 text-left">{texts.navigation.shortcuts}</span>
        </button>
        <button type="button" onClick={onSettings} className={ITEM}>
          <Icon name="settings" />
          <span className="flex-1 text-left">{texts.navigation.settings}</span>
        </button>
        <ConnectionDot />
      </div>
    </header>
  );
}
