// Any name added here becomes public API.

export type { TelegramOptions } from './settings.ts';
export { createTelegramConnector } from './telegram-connector.ts';
