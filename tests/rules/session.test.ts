import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type AskInput,
  type Beckon,
  type Interaction,
  type OpenedRules,
  openBeckon,
  openRules,
} from '../../packages/beckon/src/index.ts';

/** One approval of the recorded session, and what the person said to it. */
interface Recorded {
  tool: string;
  input: Record<string, string>;
  description?: string;
  context: NonNullable<Interaction['context']>;
  says: 'allow' | 'deny';
}

/** After how many decisions the person looks at the suggestions, and how many of those they take. */
const DECIDED_FIRST = 60;
const TAKEN = 3;

const RECORDED = readFileSync(new URL('session.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

let folder: string;
let beckon: Beckon;
let rules: OpenedRules;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-session-'));
  const store = `sqlite:${join(folder, 'beckon.db')}`;
  beckon = await openBeckon({ store });
  rules = await openRules({ store, who: 'ada' });
});

afterEach(async () => {
  await rules.close();
  await beckon.close();
  rmSync(folder, { recursive: true });
});

test('three suggested rules leave a person with a third of the decisions, and allow nothing that they denied', async () => {
  expect(RECORDED.length).toBeGreaterThanOrEqual(200);
  const first = RECORDED.slice(0, DECIDED_FIRST);
  const rest = RECORDED.slice(DECIDED_FIRST);
  for (const recorded of first) await decide(recorded, await ask(recorded));

  const suggestions = (await rules.suggestions()).slice(0, TAKEN);
  expect(suggestions.map(({ sentence }) => sentence)).toMatchInlineSnapshot(`
    [
      "Allow edits under \`src/\`, in webshop (/home/ada/webshop).",
      "Allow \`npm run lint\` with any arguments, in webshop (/home/ada/webshop).",
      "Allow \`npm test\` with any arguments, in webshop (/home/ada/webshop).",
    ]
  `);
  for (const { draft, preview } of suggestions) {
    expect(preview.contradictions).toEqual([]);
    await rules.add(draft);
  }

  const left: Recorded[] = [];
  for (const recorded of rest) {
    const asked = await ask(recorded);
    if (asked.status === 'pending') {
      left.push(recorded);
      await decide(recorded, asked);
      continue;
    }
    expect(asked.answeredBy?.kind).toBe('rule');
    expect(asked.answer, `a rule allowed ${JSON.stringify(recorded.input)}`).toEqual({ decision: recorded.says });
  }
  expect({ asked: rest.length, left: left.length }).toMatchInlineSnapshot(`
    {
      "asked": 147,
      "left": 54,
    }
  `);
});

async function ask({ tool, input, description, context }: Recorded): Promise<Interaction> {
  const { files, ...place } = context;
  const hashed = files?.map(({ path, isNew, isSeen }) => ({
    path,
    ...(isSeen === true && { sha256: isNew === true ? null : '0'.repeat(64) }),
  }));
  const request = { tool, input, ...(description !== undefined && { description }) };
  const asked: AskInput<'approval'> = {
    kind: 'approval',
    askedBy: 'laptop',
    sessionId: 'day',
    request,
    context: { ...place, ...(hashed !== undefined && { files: hashed }) },
  };
  return beckon.ask(asked);
}

async function decide({ says }: Recorded, { id }: Interaction): Promise<void> {
  await beckon.answer(id, { decision: says }, { who: 'ada', via: 'inbox' });
}
