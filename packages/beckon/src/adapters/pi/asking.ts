import type { AskInput, Kind } from '../../protocol/interaction.ts';
import type { OutsideWait } from '../shared/ask-outside.ts';

/** How long people have. A process that died would leave requests behind. */
export const TIMEOUT = '23h';

/** Asks in Beckon. What is open ends with pi. */
export type AskHere = <K extends Kind>(input: AskInput<K>) => OutsideWait<K>;
