import type { ContextInput } from '../../packages/beckon/src/protocol/context.ts';
import type { AskInput } from '../../packages/beckon/src/protocol/interaction.ts';
import type { JsonObject } from '../../packages/beckon/src/protocol/json.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

/** One attempt against the page: what it is called, and what a hostile agent would ask. */
export type HostileAsk = { name: string } & Pick<AskInput, 'kind' | 'request' | 'context'>;

const LIMIT = 65_000;
const MOST_BYTES = 1_000_000;
const RUN = 'window.__pwned=1';

/** Everything that a hostile agent may try. Each text stands in a plan, and in turn wherever else an agent writes. */
export function createCorpus(): HostileAsk[] {
  const texts = Object.entries(HOSTILE_TEXTS);
  return [
    ...texts.map(([name, text]): HostileAsk => ({ name: `${name}, in a plan`, ...inPlan(text) })),
    ...texts.map(([name, text], index): HostileAsk => {
      const place = PLACES[index % PLACES.length] ?? inQuestion;
      const context = toContext(text.toWellFormed());
      return { name: `${name}, elsewhere and around`, ...fit(place, text.slice(0, LIMIT)), context };
    }),
    ...OTHERS,
  ];
}

type Ask = Pick<HostileAsk, 'kind' | 'request'>;

/** The text wherever a context has text, as much of it as is kept. */
function toContext(text: string): ContextInput {
  const name = text.slice(0, 300).toWellFormed() || 'a';
  const some = text.slice(0, 4_000).toWellFormed();
  return {
    project: name,
    folder: name,
    branch: name,
    machine: name,
    agent: name,
    title: name,
    prompt: some,
    message: some,
    calls: [{ tool: name, about: some, outcome: 'denied', ms: 1e15 }, { tool: `mcp__${name.slice(0, 100)}__a` }],
    conversation: [
      { by: 'person', text: some, at: some },
      { by: 'agent', text: some },
      { by: 'tool', text: some, at: '9999-12-31T00:00:00Z' },
    ],
    files: [
      { path: FILE_PATH, sha256: 'a'.repeat(64), lines: text.split('\n').length, before: [{ line: 1, text: some }] },
      { path: name, target: name, why: some },
    ],
  };
}

const FILE_PATH = '/app/a.ts';

/** A place that repeats its text gets as much of it as a request may have. */
function fit(place: (text: string) => Ask, text: string): Ask {
  const ask = place(text);
  const isTooLarge = Buffer.byteLength(JSON.stringify(ask)) > MOST_BYTES;
  return isTooLarge ? fit(place, text.slice(0, text.length / 2)) : ask;
}

function inPlan(plan: string): Ask {
  return { kind: 'plan_review', request: { plan, toolInput: {} } };
}

function inQuestion(text: string): Ask {
  const options = [{ label: text, description: text, preview: text }, { label: 'No' }];
  return { kind: 'question', request: { question: text, header: text, options } };
}

function inCommand(text: string): Ask {
  return {
    kind: 'approval',
    request: { tool: 'Bash', description: text, input: { command: text, description: text } },
  };
}

function inFile(text: string): Ask {
  const edits = [{ old_string: text, new_string: `${text}!`, replace_all: true }];
  return { kind: 'approval', request: { tool: 'MultiEdit', input: { file_path: text.slice(0, 500), edits } } };
}

/** Over a file that holds the text already: it stands on both sides of the diff. */
function inOverwritten(text: string): Ask {
  const input = { file_path: FILE_PATH, content: `${text.slice(0, 4_000).toWellFormed()}\n${text}` };
  return { kind: 'approval', request: { tool: 'Write', input } };
}

function inPatch(text: string): Ask {
  const lines = text.split('\n');
  const patch = [`*** Begin Patch`, `*** Add File: ${lines[0]}`, ...lines.map((line) => `+${line}`), '*** End Patch'];
  return { kind: 'approval', request: { tool: 'apply_patch', input: { command: patch.join('\n') } } };
}

function inInput(text: string): Ask {
  const input = { [text.slice(0, 500)]: text, nested: [{ a: text }], list: [text] };
  const suggestions = [
    { type: text, rules: [{ toolName: text }] },
    { type: 'setMode', mode: text, destination: text },
  ];
  return { kind: 'approval', request: { tool: text.slice(0, 1_000), input, suggestions } };
}

