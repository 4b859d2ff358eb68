/** Time limits of the server, in milliseconds. */
export interface Times {
  /** To send a whole request, not counting waits for an outcome. It may be noticed a thirtieth late. */
  requestMs: number;
  /** Between two heartbeats of an event stream or a WebSocket. Each checks the token again. */
  heartbeatMs: number;
  /** A reader that reads nothing for this long is cut off. */
  slowReaderMs: number;
  /** How long the first wrong token of an address is held; each further one twice as long, up to the longest. */
  firstRefusalMs: number;
  longestRefusalMs: number;
  /** How long a WebSocket may take to close when the server stops. */
  goodbyeMs: number;
}

export const DEFAULT_TIMES: Times = {
  requestMs: 30_000,
  heartbeatMs: 15_000,
  slowReaderMs: 20_000,
  firstRefusalMs: 50,
  longestRefusalMs: 2000,
  goodbyeMs: 1000,
};
