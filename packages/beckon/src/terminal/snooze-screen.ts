import { toHeadline } from '../presentation/headline.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Desk } from './desk.ts';
import type { Key } from './screen.ts';
import { createScroll, openView, type View } from './view.ts';

const MINUTE_MS = 60_000;
const MORNING_HOUR = 9;

/** Asks until when a request is put off. Gives that time in milliseconds since 1970. */
export async function chooseSnooze(interaction: Interaction, desk: Desk, now: number): Promise<number> {
  const { screen, signal } = desk;
  const choices = toChoices(now);
  const view: View<number> = {
    title: 'Snooze until',
    lines: () => [
      { text: screen.paint(toHeadline(interaction, 400), 'bold') },
      { text: '' },
      { text: 'Hide it from you until:' },
      ...choices.map(({ label }, index) => ({ gutter: `  ${index + 1} `, text: label })),
      { text: '' },
      { text: screen.paint('Others still see it, and its deadline stays.', 'dim') },
    ],
    keys: () => [`1-${choices.length} choose`, 'esc back'],
    decides: choices.map((_, index) => String(index + 1)),
    press: ({ name }: Key) => choices[Number(name) - 1]?.until,
  };
  return openView(screen, view, createScroll(), signal);
}

function toChoices(now: number): { label: string; until: number }[] {
  const today = new Date(now);
  const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1, MORNING_HOUR);
  return [
    { label: 'in 15 minutes', until: now + 15 * MINUTE_MS },
    { label: 'in 1 hour', until: now + 60 * MINUTE_MS },
    { label: 'in 4 hours', until: now + 240 * MINUTE_MS },
    { label: `tomorrow at ${MORNING_HOUR}:00`, until: tomorrow.getTime() },
  ];
}
