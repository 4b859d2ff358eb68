// Any name added here becomes public API. Everything behind it runs in browsers.
export type { AnswerOutcome, AnswerResult, Beckon, CancelTarget } from '../core/beckon.ts';
export { type ConnectBeckonOptions, connectBeckon } from './connect-beckon.ts';
