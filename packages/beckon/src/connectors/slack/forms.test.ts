import { describe, expect, test } from 'vitest';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { readFields, readText } from '../../testing/harness/slack/reading.ts';
import type { KeptMessage, OpenView } from '../../testing/harness/slack/slack-workspace.ts';
import { useSlack } from '../../testing/harness/slack/use-slack.ts';
import { until } from '../../testing/suites/until.ts';

const slack = useSlack();
const PAGE = 'https://beckon.example.com';

const SEATS: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 40 },
    about: { type: 'string', format: 'textarea', description: 'In a few words' },
    mail: { type: 'string', format: 'email', default: 'ada@example.com' },
    site: { type: 'string', format: 'uri' },
    seats: { type: 'integer', minimum: 1, maximum: 9 },
    price: { type: 'number' },
    day: { type: 'string', format: 'date' },
    start: { type: 'string', format: 'date-time' },
    window: { type: 'boolean', title: 'At the window?' },
    class: { enum: ['first', 2, null], title: 'Class' },
    extras: { type: 'array', items: { enum: ['meal', 'wifi'] }, title: 'Extras' },
    note: { type: ['string', 'null'] },
  },
  required: ['name', 'seats', 'note', 'extras'],
};

const ask = (schema: JsonObject): Promise<Interaction> =>
  slack.ask({ kind: 'form', request: { message: 'Where do you sit?', schema } });
const fieldsOf = ({ view }: OpenView) => readFields(view['blocks'] as unknown[]);
const textOf = ({ view }: OpenView): string => readText(view['blocks'] as unknown[]);

/** Opens the form of a message, and returns what the person sees. */
async function open(message: KeptMessage): Promise<OpenView> {
  const { length } = slack.server.views;
  slack.ada.press(message, 'Fill in');
  return until(() => {
    expect(slack.server.views.length).toBeGreaterThan(length);
    return slack.server.views.at(-1)!;
  });
}

