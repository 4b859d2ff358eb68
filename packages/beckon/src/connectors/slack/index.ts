// Any name added here becomes public API.

export type { SlackOptions } from './settings.ts';
export { createSlackConnector } from './slack-connector.ts';
