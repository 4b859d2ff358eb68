// Any name added here becomes public API.
export { type Interruptible, type RunInput, type RunOptions, runWithPeople } from './run-with-people.ts';
