// `beckon.ts STORE`: Beckon in the agents' process. `beckon.ts URL TOKEN [http]`: a Beckon elsewhere, through
// connectBeckon, over one connection or over HTTP.
import { connectBeckon, openBeckon } from '../../../packages/beckon/src/index.ts';
import { ANSWER, ANSWERER, REQUEST } from '../../core/workload.ts';
import { serveTurns } from './turns.ts';

const [, , place = '', token, transport] = process.argv;
const beckon =
  token === undefined
    ? await openBeckon({ store: place, onError: fail })
    : connectBeckon(place, { token, transport: transport === 'http' ? 'http' : 'auto' });

serveTurns({
  async roundTrip(lane) {
    const { id } = await beckon.ask({
      kind: 'question',
      chatId: `chat_${lane}`,
      sessionId: `session_${lane}`,
      request: REQUEST,
    });
    const waiting = beckon.wait(id);
    await beckon.answer(id, ANSWER, ANSWERER);
    if ((await waiting).status !== 'answered') throw new Error(`Expected ${id} to be answered`);
  },
});

// A failure in the background would make the figures mean something else.
function fail(error: unknown): never {
  throw error;
}
