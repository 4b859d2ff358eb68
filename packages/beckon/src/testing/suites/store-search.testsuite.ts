import { describe, expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { ADA, after, createQuestion } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Finding interactions by their words. */
export function testStoreSearch(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  async function ask(question: string, changes: Partial<ReturnType<typeof createQuestion>> = {}): Promise<string> {
    const interaction = createQuestion({ request: { question, options: [] }, ...changes });
    await stores.store.ask(interaction);
    return interaction.id;
  }

  async function find(text: string, store: Store = stores.store): Promise<string[]> {
    return (await store.list({ text })).items.map(({ id }) => id);
  }

  test('all words must be there, in any order and any case, and the last may be the beginning of one', async () => {
    const deploy = await ask('Deploy the new service to production?');
    const rename = await ask('Rename the service?');
    expect(await find('service')).toEqual([rename, deploy]);
    expect(await find('DEPLOY Service')).toEqual([deploy]);
    expect(await find('production deploy')).toEqual([deploy]);
    expect(await find('service prod')).toEqual([deploy]);
    expect(await find('prod service')).toEqual([]);
    expect(await find('service of')).toEqual([]);
  });

  test('accents do not matter, and scripts without spaces are found by each character', async () => {
    const german = await ask('Überprüfung der Straße?');
    const chinese = await ask('部署到生产环境吗');
    const hindi = await ask('क्या मैं फ़ाइल हटा दूँ');
    expect(await find('uberpruf')).toEqual([german]);
    expect(await find('ÜBERPRÜFUNG')).toEqual([german]);
    expect(await find('生产')).toEqual([chinese]);
    expect(await find('हटा')).toEqual([hindi]);
  });

  test('options, tools, inputs, answers, reasons, chats and sessions are found, names of fields are not', async () => {
    const option = await ask('Which?', {
      request: { question: 'Which?', options: [{ label: 'Mango', description: 'a fruit', preview: 'sweet' }] },
    });
    const approval = createQuestion() as unknown as Interaction;
    Object.assign(approval, { kind: 'approval', request: { tool: 'Bash', input: { command: 'git push --force' } } });
    await stores.store.ask(approval);
    const placed = await ask('Where?', { chatId: 'team-red', sessionId: 'ses_4711' });
    expect(await find('mango')).toEqual([option]);
    expect(await find('fruit sweet')).toEqual([option]);
    expect(await find('bash force')).toEqual([approval.id]);
    expect(await find('team red')).toEqual([placed]);
    expect(await find('4711')).toEqual([placed]);
    expect(await find('command')).toEqual([]);
    expect(await find('multiselect')).toEqual([]);
  });

  test('what was answered or said later is found as well, although the question was found before', async () => {
    const answered = await ask('Colour?');
    const cancelled = await ask('Colour?');
    expect(await find('colour')).toEqual([cancelled, answered]);
    expect(await find('turquoise')).toEqual([]);
    await stores.store.recordAnswer({ id: answered, answer: { text: 'Turquoise' }, by: ADA, at: after(1) });
    await stores.store.end({ ids: [cancelled], as: 'cancelled', reason: 'obsolete', at: after(1) });
    expect(await find('turquoise')).toEqual([answered]);
    expect(await find('obsolete')).toEqual([cancelled]);
    expect(await find('colour')).toEqual([cancelled, answered]);
  });

  test('it goes together with the other filters and with pages, newest first', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      ids.push(await ask(`Ship release ${index}?`, { chatId: index % 2 === 0 ? 'even' : 'odd' }));
      await ask('Something else?', { chatId: 'even' });
    }
    const even = ids.filter((_, index) => index % 2 === 0).toReversed();
    await stores.store.end({ ids: even.slice(0, 2), as: 'cancelled', at: after(1) });
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = await stores.store.list({
        text: 'release ship',
        chatId: 'even',
        status: 'pending',
        limit: 3,
        after: next,
      });
      seen.push(...page.items.map(({ id }) => id));
      next = page.next;
    } while (next !== undefined);
    expect(seen).toEqual(even.slice(2));
    expect((await stores.store.list({ text: 'release', kind: 'form' })).items).toEqual([]);
  });

  test.each([
    '"',
    "'",
    'release"',
    "release' | 'x",
    'release OR nothing',
    'NOT release',
    'release*',
    'words:release',
    'NEAR(release)',
    'release & !x',
    'release:*A',
    '(release',
    '^release',
    '-release',
    '\\release\\',
    'release\0',
    '%',
    "'; drop table interactions; --",
  ])('a text is words and never a query: %j', async (text) => {
    const release = await ask('Ship the release?');
    const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
    const isFound = words.length > 0 && words.every((word) => 'ship the release'.split(' ').includes(word));
    expect(await find(text)).toEqual(isFound ? [release] : []);
  });

  test('a request of a megabyte, and one of a hundred thousand different words, are found by how they begin', async () => {
    const long = await ask(`elephant ${'x'.repeat(500_000)} ${'y '.repeat(200_000)}`);
    const many = await ask(`giraffe ${Array.from({ length: 100_000 }, (_, index) => `w${index}`).join(' ')}`);
    expect(await find('elephant')).toEqual([long]);
    expect(await find('giraffe w7')).toEqual([many]);
  });

  test('nothing is indexed by an ask; the background takes it part by part, and then nothing is left', async () => {
    for (let index = 0; index < 450; index += 1) await ask(`Question number ${index}`);
    let parts = 0;
    while (await stores.store.history.catchUp()) parts += 1;
    expect(parts).toBeGreaterThan(1);
    expect(await stores.store.history.catchUp()).toBe(false);
    expect(await find('number 449')).toHaveLength(1);
    expect(await stores.store.lastSeq()).toBe(450);
  });

  test('one search takes in a part of a large store at most, and says that more is left; the next ones finish it', async () => {
    const asking: Promise<string>[] = [];
    for (let index = 0; index < 10_300; index += 1) asking.push(ask(`Elephant${index}?`));
    const ids = await Promise.all(asking);
    const first = await stores.store.list({ text: 'elephant' });
    expect(first).toMatchObject({ incomplete: true, items: { length: 50 } });
    // It has what was asked first, and nobody waited for the rest.
    expect(first.items[0]?.id).toBe(ids[9999]);
    expect((await stores.store.list({ text: 'elephant10299' })).incomplete).toBeUndefined();
    expect(await find('elephant10299')).toEqual([ids[10_299]]);
    expect((await stores.store.history.listSessions({ limit: 1 })).incomplete).toBeUndefined();
  });

  test('who searches at once with others hears as well that more is left', async () => {
    await Promise.all(Array.from({ length: 10_300 }, () => ask('Giraffe?')));
    const pages = await Promise.all([1, 2, 3].map(() => stores.store.list({ text: 'giraffe', limit: 1 })));
    expect(pages.map(({ incomplete }) => incomplete)).toEqual([true, true, true]);
    expect((await stores.store.list({ text: 'giraffe' })).incomplete).toBeUndefined();
  });

  describe('with several processes', () => {
    test('those that catch up at once take everything once, and find the newest words', async () => {
      const others = await Promise.all([1, 2, 3].map(() => stores.open()));
      const ids: string[] = [];
      for (let index = 0; index < 300; index += 1) ids.push(await ask('Paint the shed?'));
      const [first = ''] = ids;
      const answering = stores.store.recordAnswer({ id: first, answer: { text: 'magenta' }, by: ADA, at: after(1) });
      await Promise.all([...others, stores.store].map((store) => find('shed', store)));
      await answering;
      for (const store of others) {
        expect((await store.list({ text: 'shed', limit: 200 })).items).toHaveLength(200);
        expect(await find('magenta', store)).toEqual([first]);
      }
    });

    test('what one asked, another finds at once', async () => {
      const other = await stores.open();
      for (let index = 0; index < 20; index += 1) {
        const id = await ask(`Take turn${index}?`);
        expect(await find(`turn${index}`, other)).toEqual([id]);
      }
    });
  });
}
