import type { ComponentAnswer } from '../protocol/answers.ts';

/** What a person did, as it is sent to the agent: `click`, `select`, `submit` or `change`, its data, and the type of the component. */
export type CallbackEvent = ComponentAnswer;

/** Hears what the person does. */
export type OnCallback = (event: CallbackEvent) => void;

/** What a component reports. The type of the component is added, and its `key` as `id` where the data has no `id` of its own. */
export interface PartEvent {
  action: string;
  data: Readonly<Record<string, unknown>>;
}

/** What every component gets beside its props. Without `onCallback` nobody listens: what sends something is to be disabled. */
export interface PartProps {
  onCallback?: ((event: PartEvent) => void) | undefined;
}
