import fc from 'fast-check';

/** Texts that have broken programs before. */
export const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    '%00',
    "'; drop table log; --",
  ),
  fc.constantFrom('yes', 'no', 'allow', 'adjust', 'question', 'int_1', 'default', 'team', '5m', '1e999'),
);

const oddNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1, -1, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, 4_294_967_296),
);

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) },
);

/** Usually what belongs there, sometimes anything. */
function mostly<T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: right as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: oddValue });
}

function record(fields: Record<string, fc.Arbitrary<unknown>>, required: readonly string[] = []): fc.Arbitrary<object> {
  const known = fc.record(fields, { requiredKeys: [...required] });
  const more = fc.dictionary(oddText, oddValue, { maxKeys: 2 });
  return fc
    .tuple(known, fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: more }))
    .map(([one, other]) => ({ ...one, ...other }));
}

const text = mostly(fc.string({ minLength: 1, maxLength: 30 }));
const json = mostly(fc.dictionary(fc.string({ maxLength: 8 }), oddValue, { maxKeys: 4 }));

const KEYWORDS = (
  '$ref $id $schema $defs $anchor $dynamicRef $dynamicAnchor $recursiveRef $async $data $vocabulary $comment type properties items ' +
  'prefixItems contains pattern format enum const allOf anyOf oneOf not if then else minimum maximum multipleOf minLength maxLength ' +
  'minItems uniqueItems required patternProperties additionalProperties propertyNames dependentSchemas dependentRequired ' +
  'unevaluatedProperties unevaluatedItems nullable discriminator default definitions maxProperties name'
).split(' ');

const schema: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value') as fc.Arbitrary<unknown>, { maxKeys: 4 }),
    fc.boolean(),
  ),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'object',
      'string',
      'number',
      '#',
      '#/properties/name',
      '#/$defs/name',
      'x',
      '(a+)+$',
      '[',
      'email',
      'uri',
      'date',
    ),
    fc.constantFrom<unknown>(
      0,
      1,
      -1,
      1.5,
      true,
      null,
      ['name'],
      [],
      {},
      'https://json-schema.org/draft/2020-12/schema',
    ),
    oddValue,
    fc.array(tie('schema') as fc.Arbitrary<unknown>, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('name', 'a', '^a', '$ref'), tie('schema') as fc.Arbitrary<unknown>, { maxKeys: 3 }),
    tie('schema') as fc.Arbitrary<unknown>,
  ),
})).schema;

const option = record({ label: text, description: text, preview: text }, ['label']);
const REQUESTS = {
  question: record(
    {
      question: text,
      header: text,
      options: mostly(fc.array(option, { maxLength: 4 })),
      multiSelect: mostly(fc.boolean()),
    },
    ['question'],
  ),
  plan_review: record({ plan: text, toolInput: json }, ['plan']),
  approval: record(
    { tool: text, input: json, description: text, suggestions: mostly(fc.array(json, { maxLength: 3 })) },
    ['tool'],
  ),
  form: record({ message: text, schema: mostly(schema) }, ['message', 'schema']),
  component: record({ components: oddValue }, ['components']),
};

const id = mostly(fc.stringMatching(/^[\w.:@+=~-]{1,20}$/));
const ask = fc
  .tuple(
    mostly(fc.constantFrom(...Object.keys(REQUESTS))),
    record({
      id,
      chatId: mostly(fc.constantFrom('default', 'team', 'a', 'b')),
      sessionId: id,
      groupId: id,
      idempotencyKey: mostly(fc.stringMatching(/^k\d{1,3}$/)),
      timeout: mostly(fc.constantFrom<unknown>(null, 300, '5m', 0.001, '1ms', '10d')),
      metadata: json,
      context: mostly(
        record({
          project: text,
          branch: text,
          message: text,
          calls: fc.array(oddValue, { maxLength: 3 }),
          files: oddValue,
        }),
      ),
    }),
    fc.integer({ min: 0, max: 30 }),
  )
  .chain(([kind, fields, odd]) => {
    const request =
      odd > 2 && typeof kind === 'string' && Object.hasOwn(REQUESTS, kind) ? REQUESTS[kind as 'form'] : oddValue;
    return request.map((value) => ({ ...fields, kind, request: value }));
  });

const answer = record(
  {
    answer: mostly(
      fc.oneof(
        record({ text, selected: mostly(fc.array(fc.constantFrom('yes', 'no'), { maxLength: 2 })), notes: text }),
        record({
          decision: mostly(fc.constantFrom('edit', 'clean_edit', 'adjust', 'allow', 'deny', 'yes')),
          feedback: text,
          editedPlan: text,
        }),
        record({
          decision: mostly(fc.constantFrom('allow', 'deny')),
          message: text,
          updatedInput: json,
          remember: mostly(fc.boolean()),
        }),
        record({ values: json }),
        record({ action: text, data: oddValue, component: text }),
      ),
    ),
    via: text,
  },
  ['answer'],
);
const entry = record({ id, answer: fc.oneof(record({ text }), record({ decision: text })) }, ['id', 'answer']);
const answers = record({ answers: mostly(fc.array(entry, { maxLength: 3 })), via: text }, ['answers']);
const many = record({ ids: mostly(fc.array(id, { maxLength: 3 })), answer: record({ decision: text }), via: text }, [
  'ids',
  'answer',
]);
const group = record({ asks: mostly(fc.array(ask, { maxLength: 3 })) }, ['asks']);
const say = record({ text: mostly(fc.constantFrom('yes', 'no', 'hello', '')), via: text }, ['text']);
const reason = record({ reason: text });
const title = record({ title: text }, ['title']);
const snooze = record({ until: mostly(fc.constantFrom<unknown>('1h', 60, '2100-01-01', '2020-01-01', '9d')) }, [
  'until',
]);

