/** Something that a connection to the log brought. */
export interface LogMessage {
  /** The number of the event, or where the stream is; `undefined` if only the event says so. */
  seq: number | undefined;
  /** Whether there is an event, whatever it is. */
  isEvent: boolean;
  /** The event, not checked yet. */
  json: unknown;
}

/** One connection to the log, whichever way it takes. */
export interface LogConnection {
  /** Waits for more; an empty array is a sign of life. Throws `PassingFailure` when the connection breaks or ends. */
  read(): Promise<LogMessage[]>;
  close(): void;
}
