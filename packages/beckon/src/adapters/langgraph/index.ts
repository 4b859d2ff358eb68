// Any name added here becomes public API.
export { interruptForApproval, interruptForChoice } from './interrupts.ts';
export { type Graph, type GraphConfig, type RunOptions, runWithPeople } from './run-with-people.ts';
