// `beckon-http.ts URL TOKEN`: the documented routes of a Beckon elsewhere, with two bare keep-alive connections for
// each agent: one asks and waits, the other answers.
import { ANSWER, REQUEST } from '../../core/workload.ts';
import { Connection } from '../../http/connection.ts';
import { openLanes } from './lanes.ts';
import { serveTurns } from './turns.ts';

const ASK = JSON.stringify({ kind: 'question', request: REQUEST });
const ANSWERED = JSON.stringify({ answer: ANSWER });
const [, , url = '', token = ''] = process.argv;
const lanes = openLanes(() => Connection.open(url));

serveTurns({
  prepare: lanes.prepare,
  async roundTrip(lane) {
    const { agent, person } = lanes.get(lane);
    const asked = await agent.send({ method: 'POST', path: '/v1/interactions', token, body: ASK });
    const path = `/v1/interactions/${(JSON.parse(asked) as { id: string }).id}`;
    const waiting = agent.send({ method: 'GET', path: `${path}?wait=60`, token });
    const answering = person.send({ method: 'POST', path: `${path}/answer`, token, body: ANSWERED });
    const [settled] = await Promise.all([waiting, answering]);
    if (!settled.includes('"status":"answered"')) throw new Error(`Expected an answer, got ${settled}`);
  },
});