const word = mostly(fc.constantFrom<unknown>('npm', 'git', 'test', 'push', ['a', 'b'], '--', '', '*', '/tmp'));
const ruleMatch = fc.oneof(
  record({
    commands: mostly(
      fc.array(
        record({ words: mostly(fc.array(word, { maxLength: 4 })), rest: mostly(fc.constantFrom('none', 'any')) }),
        { maxLength: 3 },
      ),
    ),
  }),
  record({ path: mostly(fc.constantFrom('src/**', '**', '*'.repeat(200), '/etc/*', '../x', '[', '{a,b}')) }),
  record({ domain: mostly(fc.constantFrom('example.com', '*.example.com', '*', 'a@b', '::1', 'xn--')) }),
  record({ input: json }),
);
const examples = record({ match: fc.array(text, { maxLength: 3 }), notMatch: fc.array(text, { maxLength: 3 }) });
const ruleFields = {
  effect: mostly(fc.constantFrom('allow', 'ask', 'deny')),
  tool: mostly(fc.constantFrom('Bash', 'Edit', 'Read', 'WebFetch', '*', 'mcp__a__b', 'mcp__a__*', 'deploy')),
  match: mostly(ruleMatch),
  scope: mostly(
    record({
      project: text,
      folder: mostly(fc.constantFrom('/', '/home/ada', 'C:\\x')),
      sessionId: id,
      chatId: mostly(fc.constantFrom('default', 'team')),
      askedBy: mostly(fc.constantFrom('builder', 'reviewer')),
    }),
  ),
  mode: mostly(fc.constantFrom('on', 'watch')),
  examples: mostly(examples),
  reason: text,
  until: mostly(fc.constantFrom<unknown>('30m', 60, '2100-01-01T00:00:00Z', '2020-01-01', '0s')),
};
const rule = record(ruleFields, ['effect', 'tool']);
const confirm = mostly(fc.boolean());
const newRule = record({ rule: mostly(rule), confirm }, ['rule']);
const changedRule = record({ change: mostly(record(ruleFields)), confirm }, ['change']);
const ruleTest = record(
  {
    sample: mostly(
      record(
        { request: record({ tool: ruleFields.tool, input: json }, ['tool', 'input']), chatId: id, askedBy: text },
        ['request'],
      ),
    ),
    rule: mostly(rule),
  },
  ['sample'],
);
const dismissed = record({ key: text }, ['key']);

/** Valid-looking bodies by the end of the path. */
function bodyFor(path: string): fc.Arbitrary<unknown> {
  if (path.startsWith('/v1/groups/')) return answers;
  if (path.endsWith('/answer')) return answer;
  if (path.endsWith('/answers')) return many;
  if (path.endsWith('/groups')) return group;
  if (path.endsWith('/say')) return say;
  if (path.endsWith('/snooze')) return snooze;
  if (path === '/v1/sessions/{id}') return title;
  if (path === '/v1/rules') return newRule;
  if (path === '/v1/rules/{id}') return changedRule;
  if (path === '/v1/rules/preview') return record({ rule: mostly(rule) }, ['rule']);
  if (path === '/v1/rules/test') return ruleTest;
  if (path === '/v1/rules/suggestions/dismiss') return dismissed;
  if (path.endsWith('/cancel') || path.endsWith('/supersede')) return reason;
  return ask;
}

const nested = fc
  .tuple(fc.integer({ min: 1, max: 50_000 }), fc.constantFrom(['[', ']'], ['{"a":', '}']), fc.boolean())
  .map(([depth, [open = '', close = '']]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

/** Bodies for a path: mostly what belongs there, often broken. */
export function payloadFor(path: string): fc.Arbitrary<string | Buffer | undefined> {
  const written = bodyFor(path).map((value) => JSON.stringify(value));
  return fc.oneof<fc.WeightedArbitrary<string | Buffer | undefined>[]>(
    { weight: 30, arbitrary: written },
    { weight: 5, arbitrary: oddValue.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: fc.tuple(written, fc.nat(200)).map(([body, cut]) => body.slice(0, cut)) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(written, fc.nat(200), oddText)
        .map(([body, at, odd]) => body.slice(0, at) + odd + body.slice(at)),
    },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: written.map((body) => Buffer.from(body, 'utf16le')) },
    { weight: 1, arbitrary: written.map((body) => Buffer.from(`\uFEFF${body}`)) },
    { weight: 1, arbitrary: nested },
    {
      weight: 1,
      arbitrary: nested.map((deep) => `{"kind":"component","request":{"components":${deep}},"metadata":{"a":${deep}}}`),
    },
    {
      weight: 1,
      arbitrary: nested.map((deep) => `{"answer":{"values":${deep},"data":${deep},"action":"a"},"text":${deep}}`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{"__proto__":{}}',
        '{"answer":{"__proto__":1}}',
        '{"kind":"form","constructor":{"prototype":{}}}',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', ' ', 'null', '""', '0', '{}', '[]') },
  );
}

/** Bodies around the limits of size. */
export const huge = fc
  .tuple(
    fc.constantFrom(60_000, 65_537, 1_048_000, 1_048_577, 3_000_000),
    fc.constantFrom('a', '"', '\u0001', '€', '😀'),
  )
  .map(([length, letter]) =>
    JSON.stringify({ kind: 'plan_review', request: { plan: letter.repeat(length / letter.length) } }),
  );
