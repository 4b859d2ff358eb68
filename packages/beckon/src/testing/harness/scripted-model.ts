import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that says these texts in turn, a few characters at a time; an error is thrown instead of said. */
export function scriptedModel(...script: readonly (string | object | Error)[]): MockLanguageModelV4 {
  let turn = 0;
  return new MockLanguageModelV4({
    doStream: async () => {
      const said = script[Math.min(turn, script.length - 1)];
      turn += 1;
      if (said instanceof Error) throw said;
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      return {
        stream: simulateReadableStream({
          initialDelayInMs: null,
          chunkDelayInMs: null,
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            ...(text.match(/[\s\S]{1,40}/g) ?? []).map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: USAGE },
          ],
        }),
      };
    },
  });
}

/** What the model was told, as one text. */
export function promptOf(model: MockLanguageModelV4, call = 0): string {
  return JSON.stringify(model.doStreamCalls[call]?.prompt ?? '');
}