describe('a form in Slack', () => {
  test('is filled in, field by field, and the values have the types of the schema', async () => {
    await slack.run();
    const { id } = await ask(SEATS);
    const message = await slack.see('Where do you sit?');
    expect(slack.labels(message)).toEqual(['Fill in']);
    const view = await open(message);
    expect(textOf(view)).toContain('Where do you sit?');
    expect(fieldsOf(view).map(({ label, type }) => [label, type])).toEqual([
      ['Your name', 'plain_text_input'],
      ['about', 'plain_text_input'],
      ['mail', 'email_text_input'],
      ['site', 'url_text_input'],
      ['seats', 'number_input'],
      ['price', 'number_input'],
      ['day', 'datepicker'],
      ['start', 'datetimepicker'],
      ['At the window?', 'radio_buttons'],
      ['Class', 'static_select'],
      ['Extras', 'multi_static_select'],
      ['note', 'plain_text_input'],
    ]);
    const sent = slack.ada.submit(view, {
      'Your name': 'Ada',
      about: 'two\nlines',
      seats: '2',
      price: '9.5',
      day: '2026-12-24',
      start: 1_796_000_000,
      'At the window?': 'No',
      Class: '2',
      Extras: ['wifi', 'meal'],
    });
    expect(await slack.beckon.wait(id)).toMatchObject({
      answer: {
        values: {
          name: 'Ada',
          about: 'two\nlines',
          mail: 'ada@example.com',
          seats: 2,
          price: 9.5,
          day: '2026-12-24',
          start: '2026-11-30T00:53:20.000Z',
          window: false,
          class: 2,
          extras: ['meal', 'wifi'],
          note: null,
        },
      },
      answeredBy: { who: 'ada', via: 'slack' },
    });
    // Slack is told at once; what became of it follows.
    const { replies } = slack.server.sockets;
    await until(() => expect(replies.get(sent)).toMatchObject({ response_action: 'update' }));
    await until(() => expect(textOf(view)).toBe('Response received.'));
    await until(() => expect(slack.text(message)).toContain('✓ Answered by ada in Slack'));
  });

  test('what is left empty is left out, and an empty list that is needed is an empty list', async () => {
    await slack.run();
    const { id } = await ask(SEATS);
    const view = await open(await slack.see('Where do you sit?'));
    slack.ada.submit(view, { 'Your name': 'Ada', seats: '1' });
    expect(await slack.beckon.wait(id)).toMatchObject({
      answer: { values: { name: 'Ada', mail: 'ada@example.com', seats: 1, extras: [], note: null } },
    });
  });

  test('that Beckon does not take comes again, with what was filled in and what is wrong', async () => {
    await slack.run();
    const { id } = await ask(SEATS);
    const view = await open(await slack.see('Where do you sit?'));
    slack.ada.submit(view, { 'Your name': 'A', seats: '70', Extras: ['wifi'] });
    await until(() => expect(textOf(view)).toMatch(/values\.name: expected[^]*values\.seats: expected/));
    const [name] = fieldsOf(view);
    expect(name?.element['initial_value']).toBe('A');
    expect(fieldsOf(view).at(-2)?.element['initial_options']).toMatchObject([{ text: { text: 'wifi' } }]);
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
    slack.ada.submit(view, { 'Your name': 'Ada', seats: '7' });
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { values: { name: 'Ada', seats: 7 } } });
  });

  test('that is sent in the moment in which it opens is not taken, and comes again', async () => {
    await slack.run({ momentMs: 60_000 });
    const asked = await ask({ type: 'object', properties: { name: { type: 'string' } } });
    const message = await slack.see('Where do you sit?');
    const view = await open(message);
    slack.ada.submit(view, { name: 'Ada' });
    await until(() => expect(textOf(view)).toContain('This came too soon after the form had opened'));
    expect(fieldsOf(view)[0]?.element['initial_value']).toBe('Ada');
    expect(await slack.beckon.get(asked.id)).toMatchObject({ status: 'pending' });
  });

  test('that was answered elsewhere meanwhile says so, and changes nothing', async () => {
    await slack.run();
    const { id } = await ask({ type: 'object', properties: { name: { type: 'string' } } });
    const message = await slack.see('Where do you sit?');
    const view = await open(message);
    await slack.beckon.answer(id, { values: { name: 'Bob' } }, { who: 'bob', via: 'inbox' });
    slack.ada.submit(view, { name: 'Ada' });
    await until(() => expect(textOf(view)).toContain('Already answered by bob in the inbox'));
    expect(await slack.beckon.get(id)).toMatchObject({ answer: { values: { name: 'Bob' } } });
  });

  test('that is sent twice, in one envelope or two, is one answer', async () => {
    await slack.run();
    slack.server.sockets.doubling = 'other envelope';
    const { id } = await ask({ type: 'object', properties: { name: { type: 'string' } } });
    const view = await open(await slack.see('Where do you sit?'));
    expect(slack.server.views).toHaveLength(1);
    slack.ada.submit(view, { name: 'Ada' });
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { values: { name: 'Ada' } } });
    await until(() => expect(textOf(view)).toBe('Response received.'));
  });

  test('with data that is not ours, or by a stranger, is refused', async () => {
    await slack.run();
    const asked = await ask({ type: 'object', properties: { name: { type: 'string' } } });
    const message = await slack.see('Where do you sit?');
    const view = await open(message);
    const { private_metadata: data } = view.view as { private_metadata: string };
    slack.ada.submit(view, { name: 'Ada' }, { private_metadata: data.replace('form', 'done') });
    await until(() => expect(textOf(view)).toBe('This button is not valid here.'));
    const other = await open(message);
    slack.eve.submit(other, { name: 'Eve' });
    await until(() => expect(textOf(other)).toContain('You are not on the list'));
    expect(await slack.beckon.get(asked.id)).toMatchObject({ status: 'pending' });
  });

  test('whose opening Slack refuses can be opened again', async () => {
    await slack.run();
    await ask({ type: 'object', properties: { name: { type: 'string' } } });
    const message = await slack.see('Where do you sit?');
    slack.server.prepare({ method: 'views.open', error: 'expired_trigger_id' });
    slack.ada.press(message, 'Fill in');
    await slack.whisper('Please press Fill in again.');
    expect(fieldsOf(await open(message))).toHaveLength(1);
  });

  test.each<[string, JsonObject]>([
    ['an object in it', { type: 'object', properties: { at: { type: 'object', properties: { x: {} } } } }],
    ['a list of texts', { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } }],
    ['conditions', { type: 'object', properties: { a: { type: 'string', not: { const: 'x' } } } }],
    ['a time of day', { type: 'object', properties: { at: { type: 'string', format: 'time' } } }],
    ['a constant', { type: 'object', properties: { v: { const: 1 } } }],
    ['too many choices', { type: 'object', properties: { n: { enum: Array.from({ length: 101 }, (_, at) => at) } } }],
    ['nothing at all', { type: 'object' }],
  ])('with %s is filled in on the page', async (_, schema) => {
    await slack.run({ pageUrl: PAGE });
    await ask(schema);
    const message = await slack.see('This form has fields that Slack does not have. Open the page.');
    expect(slack.labels(message)).toEqual(['Open the page']);
  });

  test('does not offer a default that hides something, and marks what hides in its labels', async () => {
    await slack.run();
    const properties = {
      'a\u202eb': { type: 'string', default: 'x\u200by', description: 'zero\u200b' },
      ok: { type: 'string', default: 'fine' },
    };
    await ask({ type: 'object', properties });
    const view = await open(await slack.see('Where do you sit?'));
    const [first, second] = fieldsOf(view);
    expect(first?.label).toBe('a[U+202E]b');
    expect(first?.element['initial_value']).toBeUndefined();
    expect(second?.element['initial_value']).toBe('fine');
  });
});
