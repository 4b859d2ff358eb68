import { type Clock, toIso } from '../core/clock.ts';
import { type HookInput, type HookSink, toEventType, toSessionEvents } from '../core/hooks.ts';
import type { Hooks } from '../core/outbox.ts';
import { BeckonError } from '../protocol/errors.ts';
import { HookHead } from '../protocol/hooks.ts';
import { parse } from '../protocol/parse.ts';

/** What a sink needs. */
export interface HookSinkOptions {
  hooks: Hooks;
  clock: Clock;
  newId: () => string;
  /** The backend that gets every hook; without one, hooks are only kept. */
  destination?: string | undefined;
}

/** Creates a sink that keeps hooks in a store, from which they are forwarded later. */
export function createHookSink({ hooks, clock, newId, destination }: HookSinkOptions): HookSink {
  return {
    receive: async (input) => {
      const { sessionId, commandId = sessionId, hook, at, id } = parse(HookHead, input, { what: 'hook' });
      const record = {
        id: id ?? newId(),
        sessionId,
        commandId,
        eventType: toEventType(hook),
        at: toIso(at === undefined ? clock.now() : Date.parse(at)),
        data: input.text ?? toText(input),
      };
      const events = toSessionEvents(record, hook);
      await hooks.keep({ hook: record, events, ...(destination !== undefined && { destination }) });
    },
  };
}

function toText({ hook }: HookInput): string {
  try {
    return JSON.stringify(hook);
  } catch (error) {
    throw new BeckonError('invalid_input', 'Invalid hook: it cannot be written as JSON.', { cause: error });
  }
}
