import type { Page } from '../protocol/list.ts';
import type { OutboxBackend, OutboxDetail, OutboxEntry, PauseReply } from '../protocol/outbox.ts';
import type { OutboxFilter, OutboxTarget } from './outbox.ts';

/**
 * What people do with the outbox, at a daemon or on its store. A backend that is not named is the one that is
 * configured.
 */
export interface OutboxControl {
  list(filter: OutboxFilter): Promise<Page<OutboxEntry>>;
  find(id: string): Promise<OutboxDetail | null>;
  backends(): Promise<OutboxBackend[]>;
  retry(target: OutboxTarget): Promise<number>;
  drop(target: OutboxTarget): Promise<number>;
  pause(input: { destination?: string | undefined; reason?: string | undefined }): Promise<PauseReply>;
  resume(input: { destination?: string | undefined }): Promise<PauseReply>;
}
