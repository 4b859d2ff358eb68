/** How long the server has patience, in milliseconds. */
export interface Times {
  /** To send a whole request; waiting for an outcome does not count. It may take a thirtieth longer until this is noticed. */
  requestMs: number;
  /** Between two signs of life on an event stream or a WebSocket. The token is checked again then. */
  heartbeatMs: number;
  /** A reader that takes nothing for so long is cut off. */
  slowReaderMs: number;
  /** How long the first wrong token of an address is held; each further one twice as long, up to the longest. */
  firstRefusalMs: number;
  longestRefusalMs: number;
  /** How long a WebSocket may take to say goodbye when the server stops. */
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
