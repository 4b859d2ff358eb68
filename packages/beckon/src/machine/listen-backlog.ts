/**
 * Connections that may wait to be accepted, as many as Linux allows by default. The system drops one that comes while
 * the queue is full, and its client tries again only after a second. Node's own default is 511.
 */
export const LISTEN_BACKLOG = 4096;
