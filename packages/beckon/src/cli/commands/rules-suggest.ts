import type { Command } from 'commander';
import type { RuleOffer } from '../../protocol/rule.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { createCommand } from '../command.ts';
import { note, paint, print, printJson } from '../output.ts';
import { count, toItemLine, toPreviewLines, toSentence } from '../rules/rule-words.ts';
import { toShortKey } from '../rules/short-key.ts';
import { withRules } from '../rules/with-rules.ts';
import { findSuggestion } from './rules-add.ts';

export function createSuggest(): Command {
  return addClientOptions(
    createCommand('suggest', {
      summary: 'Suggest rules for what people allowed at least five times and never denied.',
      examples: [
        ['beckon rules suggest', 'each with its key and what it would have decided'],
        ['beckon rules add --suggested KEY', 'make one a rule'],
        ['beckon rules dismiss KEY', 'never suggest it again'],
      ],
    }),
  ).action(async (options: ClientOptions) => {
    const items = await withRules(options, (rules) => rules.suggestions());
    if (options.json === true) return printJson({ items });
    if (items.length === 0) return note('Nothing to suggest: nothing was allowed five times and never denied.');
    print(items.map((item) => describe(toShortKey(item.key), item)).join('\n\n'));
    note('Make one a rule with: beckon rules add --suggested KEY');
  });
}

export function createDismiss(): Command {
  return addClientOptions(
    createCommand('dismiss', {
      summary: 'Dismiss a suggestion. It does not come back to anybody.',
      examples: [['beckon rules dismiss 3f2a91c0', 'the key is in "beckon rules suggest"']],
    }).argument('<key>', 'key of the suggestion'),
  ).action(async (given: string, options: ClientOptions) => {
    const { key, draft } = await withRules(options, async (rules) => {
      const found = await findSuggestion(rules, given);
      await rules.dismiss(found.key);
      return found;
    });
    if (options.json === true) printJson({ key, dismissed: true });
    else print(`Dismissed: ${toSentence(draft)}`);
  });
}

export function createOffers(): Command {
  return addClientOptions(
    createCommand('offers', {
      summary: 'Show the rules that would have allowed a request, the narrowest first.',
      examples: [
        ['beckon rules offers int_…', 'up to five, each with what it would have decided'],
        ['beckon rules add --like int_… --offer 2', 'make the second one a rule'],
      ],
    }).argument('<request>', 'id of the request'),
  ).action(async (id: string, options: ClientOptions) => {
    const reply = await withRules(options, (rules) => rules.offers(id));
    if (options.json === true) return printJson(reply);
    if (reply.offers.length === 0) return note(reply.why ?? 'There is no rule to offer.');
    print(reply.offers.map((offer, index) => describe(String(index + 1), offer)).join('\n\n'));
    note(`Make one a rule with: beckon rules add --like ${id} --offer NUMBER`);
  });
}

export function createWrong(): Command {
  return addClientOptions(
    createCommand('wrong', {
      summary: 'Say that a rule decided a request wrongly. Stops the rules that did, and lists what else they decided.',
      examples: [['beckon rules wrong int_…', 'what the agent did cannot be undone here; look at the list']],
    }).argument('<request>', 'id of the request that a rule decided'),
  ).action(async (id: string, options: ClientOptions) => {
    const reply = await withRules(options, (rules) => rules.markWrong(id));
    if (options.json === true) return printJson(reply);
    for (const rule of reply.rules) print(`Stopped ${rule.id}: ${toSentence(rule)}`);
    if (reply.also.length === 0) return note('It decided nothing else.');
    print(
      `\n${paint('bold', `It also decided ${count(reply.also.length, 'request')}:`)}\n${reply.also.map(toItemLine).join('\n')}`,
    );
  });
}

function describe(name: string, { draft, preview }: RuleOffer): string {
  const lines = toPreviewLines(preview, { isBrief: true }).map((line) => `  ${line}`);
  return [`${paint('bold', name)}  ${toSentence(draft)}`, ...lines].join('\n');
}
