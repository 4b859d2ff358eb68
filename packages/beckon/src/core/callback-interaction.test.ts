import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { Json } from '../protocol/json.ts';
import { readCallbackMetadata, toCallbackMetadata, toTaken } from './callback-interaction.ts';

function asked(callback: Json, kind = 'component'): Interaction {
  return { kind, metadata: { callback } } as unknown as Interaction;
}

test.each([{ port: 8228, origins: ['http://a'] }, { origins: [] }])('what is written is read back: %j', (written) => {
  const { callback = null } = toCallbackMetadata(written);
  expect(readCallbackMetadata(asked(callback))).toEqual(written);
});

test.each<[string, Interaction | null]>([
  ['no interaction', null],
  ['an interaction without metadata', { kind: 'component' } as Interaction],
  ['another kind', asked({ port: 1, origins: [] }, 'approval')],
  ['a text', asked('yes')],
  ['a list', asked([])],
  ['null', asked(null)],
])('%s is no callback', (_, interaction) => {
  expect(readCallbackMetadata(interaction)).toBeNull();
});

test('fields of the wrong type are left out', () => {
  expect(readCallbackMetadata(asked({ port: 'x', origins: [1, 'http://a'] }))).toEqual({ origins: ['http://a'] });
  expect(readCallbackMetadata(asked({ origins: 'all' }))).toEqual({ origins: [] });
});

test.each(['accepted', 'repeated'] as const)('%s is what the page hears', (result) => {
  expect(toTaken('ada', { result, interaction: asked({}) })).toBe(result);
});

test.each([
  ['lost', 'answer_lost'],
  ['late', 'answer_late'],
  ['unknown', 'interaction_not_found'],
] as const)('%s is refused, without what was answered before', (result, code) => {
  const interaction = { status: 'cancelled', answer: { data: 'a secret' } } as unknown as Interaction;
  const take = (): unknown => toTaken('ada', { result, interaction: result === 'unknown' ? null : interaction });
  expect(take).toThrow(expect.objectContaining({ code, message: expect.not.stringContaining('a secret') }));
});

test.each([
  [{ status: 'expired' } as Interaction, 'already expired'],
  [{ status: 'superseded' } as Interaction, 'already ended elsewhere'],
  [null, 'already over'],
])('a late event hears how the request ended: %#', (interaction, text) => {
  expect(() => toTaken('ada', { result: 'late', interaction })).toThrow(text);
});
