export { createLinesConnector, type LineResult, type LinesConnector } from './lines-connector.ts';
export { createTerminalConnector, type TerminalConnector } from './terminal-connector.ts';
