import type { DestinationChange, PersonalDestination } from 'beckon/client';
import { type ContentLevel, LIMITS, toMilliseconds } from 'beckon/protocol';
import { texts } from './texts.ts';

/** When and how much somebody is told, as a form has it. Minutes are what was typed. */
export interface TermFields {
  label: string;
  isLater: boolean;
  afterMinutes: string;
  isAgain: boolean;
  againMinutes: string;
  isQuiet: boolean;
  quietFrom: string;
  quietTo: string;
  timeZone: string;
  evenInSight: boolean;
  content: ContentLevel;
}

/** What is wrong with a field, in words. */
export type FieldProblems<Fields> = Partial<Record<keyof Fields, string>>;

const DEFAULTS = { afterMinutes: '5', againMinutes: '10', quietFrom: '22:00', quietTo: '07:00' };
const MINUTE_MS = 60_000;

/** The terms of a destination as a form shows them. What is off has a value to begin with. */
export function toTermFields({ label, when, content }: PersonalDestination, ownZone: string): TermFields {
  const { after, beforeExpiry, quiet, evenInSight } = when;
  const isLater = toMilliseconds(after) > 0;
  return {
    label,
    isLater,
    afterMinutes: isLater ? toMinutes(after) : DEFAULTS.afterMinutes,
    isAgain: beforeExpiry !== undefined,
    againMinutes: beforeExpiry === undefined ? DEFAULTS.againMinutes : toMinutes(beforeExpiry),
    isQuiet: quiet !== undefined,
    quietFrom: quiet?.from ?? DEFAULTS.quietFrom,
    quietTo: quiet?.to ?? DEFAULTS.quietTo,
    timeZone: quiet?.timeZone ?? ownZone,
    evenInSight,
    content,
  };
}

/** What to send to change a destination, or what is wrong with the fields. */
export function toTermChange(
  fields: TermFields,
): { change: DestinationChange } | { problems: FieldProblems<TermFields> } {
  const { isLater, isAgain, isQuiet, quietFrom, quietTo, timeZone, evenInSight, content } = fields;
  const after = isLater ? toSeconds(fields.afterMinutes) : 0;
  const again = isAgain ? toSeconds(fields.againMinutes) : undefined;
  const label = fields.label.trim();
  const problems: FieldProblems<TermFields> = {
    ...(label === '' && { label: texts.edit.labelMissing }),
    ...(after === null && { afterMinutes: texts.edit.minutesInvalid }),
    ...(again === null && { againMinutes: texts.edit.minutesInvalid }),
    ...(isQuiet && (quietFrom === '' || quietTo === '') && { quietTo: texts.edit.quietMissing }),
    ...(isQuiet && quietFrom !== '' && quietFrom === quietTo && { quietTo: texts.edit.quietSame }),
  };
  if (after === null || again === null || Object.keys(problems).length > 0) return { problems };
  return {
    change: {
      label,
      content,
      when: {
        after,
        evenInSight,
        ...(again !== undefined && { beforeExpiry: again }),
        ...(isQuiet && { quiet: { from: quietFrom, to: quietTo, timeZone } }),
      },
    },
  };
}

function toMinutes(duration: number | string): string {
  return String(Math.round((toMilliseconds(duration) / MINUTE_MS) * 100) / 100);
}

function toSeconds(minutes: string): number | null {
  const seconds = Math.round(Number(minutes.replace(',', '.')) * 60);
  return minutes.trim() !== '' && seconds >= 1 && seconds <= LIMITS.durationSeconds ? seconds : null;
}
