import type { Command } from 'commander';
import { toVisibleLine } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { ListedRule } from '../../protocol/rule.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { createCommand, createGroup } from '../command.ts';
import { note, paint, print, printJson } from '../output.ts';
import { toFacts, toItemLine, toSentence, toState } from '../rules/rule-words.ts';
import { withRules } from '../rules/with-rules.ts';
import { fitTable, formatTable, type Table } from '../table.ts';
import { createAdd, createPreview } from './rules-add.ts';
import { createEdit } from './rules-edit.ts';
import { createImport } from './rules-import.ts';
import { createDismiss, createOffers, createSuggest, createWrong } from './rules-suggest.ts';
import { createTest } from './rules-test.ts';

const HEAD = ['ID', 'STATE', 'HITS', 'LAST', 'BY', 'RULE'];
/** The columns that a narrow terminal leaves out, in this order. */
const SPARE = ['LAST', 'BY', 'HITS', 'STATE'];
const STYLES = { on: 'green', watch: 'yellow', stopped: 'red', ended: 'dim' } as const;

export function createRules(): Command {
  const rules = createGroup('rules', {
    summary: 'Make rules that answer approvals for you, see what they did, and revoke them.',
    examples: [
      [
        "beckon rules add --allow 'npm test' --any-arguments --project webshop",
        'show what it would have decided, then ask',
      ],
      ["beckon rules add --deny 'git push --force'", 'deny it, wherever in a command it stands'],
      ['beckon rules suggest', 'what you allowed again and again'],
      ["beckon rules test 'npm test && git push'", 'what the rules say about a command'],
      ['beckon rules import claude-code', 'take over the permissions of Claude Code'],
    ],
    more: 'Deny beats ask beats allow. If no rule matches, a person is asked.',
  });
  for (const command of [
    createList(),
    createShow(),
    createAdd(),
    createPreview(),
    createEdit(),
    createRemove(),
    createTest(),
    createOffers(),
    createSuggest(),
    createDismiss(),
    createWrong(),
    createImport(),
  ]) {
    rules.addCommand(command);
  }
  return rules;
}

interface ListOptions extends ClientOptions {
  limit?: string;
  after?: string;
}

function createList(): Command {
  return addClientOptions(
    createCommand('list', {
      summary: 'List rules, newest first: what they say, who made them, and what they did.',
      examples: [['beckon rules list --json', '{ "items": [{ "rule": {…}, "hits", "lastHitAt"? }], "next"? }']],
    })
      .option('--limit <number>', 'items on a page, 1 to 200 (default: 50)')
      .option('--after <cursor>', 'start after this cursor, the "next" of the page before'),
  ).action(async (options: ListOptions) => {
    const { limit, after, json } = options;
    if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) {
      throw new BeckonError('invalid_input', `--limit: expected a number from 1 to 200, got ${JSON.stringify(limit)}.`);
    }
    const page = await withRules(options, (rules) =>
      rules.list({ after, limit: limit === undefined ? undefined : Number(limit) }),
    );
    if (json === true) return printJson(page);
    if (page.items.length === 0) return note('There are no rules. Make one with: beckon rules add');
    showTable(page.items);
    if (page.next !== undefined) note(`There is more. Add --after ${page.next}`);
  });
}

function createShow(): Command {
  return addClientOptions(
    createCommand('show', {
      summary: 'Show one rule: what it says, who made it, what it decided, by day and last.',
      examples: [['beckon rules show rule_… --json', '{ "rule": {…}, "hits", "days": […], "recent": […] }']],
    }).argument('<id>', 'id of the rule, from "beckon rules list"'),
  ).action(async (id: string, options: ClientOptions) => {
    const details = await withRules(options, (rules) => rules.get(id));
    if (details === null) throw toMissing(id);
    if (options.json === true) return printJson(details);
    print(
      toFacts(details)
        .map(([name, value]) => `${paint('bold', name.padEnd(9))}${value}`)
        .join('\n'),
    );
    const { days, recent } = details;
    if (days.length > 0)
      print(`\n${paint('bold', 'By day (UTC)')}\n${days.map(({ day, hits }) => `  ${day}  ${hits}`).join('\n')}`);
    if (recent.length > 0) print(`\n${paint('bold', 'Last')}\n${recent.map(toItemLine).join('\n')}`);
  });
}

function createRemove(): Command {
  return addClientOptions(
    createCommand('remove', {
      summary: 'Revoke a rule. It decides nothing from that moment on.',
      examples: [['beckon rules remove rule_…', 'what it decided stays in the history']],
    }).argument('<id>', 'id of the rule, from "beckon rules list"'),
  ).action(async (id: string, options: ClientOptions) => {
    if (!(await withRules(options, (rules) => rules.remove(id)))) throw toMissing(id);
    if (options.json === true) printJson({ id, removed: true });
    else print(`Removed ${id}.`);
  });
}

function showTable(items: readonly ListedRule[]): void {
  const columns = process.stdout.columns || 80;
  const table: Table = { head: HEAD, rows: items.map(toRow) };
  const { head, rows } = process.stdout.isTTY ? fitTable(table, columns, SPARE) : table;
  const paintCell = (cell: string, column: number, row: number): string => {
    const item = items[row];
    return head[column] === 'STATE' && item !== undefined ? paint(STYLES[toState(item.rule)], cell) : cell;
  };
  print(formatTable(head, rows, paintCell));
}

function toRow({ rule, hits, lastHitAt }: ListedRule): string[] {
  return [
    rule.id,
    toState(rule),
    String(hits),
    lastHitAt === undefined ? '' : toLocalTime(lastHitAt),
    toVisibleLine(rule.createdBy, 20, 'code'),
    toSentence(rule),
  ];
}

function toMissing(id: string): BeckonError {
  return new BeckonError('rule_not_found', `No rule with id ${JSON.stringify(id)}. See: beckon rules list`);
}
