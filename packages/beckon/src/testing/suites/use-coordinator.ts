import { expect } from 'vitest';
import { type CoordinatorOptions, InteractionCoordinator } from '../../coordinator/interaction-coordinator.ts';
import type { CoordinatorEvent } from '../../coordinator/results.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { MemoryConnector } from '../memory-connector.ts';
import { until } from './until.ts';
import { readEvents } from './use-beckons.ts';
import { useEach } from './use-each.ts';

/**
 * The Beckon of an agent and that of a person: the same, or two on one database. Over HTTP the person's token is called
 * `ada`.
 */
export interface CoordinatorWorld {
  agent: Beckon;
  person: Beckon;
  dispose(): Promise<void>;
}

/** Makes an empty world. */
export type CreateCoordinatorWorld = () => Promise<CoordinatorWorld>;

/** The chat in which the suites ask, and the person who answers. */
export const CHAT = 'chat-1';
export const ADA = { who: 'ada', via: 'telegram' };

/** What each test of a suite has. */
export interface TestedCoordinator {
  readonly world: CoordinatorWorld;
  /** Where the agent asks. */
  readonly coordinator: InteractionCoordinator;
  /** Where the person's answers come in; another process, in some worlds. */
  readonly person: InteractionCoordinator;
  readonly connector: MemoryConnector;
  readonly events: CoordinatorEvent[];
  readonly errors: unknown[];
  /** Waits for the interaction that is shown as number `count`, from 1. */
  asked(count?: number): Promise<Interaction>;
  /** One more coordinator of the agent. */
  create(options: Partial<CoordinatorOptions>): InteractionCoordinator;
  /** Reads the log of the agent's Beckon up to the first event of a type, and gives the types. */
  logUntil(type: LogEvent['type']): Promise<string[]>;
}

/** For each test around it a new world with a coordinator. */
export function useCoordinator(createWorld: CreateCoordinatorWorld): TestedCoordinator {
  const current = useEach<Omit<TestedCoordinator, 'asked' | 'create' | 'logUntil'>>(async (runTest) => {
    const world = await createWorld();
    const connector = new MemoryConnector();
    const events: CoordinatorEvent[] = [];
    const errors: unknown[] = [];
    const coordinator = createTolerant({
      beckon: world.agent,
      connector,
      events: (event) => events.push(event),
      onError: (error) => errors.push(error),
    });
    // What the person is told appears in the same place, whichever process says it.
    const person = world.person === world.agent ? coordinator : createTolerant({ beckon: world.person, connector });
    try {
      await runTest({ world, connector, events, errors, coordinator, person });
    } finally {
      await world.dispose();
    }
  });
  return {
    get world() {
      return current().world;
    },
    get coordinator() {
      return current().coordinator;
    },
    get person() {
      return current().person;
    },
    get connector() {
      return current().connector;
    },
    get events() {
      return current().events;
    },
    get errors() {
      return current().errors;
    },
    asked: (count = 1) =>
      until(() => {
        const interaction = current().connector.shown[count - 1];
        expect(interaction).toBeDefined();
        return interaction as Interaction;
      }),
    create: (options) => createTolerant({ beckon: current().world.agent, connector: current().connector, ...options }),
    logUntil: async (type) =>
      (await readEvents(current().world.agent, (event) => event.type === type)).map((event) => event.type),
  };
}

// A test that fails midway leaves calls alone, which end when its world closes. That is no second failure.
function createTolerant(options: CoordinatorOptions): InteractionCoordinator {
  return new Proxy(new InteractionCoordinator(options), {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...values: unknown[]): unknown => {
        const result: unknown = method.apply(target, values);
        if (result instanceof Promise) result.catch(() => undefined);
        return result;
      };
    },
  });
}
