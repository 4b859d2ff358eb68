import { describe, expect, test } from 'vitest';
import { ADA, PLACES, usePlace } from '../testing/harness/use-places.ts';
import { notify } from './notify.ts';

describe.each(PLACES)('notify %s', (where) => {
  const place = usePlace(where);

  test('does not wait, and stays for a day until somebody presses the button', async () => {
    const notice = await notify(place.agent, 'v1.2 is live.', { chatId: 'releases', key: 'v1.2' });
    expect(notice).toMatchObject({
      status: 'pending',
      chatId: 'releases',
      request: { question: 'v1.2 is live.', header: 'For your information', options: [{ label: 'OK' }] },
    });
    expect(Date.parse(notice.expiresAt!) - Date.parse(notice.createdAt)).toBe(86_400_000);
    await place.person.answer(notice.id, { selected: ['OK'] }, ADA);
    const again = await notify(place.agent, 'v1.2 is live.', { chatId: 'releases', key: 'v1.2' });
    expect(again).toMatchObject({ id: notice.id, status: 'answered', answeredBy: { who: 'ada' } });
  });

  test('takes a time of its own, or none', async () => {
    expect(await notify(place.agent, 'Done.', { timeout: null })).not.toHaveProperty('expiresAt');
    const { createdAt, expiresAt } = await notify(place.agent, 'Done.', { timeout: '1h' });
    expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(3_600_000);
  });

  test('takes no other words, because nobody reads them', async () => {
    const { id } = await notify(place.agent, 'Done.', { button: 'Fine', header: 'Release' });
    await expect(place.person.answer(id, { text: 'Why?' }, ADA)).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(await place.person.answer(id, { text: 'fine' }, ADA)).toMatchObject({ result: 'accepted' });
  });

  test('tells nobody when it was aborted before, and takes back what was sent meanwhile', async () => {
    const left = new Error('I left');
    await expect(notify(place.agent, 'Done.', { signal: AbortSignal.abort(left) })).rejects.toBe(left);
    expect((await place.person.list()).items).toEqual([]);
    const abort = new AbortController();
    const telling = notify(place.agent, 'Done.', { signal: abort.signal });
    abort.abort(left);
    await expect(telling).rejects.toBe(left);
    expect((await place.person.list()).items).toMatchObject([{ status: 'superseded' }]);
  });
});
