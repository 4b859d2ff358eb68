import type { Command } from 'commander';
import type { Rules } from '../../core/rules.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Rule, RuleDraft, RuleOffer } from '../../protocol/rule.ts';
import { addClientOptions } from '../client.ts';
import { createCommand } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { confirm, withConfirmHint } from '../rules/confirm.ts';
import { addDraftOptions, type DraftOptions, toDraft } from '../rules/draft-options.ts';
import { count, toPreviewLines, toSentence } from '../rules/rule-words.ts';
import { toShortKey } from '../rules/short-key.ts';
import { withRules } from '../rules/with-rules.ts';

interface AddOptions extends DraftOptions {
  like?: string;
  offer?: string;
  suggested?: string;
  yes?: boolean;
  confirm?: boolean;
}

const SOURCES = ['draft', 'like', 'suggested', 'allow', 'ask', 'deny'] as const;

/** How to answer the questions of `add` without a terminal. */
const ADD_YES = 'Add --yes to add the rule, or run "beckon rules preview" to look first.';

export function createAdd(): Command {
  return addClientOptions(
    addSourceOptions(
      createCommand('add', {
        summary: 'Make a rule: shows what it would have decided, then asks.',
        examples: [
          [
            "beckon rules add --allow 'npm test' --any-arguments --project webshop --until 30m",
            'npm test, and whatever follows it',
          ],
          ["beckon rules add --allow --edit 'src/**' --folder .", 'changes of files below src of this project'],
          ['beckon rules add --allow --fetch docs.example.com', 'fetching from one host'],
          [
            'beckon rules add --allow --tool mcp__github__create_issue --agent laptop',
            'one tool of an MCP server, for one agent',
          ],
          [
            "beckon rules add --deny 'git push --force' --reason 'Use --force-with-lease.'",
            'the agent reads the reason',
          ],
          ["beckon rules add --ask 'npm publish' --watch", 'only note what it would have said'],
          ['beckon rules add --like int_… --offer 2', 'made from a request; see: beckon rules offers int_…'],
          ['beckon rules add --draft - < rule.json', 'the whole rule as JSON'],
        ],
      }),
    )
      .option('--yes', 'do not ask; what contradicts people still needs --confirm')
      .option('--confirm', 'add it although people decided otherwise; what they denied stays with a person'),
  ).action(runAdd);
}

export function createPreview(): Command {
  return addClientOptions(
    addSourceOptions(
      createCommand('preview', {
        summary: 'Show what a rule would have decided, of the requests in the history. Adds nothing.',
        examples: [
          ["beckon rules preview --allow 'npm run lint' --any-arguments", 'how many, which, and what people said'],
        ],
      }),
    ),
  ).action(async (options: AddOptions) => {
    const { draft, preview } = await withRules(options, async (rules) => {
      const found = await findDraft(rules, options);
      return { draft: found, preview: await rules.preview(found) };
    });
    if (options.json === true) return printJson({ sentence: toSentence(draft), rule: draft, preview });
    print([toSentence(draft), ...toPreviewLines(preview)].join('\n'));
  });
}

function addSourceOptions(command: Command): Command {
  return addDraftOptions(command)
    .option('--like <id>', 'the narrowest rule that would have allowed this request')
    .option('--offer <number>', 'with --like: a wider one, by its number in "beckon rules offers"')
    .option('--suggested <key>', 'a suggestion, by its key in "beckon rules suggest"');
}

async function runAdd(options: AddOptions): Promise<void> {
  await withRules(options, async (rules) => {
    const draft = await findDraft(rules, options);
    // What is shown before the question is a remark: stdout has the rule.
    const lines = [toSentence(draft), ...toPreviewLines(await rules.preview(draft))];
    if (options.json !== true) for (const line of lines) note(line);
    if (options.yes !== true && !(await confirm('Add this rule?', ADD_YES))) return;
    const rule = await addRule(rules, draft, options);
    if (rule === null) return;
    if (options.json === true) printJson(rule);
    else print(`Added ${rule.id}. Revoke it with: beckon rules remove ${rule.id}`);
  });
}

/** What contradicts people needs a second yes. `null`: they said no. */
async function addRule(rules: Rules, draft: RuleDraft, options: AddOptions): Promise<Rule | null> {
  const add = (isSure: boolean | undefined): Promise<Rule> => withConfirmHint(rules.add(draft, { confirm: isSure }));
  if (options.yes === true || options.confirm === true) return add(options.confirm);
  try {
    return await add(undefined);
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code !== 'rule_contradicts') throw error;
    note(error.message);
    return (await confirm('Add it, and leave these to a person?', 'Add --confirm.')) ? add(true) : null;
  }
}

async function findDraft(rules: Rules, options: AddOptions): Promise<RuleDraft> {
  const given = SOURCES.filter((source) => options[source] !== undefined);
  if (given.length > 1) {
    throw new BeckonError('invalid_input', `Expected one of ${given.map((name) => `--${name}`).join(' and ')}.`);
  }
  if (options.offer !== undefined && options.like === undefined) {
    throw new BeckonError('invalid_input', '--offer needs --like with the id of a request.');
  }
  if (options.like !== undefined) return findOffer(rules, options.like, options.offer ?? '1');
  if (options.suggested !== undefined) return (await findSuggestion(rules, options.suggested)).draft;
  return toDraft(options);
}

async function findOffer(rules: Rules, id: string, place: string): Promise<RuleDraft> {
  const { offers, why } = await rules.offers(id);
  const offer = offers[Number(place) - 1];
  if (offer !== undefined) return offer.draft;
  const reason = why ?? `There are ${count(offers.length, 'offer')}. See: beckon rules offers ${id}`;
  throw new BeckonError('invalid_input', `No offer ${place} for ${id}. ${reason}`);
}

/** The suggestion with a key, which may be the short one of the list. */
export async function findSuggestion(rules: Rules, key: string): Promise<RuleOffer> {
  const found = (await rules.suggestions()).find((one) => one.key === key || toShortKey(one.key) === key);
  if (found !== undefined) return found;
  throw new BeckonError(
    'invalid_input',
    `No suggestion with the key ${JSON.stringify(key)}. See: beckon rules suggest`,
  );
}
