// Any name added here becomes public API.
export type { Clock } from '../core/clock.ts';
export { FakeClock } from './fake-clock.ts';
export { MemoryConnector, type MemoryConnectorOptions } from './memory-connector.ts';
export { type Person, type PersonOptions, type ScriptLine, startPerson } from './person.ts';
