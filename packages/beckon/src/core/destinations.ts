import type { DestinationChange, DestinationDraft, PersonalDestination } from '../protocol/destination.ts';
import type {
  AddedDestination,
  Delivery,
  ReplayTarget,
  SecretReply,
  TestReply,
} from '../protocol/destinations-http.ts';

/**
 * Where somebody is told, for one caller: their own destinations; for an admin, everybody's. Webhooks need an admin.
 * What a caller may not see is `destination_not_found`.
 */
export interface Destinations {
  /** In the order in which they were added. */
  list(): Promise<PersonalDestination[]>;
  /**
   * Adds one. It counts once it is proven. Throws `destination_unsupported` for a kind that this Beckon cannot send,
   * and `address_refused` for an address inside the network.
   */
  add(draft: DestinationDraft): Promise<AddedDestination>;
  /** Turning it on also ends a pause. */
  edit(id: string, change: DestinationChange): Promise<PersonalDestination>;
  /** `false`: there is none. */
  remove(id: string): Promise<boolean>;
  /**
   * Sends a code to one that is not proven, else a test, right now, and says what became of it. A webhook that takes it
   * is proven; one that no longer exists is removed. Throws `too_many_requests`.
   */
  test(id: string): Promise<TestReply>;
  /** Throws `invalid_input` for a wrong code, or one that is too old. */
  prove(id: string, code: string): Promise<PersonalDestination>;
  /** Gives a webhook another secret. The old one signs as well for a day. */
  rotateSecret(id: string): Promise<SecretReply>;
  /** What waits, what is dead, and what was sent last, the newest first. */
  deliveries(id: string, page?: { before?: number | undefined; limit?: number | undefined }): Promise<Delivery[]>;
  replay(id: string, target: ReplayTarget): Promise<number>;
  /** The key that browsers subscribe with. */
  pushKey(): Promise<string>;
  /** Notes that the caller's page is in sight, for a moment, or no longer. */
  see(inSight: boolean): Promise<void>;
}
