// Any name added here becomes public API.
export { askPerson } from './ask-person.ts';
export { type Generated, type RunOptions, runWithPeople } from './run-with-people.ts';
