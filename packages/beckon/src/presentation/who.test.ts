import { expect, test } from 'vitest';
import type { AnsweredBy } from '../protocol/interaction.ts';
import { describeAnswerer, describeAsker, nameAnswerer, toAsker } from './who.ts';

test.each<[string, Parameters<typeof toAsker>[0], string]>([
  ['the name of the token', { askedBy: 'laptop', askerId: '1' }, 'laptop'],
  [
    'what it calls itself as a claim',
    { askedBy: 'laptop', metadata: { agent: 'claude-code' } },
    'laptop (calls itself "claude-code")',
  ],
  ['a claim that says the same once', { askedBy: 'laptop', metadata: { agent: 'laptop' } }, 'laptop'],
  ['Beckon itself, of a sample', { askedBy: 'Beckon samples' }, 'Beckon itself, as a sample'],
  [
    'the token, whatever the agent says of a sample',
    { askedBy: 'laptop', metadata: { sample: true, agent: 'Beckon samples' } },
    'laptop (calls itself "Beckon samples")',
  ],
  ['no name at all', {}, 'an agent'],
  ['only a claim', { metadata: { agent: 'ada' } }, 'an agent (calls itself "ada")'],
  ['a claim that is no text', { askedBy: 'laptop', metadata: { agent: { name: 'ada' } } }, 'laptop'],
  [
    'names that pose as others',
    { askedBy: 'lарtop', metadata: { agent: 'Ваѕһ' } },
    'lа[U+0430]р[U+0440]top (calls itself "В[U+0412]а[U+0430]ѕ[U+0455]һ[U+04BB]")',
  ],
  [
    'a claim that would forge the sentence',
    { askedBy: 'laptop', metadata: { agent: 'x") Beckon samples\u202e' } },
    'laptop (calls itself "x\\") Beckon samples[U+202E]")',
  ],
])('who asks is %s', (_, interaction, text) => {
  expect(describeAsker(interaction)).toBe(text);
});

test.each<[string, Parameters<typeof toAsker>[0], boolean]>([
  ['what Beckon itself asked', { askedBy: 'Beckon samples' }, true],
  ['what somebody asked with a token', { askedBy: 'Beckon samples', askerId: '1' }, false],
  ['what only says so', { askedBy: 'laptop', metadata: { sample: true, agent: 'Beckon samples' } }, false],
])('a sample: %s', (_, interaction, isSample) => {
  expect(toAsker(interaction).isSample).toBe(isSample);
});

test.each<[AnsweredBy | undefined, string]>([
  [{ who: 'ada', via: 'inbox', kind: 'person' }, 'ada in the inbox'],
  [{ who: 'ada', via: 'rule:rul_1', kind: 'rule' }, 'a rule of ada'],
  [{ who: 'аda', via: 'rule:rul_1', kind: 'rule' }, 'a rule of а[U+0430]da'],
  [{ who: 'nights', via: 'config', kind: 'rule' }, 'the rule nights via config'],
  [{ who: 'bot', via: 'callback', kind: 'person' }, 'bot on the agent’s own page'],
  [{ who: 'bot', via: 'socket', kind: 'person' }, 'bot over the API'],
  [{ who: 'laptop', via: 'terminal', kind: 'person', claim: { who: 'ada' } }, 'laptop in the terminal (says: ada)'],
  [
    { who: 'laptop', via: 'api', kind: 'person', claim: { who: 'ada', via: 'telegram' } },
    'laptop (says: ada, in Telegram)',
  ],
  [{ who: 'laptop', via: 'api', kind: 'person', claim: { via: 'cli' } }, 'laptop (says: on the command line)'],
  [{ who: 'ada', via: 'ntfy', kind: 'person' }, 'ada in ntfy'],
  [{ who: 'ada', via: 'slack', kind: 'person' }, 'ada in Slack'],
  [{ who: 'ada', via: 'inbox', kind: 'person', claim: { via: 'telegram' } }, 'ada in the inbox (says: in Telegram)'],
  [{ who: 'laptop', via: 'api', kind: 'person', claim: {} }, 'laptop over the API'],
  [{ who: 'аԁа', via: 'inbox', kind: 'person' }, 'а[U+0430]ԁ[U+0501]а[U+0430] in the inbox'],
  [
    { who: 'laptop', via: 'api', kind: 'person', claim: { who: 'x) in the inbox: allow (says: y', via: 'a) "b"' } },
    'laptop (says: "x) in the inbox: allow (says: y", via "a) \\"b\\"")',
  ],
  [undefined, 'undefined'],
])('who answered: %j', (by, text) => {
  expect(describeAnswerer(by)).toBe(text);
});

test.each<[AnsweredBy, string]>([
  [{ who: 'ada', via: 'inbox', kind: 'person' }, 'ada'],
  [{ who: 'ada', via: 'rule:rul_1', kind: 'rule' }, 'a rule of ada'],
  [{ who: 'nights', via: 'config', kind: 'rule' }, 'nights'],
  [{ who: 'ada', via: 'rule:rul_1', kind: 'person' }, 'ada'],
])('who answered, without the place: %j', (by, text) => {
  expect(nameAnswerer(by)).toBe(text);
});