function inForm(text: string): Ask {
  const properties = {
    // The schema's own checks refuse a name that is not text.
    [text.slice(0, 500).toWellFormed()]: { type: 'string', title: text, description: text, default: text },
    choice: { enum: [text, 'b'], title: text },
    many: { type: 'array', title: text, items: { enum: [text, 'b', 'c', 'd', 'e', 'f'] } },
    inner: { type: 'object', title: text, description: text, properties: { a: { const: text } } },
    other: { title: text, not: { const: text } },
  };
  return { kind: 'form', request: { message: text, schema: { type: 'object', title: text, properties } } };
}

function inComponent(text: string): Ask {
  const components = [
    { type: 'markdown', content: text },
    { type: text, title: text, id: text, children: [{ type: 'image', src: text, alt: text }] },
    { type: 'button', label: text, action: text, data: { text } },
    { type: 'embed', url: text, html: text },
    { type: 'suggestions', items: [text, { label: text }] },
  ];
  return { kind: 'component', request: { components } };
}

/** In components that the page draws, and does not only list. */
function inDrawn(text: string): Ask {
  const components = [
    [
      { type: 'card', title: text, content: text, actions: [text], metadata: text },
      { type: 'markdown', content: text },
    ],
    { type: 'image', src: text, alt: text, href: text },
    { type: 'image', src: 'https://evil.test/pixel.png', alt: text },
    { type: 'embed', url: 'https://evil.test/', title: text },
    { type: 'citation', text, source: text, url: text },
    {
      type: 'table',
      title: text,
      attributes: [{ key: 'a', label: text }],
      items: [{ name: text, attributes: { a: text } }],
    },
    { type: 'suggestions', suggestions: [text] },
  ];
  return { kind: 'component', request: { components } };
}

const PLACES = [inQuestion, inCommand, inFile, inOverwritten, inPatch, inInput, inForm, inComponent, inDrawn];

const TRAPS = [
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  '$$typeof',
];
const trapped = Object.fromEntries(TRAPS.map((name) => [name, `${name}: ${RUN}`]));
const MEGABYTE = 1_000_000;

