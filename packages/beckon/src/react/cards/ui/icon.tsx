import { classNames } from './class-names.ts';

/** Lines on a grid of 16 by 16, drawn in the text color. */
const PATHS = {
  question:
    'M5.8 5.9a2.3 2.3 0 1 1 3.3 2.1c-.8.4-1.1.8-1.1 1.6M8 12v.05M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5Z',
  plan_review: 'M3.5 2.25h9v11.5h-9zM5.75 5.5h4.5M5.75 8h4.5M5.75 10.5h2.5',
  approval: 'M8 1.75 13 3.5v4c0 3.2-2 5.6-5 6.75-3-1.15-5-3.55-5-6.75v-4zM5.75 7.9l1.6 1.6 2.9-3.1',
  form: 'M2.25 3.25h11.5v3.5H2.25zM2.25 9.25h11.5v3.5H2.25zM4.5 5h.05M4.5 11h.05',
  component: 'M2.25 2.25h5v5h-5zM8.75 2.25h5v5h-5zM2.25 8.75h5v5h-5zM8.75 8.75h5v5h-5z',
  inbox: 'M2.25 8.75 4 3.25h8l1.75 5.5v4h-11.5zM2.25 8.75h3.4c.3 1.2 1.1 1.75 2.35 1.75s2.05-.55 2.35-1.75h3.4',
  history: 'M2.5 8a5.5 5.5 0 1 0 1.7-4L2.25 5.75M2.25 2.5v3.25H5.5M8 5v3.25l2.25 1.25',
  rules: 'M2.5 4l1.25 1.25L6 3M2.5 8.75 3.75 10 6 7.75M8.5 4.25h5M8.5 9h5M2.5 13.5h11',
  sessions: 'M2.25 3h11.5v10H2.25zM4.75 6.25 6.5 8l-1.75 1.75M8.25 10h3',
  statistics: 'M2.5 13.5h11M4.25 11V7.5M8 11V3M11.75 11V5.5',
  devices: 'M2 3.25h8.5v6.5H2zM1.25 12.25H9M10.75 6.25h3.5v7h-3.5z',
  settings:
    'M2.25 4.5h6M11.75 4.5h2M2.25 11.5h2M7.75 11.5h6M8.25 4.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0ZM4.25 11.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0Z',
  alike: 'M2.25 5.25h8.5v8.5h-8.5zM5.25 5V2.25h8.5v8.5H11',
  density: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  snooze: 'M3 8.5a5 5 0 1 0 10 0 5 5 0 0 0-10 0ZM8 6v2.75l1.75 1M2 4.5 4.25 2.5M14 4.5 11.75 2.5',
  edit: 'm3 13 .75-3L11 2.75 13.25 5 6 12.25z',
  select: 'M2.5 2.5h11v11h-11zM5.25 8l2 2 3.5-4',
  run: 'm3.5 4 3.5 4-3.5 4M8.5 12h4.5',
  fetch:
    'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5ZM1.75 8h12.5M8 1.75c2 2 2.5 4 2.5 6.25S10 12.25 8 14.25C6 12.25 5.5 10.25 5.5 8S6 3.75 8 1.75Z',
  more: 'M3.5 8h.05M8 8h.05M12.5 8h.05',
  back: 'M9.75 3.5 5.25 8l4.5 4.5',
  next: 'M6.25 3.5 10.75 8l-4.5 4.5',
  close: 'm4 4 8 8M12 4l-8 8',
  denied: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5ZM3.6 3.6l8.8 8.8',
  check: 'm3 8.5 3.25 3.25L13 4.75',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4l3.35 3.35',
  clock: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5ZM8 4.75V8l2.25 1.5',
  sort: 'M5 3v10M2.75 10.75 5 13l2.25-2.25M11 13V3M8.75 5.25 11 3l2.25 2.25',
  offline:
    'M2 2l12 12M5 8.9a4.4 4.4 0 0 1 3-1.15M2.6 6.4A8 8 0 0 1 5 4.9M8 4.25a8 8 0 0 1 5.4 2.15M8 12v.05M10.3 8.5l.7.4',
  keyboard: 'M1.75 4h12.5v8H1.75zM4.25 6.5h.05M6.75 6.5h.05M9.25 6.5h.05M11.75 6.5h.05M5 9.5h6',
  warning: 'M8 2.25 14.25 13.25H1.75zM8 6.5v3M8 11.25v.05',
  person:
    'M8 8.25a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM2.75 13.5c.6-2.2 2.5-3.25 5.25-3.25s4.65 1.05 5.25 3.25',
  agent: 'M3.25 5.25h9.5v7.5h-9.5zM8 5.25v-2.5M6 8.5v1M10 8.5v1',
  chat: 'M2.25 3h11.5v7.75H7.5L4.75 13.5v-2.75h-2.5z',
  log: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.05M2.5 8h.05M2.5 12h.05',
  logout: 'M6.5 2.75H3v10.5h3.5M6.5 8h7M10.75 5.25 13.5 8l-2.75 2.75',
} as const;

/** The name of an icon. Each kind has an icon of its name. */
export type IconName = keyof typeof PATHS;

/** A decorative icon: the text or the button around it says the same. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={classNames('size-4 shrink-0', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.35"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
