// Any name added here becomes public API.
export type { Clock } from '../../core/clock.ts';
export type { Connector, Inbound } from '../../core/connector.ts';
export type { Store } from '../../core/store.ts';
export { testBeckon } from './beckon.testsuite.ts';
export { type ConnectorContext, type TestedConnector, testConnector } from './connector.testsuite.ts';
export { testCoordinator } from './coordinator.testsuite.ts';
export { testStore } from './store.testsuite.ts';
export type { BeckonDatabase, CreateBeckonDatabase } from './use-beckons.ts';
export type { CoordinatorWorld, CreateCoordinatorWorld } from './use-coordinator.ts';
export type { CreateStoreDatabase, StoreDatabase } from './use-stores.ts';
