// The third of the original designs: a coordinator with its pending questions in a map, in the agents' process.
import { PromiseMap } from '../../coordinator/promise-map.ts';
import { ANSWER, REQUEST } from '../../core/workload.ts';
import { serveTurns } from './turns.ts';

const map = new PromiseMap();

serveTurns({
  async roundTrip() {
    // The person answers in a later turn of the event loop, as everybody does who is outside.
    await map.handleQuestion(REQUEST.question, (id) => setImmediate(() => map.resolveOption(id, ANSWER.text)));
  },
});
