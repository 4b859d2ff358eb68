import { v7 as uuidv7 } from 'uuid';

/** A new id for an interaction. Ids that rise with time keep the indexes of the store fast; they are not secrets. */
export function newId(): string {
  return `int_${uuidv7()}`;
}
