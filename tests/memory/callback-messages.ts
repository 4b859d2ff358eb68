/** What the child of the callbacks' memory test says. */
export type Told =
  | { type: 'done'; before: number; after: number; timers: number; resources: string[] }
  | { type: 'idle'; resources: string[]; sockets: number };
