import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID_BYTES = 16;

/** A new id for an interaction. Ids that rise with time keep the indexes of the store fast; they are not secrets. */
export const newId = createNewId('int_');

/** A new id for a hook. */
export const newHookId = createNewId('hook_');

/** Asks for random bytes once for 256 ids: that takes longer than everything else about an id. */
function createNewId(prefix: string): () => string {
  const pool = new Uint8Array(256 * ID_BYTES);
  const view = new DataView(pool.buffer);
  let used = pool.length;
  let msecs = 0;
  let seq = 0;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const now = Date.now();
    // Within a millisecond, or when the clock is set back, it counts on; the 31 bits it starts with leave room for that.
    if (now > msecs) {
      msecs = now;
      seq = view.getUint32(used) >>> 1;
    } else {
      seq += 1;
    }
    const random = pool.subarray(used, used + ID_BYTES);
    used += ID_BYTES;
    return `${prefix}${uuidv7({ random, msecs, seq })}`;
  };
}
