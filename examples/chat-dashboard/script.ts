// What the agent and the model say in each round. A script replaces both, so the example needs no key.
import { setTimeout as sleep } from 'node:timers/promises';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

interface Step {
  /** What the agent was asked. */
  when: string;
  says: string;
  /** What the model makes of it. */
  shows: object[];
}

const SCRIPT: readonly Step[] = [
  {
    when: 'Show sales dashboard',
    says: 'Sales in the third quarter were $2.4M, up 15 % on the quarter before.',
    shows: [
      [
        {
          type: 'card',
          key: 'revenue',
          title: 'Revenue',
          content: '$2.4M',
          actions: ['Deep Dive'],
          metadata: 'Third quarter',
        },
        { type: 'card', title: 'Growth', content: '+15 %', metadata: 'On the second quarter' },
      ],
      {
        type: 'chart',
        title: 'Revenue by quarter',
        kind: 'bar',
        unit: '$',
        labels: ['Q4', 'Q1', 'Q2', 'Q3'],
        series: [{ name: 'Revenue', values: [1_900_000, 2_000_000, 2_100_000, 2_400_000] }],
      },
    ],
  },
  {
    when: 'Deep Dive',
    says: 'North America leads with $1.2M. Europe grew most.',
    shows: [
      {
        type: 'table',
        key: 'regions',
        title: 'Regions',
        selectable: true,
        attributes: [
          { key: 'revenue', label: 'Revenue ($M)' },
          { key: 'growth', label: 'Growth' },
        ],
        items: [
          { id: 'na', name: 'North America', attributes: { revenue: 1.2, growth: '+9 %' } },
          { id: 'eu', name: 'Europe', attributes: { revenue: 0.8, growth: '+24 %' } },
        ],
      },
    ],
  },
  {
    when: 'Europe',
    says: 'In Europe, Germany and France made the difference.',
    shows: [
      { type: 'markdown', content: '**Germany** and **France** made the difference.' },
      {
        type: 'chart',
        title: 'Europe by country',
        kind: 'pie',
        unit: '$',
        labels: ['Germany', 'France', 'Others'],
        series: [{ values: [420_000, 250_000, 130_000] }],
      },
      { type: 'suggestions', key: 'next', suggestions: ['That is all'] },
    ],
  },
];

/** The agent: it streams what the script says, word by word, and nothing if the script has nothing. */
export async function* agent(query: string): AsyncGenerator<string> {
  const step = SCRIPT.find(({ when }) => query.includes(when));
  for (const word of step?.says.match(/\S+\s*/g) ?? []) {
    await sleep(25);
    yield word;
  }
}

/** The model that shapes what the agent said into components, a few characters at a time. */
export function createModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      const asked = JSON.stringify(prompt);
      const step = SCRIPT.find(({ says }) => asked.includes(says));
      const text = JSON.stringify({ components: step?.shows ?? [] });
      return {
        stream: simulateReadableStream({
          initialDelayInMs: null,
          chunkDelayInMs: 30,
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            ...(text.match(/[\s\S]{1,30}/g) ?? []).map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: USAGE },
          ],
        }),
      };
    },
  });
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
