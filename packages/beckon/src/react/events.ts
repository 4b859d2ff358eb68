import type { ComponentAnswer } from '../protocol/answers.ts';

/**
 * What a person did, as sent to the agent: `click`, `select`, `submit` or `change`, the data, and the component's
 * type.
 */
export type CallbackEvent = ComponentAnswer;

/** Gets what the person does. */
export type OnCallback = (event: CallbackEvent) => void;

/** What a component reports. Its type is added, and its `key` as `id` if the data has no `id`. */
export interface PartEvent {
  action: string;
  data: Readonly<Record<string, unknown>>;
}

/** What every component gets beside its props. Without `onCallback`, controls that send must be disabled. */
export interface PartProps {
  onCallback?: ((event: PartEvent) => void) | undefined;
}
