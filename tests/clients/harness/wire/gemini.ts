import { type Said, type Step, sendEvents, sendJson, toText, type Wire } from './wire.ts';

interface Body {
  tools?: readonly object[];
  contents: readonly { role?: string; parts?: readonly Part[] }[];
  generationConfig?: { responseJsonSchema?: Schema; responseSchema?: Schema };
}

interface Part {
  text?: string;
  functionResponse?: { id?: string; name: string; response?: { output?: string; error?: string } };
}

interface Schema {
  properties?: Record<string, { type?: string; enum?: readonly string[] }>;
}

/** The API of Gemini, which Gemini CLI speaks. */
export const gemini: Wire = {
  path: /:(stream)?generateContent$/i,
  read: (body) => {
    const { contents, tools = [] } = body as Body;
    return { said: contents.flatMap(toSaid), hasTools: tools.length > 0 };
  },
  send: (response, { id, steps }, body, path) => {
    const { generationConfig: config } = body as Body;
    const schema = config?.responseJsonSchema ?? config?.responseSchema;
    const parts =
      schema === undefined
        ? steps.map((step, index) => toPart(step, `${id}_${index}`))
        : [{ text: JSON.stringify(toSample(schema)) }];
    const whole = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: 'fake',
    };
    if (path.includes('stream')) sendEvents(response, [{ data: whole }]);
    else sendJson(response, whole);
  },
};

function toSaid({ role, parts = [] }: Body['contents'][number]): Said[] {
  const results = parts.flatMap(({ functionResponse: result }): Said[] =>
    result === undefined
      ? []
      : [
          {
            role: 'tool',
            id: result.id ?? result.name,
            text: result.response?.output ?? result.response?.error ?? JSON.stringify(result.response),
            isError: result.response?.error !== undefined,
          },
        ],
  );
  if (role === 'model') return [{ role: 'assistant', text: toText(parts) }];
  const text = toText(parts).trim();
  return text === '' && results.length > 0 ? results : [...results, { role: 'user', text }];
}

function toPart(step: Step, id: string): object {
  return 'text' in step ? { text: step.text } : { functionCall: { id, name: step.tool, args: step.input } };
}

/** Something that fits a schema: the client chooses its model and checks its loops by such replies. */
function toSample({ properties = {} }: Schema): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = '', enum: choices }]) => [name, choices?.[0] ?? toValue(type)]),
  );
}

function toValue(type: string): unknown {
  const values: Record<string, unknown> = { boolean: false, integer: 1, number: 1, array: [] };
  return values[type.toLowerCase()] ?? 'side';
}
