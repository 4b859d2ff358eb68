import type { AnswerResult, Beckon } from '../core/beckon.ts';
import { listAll } from '../core/list-all.ts';
import { toAlikeKey } from '../presentation/alike-key.ts';
import { describeRisk } from '../presentation/describe-risk.ts';
import { toHeadline } from '../presentation/headline.ts';
import { RISK_SIGNS } from '../presentation/names.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { isDangerous } from '../risk/is-dangerous.ts';
import { EXIT } from './exit-codes.ts';
import { note, print, printJson } from './output.ts';
import { toWho } from './who.ts';

/** One decision about everything like a request. */
export interface AlikeAnswer {
  like: string;
  answer: AnswerInput;
  /** Whether it is sent without asking. */
  isSure: boolean;
  isJson: boolean;
}

const LINE_CHARS = 120;

/**
 * Answers everything pending that is like a request, in one commit. What is decided is listed first and fixed then:
 * requests that come later are not in it. What is dangerous is not allowed together with others: it is left out, and
 * named.
 */
export async function answerAlike(beckon: Beckon, { like, answer, isSure, isJson }: AlikeAnswer): Promise<void> {
  const isAllow = 'decision' in answer && answer.decision === 'allow';
  const alike = await findAlike(beckon, like);
  const dangerous = isAllow ? alike.filter(isDangerous) : [];
  const others = alike.filter((interaction) => !dangerous.includes(interaction));
  const chosen = others.slice(0, LIMITS.pageItems);
  const leftOut = dangerous.map(({ id }) => id);
  for (const one of dangerous) {
    note(
      `left out: ${one.id} ${toHeadline(one, LINE_CHARS)}. ${RISK_SIGNS.dangerous} ${describeRisk(assessRisk(one))}.`,
    );
  }
  if (dangerous.length > 0) note('What is dangerous is allowed one by one: beckon answer ID --allow');
  if (chosen.length < others.length) {
    note(
      `${others.length} are alike, and ${chosen.length} can be answered at once: the oldest. Run it again for more.`,
    );
  }
  if (chosen.length === 0) {
    if (isJson) printJson({ results: [], leftOut });
    note('Nothing was answered.');
    process.exitCode = EXIT.failed;
    return;
  }
  if (!isSure && !(await isMeant(chosen, isAllow))) {
    note('Nothing was sent, so all of them are still pending.');
    process.exitCode = EXIT.failed;
    return;
  }
  const results = await beckon.answerMany(
    chosen.map(({ id }) => id),
    answer,
    { who: toWho(), via: 'cli' },
  );
  report(chosen, results, leftOut, isJson);
}

/** Everything pending that is like a request, the oldest first. */
async function findAlike(beckon: Beckon, id: string): Promise<Interaction[]> {
  const interaction = await beckon.get(id);
  if (interaction === null) {
    throw new BeckonError('interaction_not_found', `No request with id ${JSON.stringify(id)}. See: beckon list`);
  }
  const key = toAlikeKey(interaction);
  if (key === null) {
    throw new BeckonError(
      'invalid_input',
      `Only approvals can be answered together, and ${id} is not one. Answer it with: beckon answer ${id}`,
    );
  }
  const alike: Interaction[] = [];
  for await (const page of listAll((filter) => beckon.list(filter), { status: 'pending', kind: 'approval' })) {
    alike.push(...page.filter((one) => toAlikeKey(one) === key));
  }
  return alike.toReversed();
}

async function isMeant(chosen: readonly Interaction[], isAllow: boolean): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const count = chosen.length === 1 ? 'this request' : `these ${chosen.length} requests`;
    const listed = chosen.map((one) => `  ${one.id}  ${toHeadline(one, LINE_CHARS)}`).join('\n');
    throw new BeckonError('invalid_input', `To answer ${count}, add --yes:\n${listed}`);
  }
  const { confirmAlike } = await import('./prompt.ts');
  return confirmAlike(chosen, isAllow);
}

function report(
  chosen: readonly Interaction[],
  results: readonly AnswerResult[],
  leftOut: readonly string[],
  isJson: boolean,
): void {
  const all = chosen.map(({ id }, index) => ({ id, ...results[index] }));
  if (isJson) printJson({ results: all, leftOut });
  else {
    for (const [index, one] of chosen.entries()) {
      print(`${one.id}  ${(results[index]?.result ?? 'unknown').padEnd(8)}  ${toHeadline(one, LINE_CHARS)}`);
    }
  }
  const isAll = results.every(({ result }) => result === 'accepted' || result === 'repeated');
  process.exitCode = isAll ? EXIT.answered : EXIT.failed;
}
