import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID_BYTES = 16;

/** A new id for an interaction. Ids that rise with time keep the indexes of the store fast; they are not secrets. */
export const newId = createNewId('int_');

/** A new id for a hook. */
export const newHookId = createNewId('hook_');

/** A new id for a destination. */
export const newDestinationId = createNewId('dst_');

/** A new id for a rule. */
export const newRuleId = createNewId('rule_');

/** Gets random bytes for 256 ids at once, because that is the slowest part of making an id. */
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
    // Within a millisecond, or after the clock was set back, it counts up; starting with 31 bits leaves room for that.
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
