const MINUTE_MS = 60_000;
const MORNING_HOUR = 9;

export type SnoozeName = 'quarter' | 'hour' | 'fourHours' | 'tomorrow';

/** Until when a request can be put aside. Tomorrow is at nine in this browser's time zone. */
export function toSnoozeChoices(now: Date): { name: SnoozeName; until: Date }[] {
  const later = (minutes: number): Date => new Date(now.getTime() + minutes * MINUTE_MS);
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING_HOUR);
  return [
    { name: 'quarter', until: later(15) },
    { name: 'hour', until: later(60) },
    { name: 'fourHours', until: later(240) },
    { name: 'tomorrow', until: tomorrow },
  ];
}