/** What is hostile by its form. */
const OTHERS: readonly HostileAsk[] = [
  { name: 'a megabyte of Markdown', ...inPlan('# A\n\nSome *text* with `code`.\n\n'.repeat(MEGABYTE / 40)) },
  { name: 'a megabyte on one line', ...inPlan('word '.repeat(MEGABYTE / 5)) },
  { name: 'a megabyte without a space', ...inPlan('a'.repeat(MEGABYTE)) },
  { name: 'a megabyte of links', ...inPlan('[a](http://evil.test) '.repeat(MEGABYTE / 22)) },
  { name: 'a plan of nothing', ...inPlan('') },
  {
    name: 'a file of a megabyte',
    kind: 'approval',
    request: { tool: 'Write', input: { file_path: '/a', content: 'line\n'.repeat(MEGABYTE / 6) } },
  },
  {
    name: 'a file with one long line',
    kind: 'approval',
    request: { tool: 'Write', input: { file_path: '/a', content: 'a'.repeat(MEGABYTE) } },
  },
  {
    name: 'an edit that replaces everything',
    kind: 'approval',
    request: {
      tool: 'Edit',
      input: {
        file_path: '/a',
        old_string: Array.from({ length: 20_000 }, (_, at) => `a${at}`).join('\n'),
        new_string: Array.from({ length: 20_000 }, (_, at) => `b${at}`).join('\n'),
      },
    },
  },
  {
    name: 'a thousand edits',
    kind: 'approval',
    request: {
      tool: 'MultiEdit',
      input: {
        file_path: '/a',
        edits: Array.from({ length: 1_000 }, (_, at) => ({ old_string: `a${at}`, new_string: `b${at}` })),
      },
    },
  },
  {
    name: 'a context of lies: lines that overlap, numbers without end, a file that is its own target',
    kind: 'approval',
    request: { tool: 'Edit', input: { file_path: FILE_PATH, old_string: 'a', new_string: 'b', replace_all: true } },
    context: {
      files: [
        {
          path: FILE_PATH,
          target: FILE_PATH,
          sha256: 'a'.repeat(64),
          lines: Number.MAX_SAFE_INTEGER,
          before: [
            { line: Number.MAX_SAFE_INTEGER, text: 'a' },
            { line: 1, text: 'a\n'.repeat(10_000) },
            { line: 1, text: 'a' },
          ],
        },
      ],
      calls: Array.from({ length: 50 }, (_, at) => ({ tool: `t${at}`, ms: Number.MAX_SAFE_INTEGER })),
    },
  },
  {
    name: 'a file that grows without end',
    kind: 'approval',
    request: {
      tool: 'MultiEdit',
      input: {
        file_path: FILE_PATH,
        edits: Array.from({ length: 40 }, () => ({ old_string: 'a', new_string: 'aa'.repeat(50), replace_all: true })),
      },
    },
    context: {
      files: [{ path: FILE_PATH, sha256: 'a'.repeat(64), lines: 1, before: [{ line: 1, text: 'a'.repeat(9_000) }] }],
    },
  },
  {
    name: 'code that keeps a grammar busy',
    kind: 'approval',
    request: {
      tool: 'Write',
      input: { file_path: FILE_PATH, content: Array.from({ length: 90 }, () => 'a'.repeat(1_990)).join('\n') },
    },
  },
  { name: 'names from the prototype in an input', kind: 'approval', request: { tool: 'x', input: trapped } },
  {
    name: 'names from the prototype in an Edit',
    kind: 'approval',
    request: {
      tool: 'Edit',
      input: { file_path: 'constructor', old_string: '__proto__', new_string: 'x', ...trapped },
    },
  },
  { name: 'a tool called constructor', kind: 'approval', request: { tool: 'constructor', input: { command: RUN } } },
  {
    name: 'suggestions with names from the prototype',
    kind: 'approval',
    request: {
      tool: 'Bash',
      input: { command: 'ls' },
      suggestions: [
        {
          type: 'addRules',
          behavior: 'constructor',
          destination: 'toString',
          rules: [{ toolName: 'a', ruleContent: 'b' }],
        },
        { type: 'hasOwnProperty', ...trapped },
      ],
    },
  },
  {
    name: 'names from the prototype in a form',
    kind: 'form',
    request: {
      message: 'A form',
      schema: {
        type: 'object',
        required: TRAPS,
        properties: Object.fromEntries(TRAPS.map((name) => [name, { type: 'string', default: name }])),
      },
    },
  },
  {
    name: 'a form that refers to itself',
    kind: 'form',
    request: {
      message: 'A form',
      schema: { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { $ref: '#' } } },
    },
  },
  {
    name: 'a form of ten thousand fields',
    kind: 'form',
    request: {
      message: 'A form',
      schema: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, { type: 'string' }])),
      },
    },
  },
  {
    name: 'a form with ten thousand choices',
    kind: 'form',
    request: {
      message: 'A form',
      schema: {
        type: 'object',
        properties: {
          one: { enum: Array.from({ length: 10_000 }, (_, at) => `choice ${at}`) },
          many: { type: 'array', items: { enum: Array.from({ length: 10_000 }, (_, at) => `choice ${at}`) } },
        },
      },
    },
  },
  {
    name: 'a form that wants a million items',
    kind: 'form',
    request: {
      message: 'A form',
      schema: {
        type: 'object',
        properties: {
          a: { type: 'array', minItems: 1_000_000, items: { type: 'array', minItems: 1_000_000, items: {} } },
        },
      },
    },
  },
  {
    name: 'a form with a pattern that never ends',
    kind: 'form',
    request: {
      message: 'A form',
      schema: {
        type: 'object',
        properties: { a: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(60)}!` } },
      },
    },
  },
  { name: 'a tree as deep as allowed', kind: 'component', request: { components: nest(30) } },
  {
    name: 'twenty thousand buttons',
    kind: 'component',
    request: { components: Array.from({ length: 20_000 }, (_, at) => ({ label: `b${at}`, action: 'click' })) },
  },
  {
    name: 'a tree of names from the prototype',
    kind: 'component',
    request: { components: [{ type: 'constructor', ...trapped }] },
  },
  { name: 'an element of React', kind: 'component', request: { components: toReactElement() } },
  {
    name: 'a hundred options',
    kind: 'question',
    request: {
      question: 'Which?',
      multiSelect: true,
      options: Array.from({ length: 100 }, (_, at) => ({ label: `option ${at}`, preview: 'p'.repeat(5_000) })),
    },
  },
  {
    name: 'options that are called the same',
    kind: 'question',
    request: { question: 'Which?', options: [{ label: 'Yes' }, { label: 'Yes' }, { label: '\u202eYes' }] },
  },
];

function nest(levels: number): JsonObject {
  return levels === 0 ? { type: 'text' } : { type: 'card', title: `level ${levels}`, children: [nest(levels - 1)] };
}

// React would draw this if it came from our own code; from JSON it lacks the symbol.
function toReactElement(): JsonObject {
  return {
    $$typeof: 'Symbol(react.transitional.element)',
    type: 'div',
    key: null,
    ref: null,
    props: { dangerouslySetInnerHTML: { __html: `<img src=x onerror=${RUN}>` } },
  };
}
