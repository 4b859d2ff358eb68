import type { Beckon } from '../core/beckon.ts';
import { type AskInput, SAMPLES_ASKED_BY } from '../protocol/interaction.ts';

const PLAN = `# Add dark mode

1. Put the colors of the page into one file of variables.
2. Add a second set of them for \`prefers-color-scheme: dark\`.
3. Check the contrast of every text, and repair what is below 4.5 : 1.

| file | change |
|---|---|
| \`src/theme.css\` | new |
| \`src/app.css\` | uses the variables |

It changes **no** behavior, and one revert takes it back.`;

/** What all samples share. Fixed keys keep a restart from asking twice; a sample whose text changes needs a new one. */
const SHARED = {
  chatId: 'samples',
  sessionId: 'samples',
  timeout: null,
  askedBy: SAMPLES_ASKED_BY,
} as const;

const SAMPLES: readonly AskInput[] = [
  {
    ...SHARED,
    idempotencyKey: 'beckon-sample-approval',
    kind: 'approval',
    request: {
      tool: 'Bash',
      input: { command: 'rm -rf build && npm run build', description: 'Build from scratch' },
      description: 'Claude wants to run a command.',
    },
  },
  {
    ...SHARED,
    idempotencyKey: 'beckon-sample-plan-2',
    kind: 'plan_review',
    request: { plan: PLAN, toolInput: { plan: PLAN } },
  },
  {
    ...SHARED,
    idempotencyKey: 'beckon-sample-question',
    kind: 'question',
    request: {
      header: 'Database',
      question: 'Which database should the new service use?',
      options: [
        { label: 'SQLite', description: 'One file, nothing to run. Enough for one machine.' },
        {
          label: 'Postgres',
          description: 'Several machines, more to look after.',
          preview: 'DATABASE_URL=postgres://db/orders',
        },
        { label: 'Decide later', description: 'Keep it behind an interface for now.' },
      ],
    },
  },
];

/** Asks questions that a newcomer can practice on. They leave agents and their questions alone. */
export async function askSamples(beckon: Pick<Beckon, 'ask'>): Promise<void> {
  for (const sample of SAMPLES) await beckon.ask(sample);
}
