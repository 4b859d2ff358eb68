import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Rules } from '../../core/rules.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Rule } from '../../protocol/rule.ts';
import type { ImportedRule, SkippedRule } from '../../rules/imported.ts';
import { toRuleKey } from '../../rules/offers.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print, printJson } from '../output.ts';
import { confirm } from '../rules/confirm.ts';
import { IMPORT_AGENTS, type ImportedFile, readImports } from '../rules/import-sources.ts';
import { count, toSentence } from '../rules/rule-words.ts';
import { withRules } from '../rules/with-rules.ts';

interface ImportOptions extends ClientOptions {
  folder?: string;
  project?: string;
  watch?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  confirm?: boolean;
}

/** What came of one rule. `exists`: there was the same one. */
type Result =
  | { from: string; rule: Rule }
  | { from: string; exists: true }
  | { from: string; error: { code: string; message: string } };

export function createImport(): Command {
  return addClientOptions(
    createCommand('import', {
      summary: 'Take over the rules of another agent: shows what becomes what, then asks once.',
      examples: [
        ['beckon rules import claude-code', 'permissions in ~/.claude and in .claude of this project'],
        ['beckon rules import codex ~/.codex/rules/default.rules', 'one file'],
        ['beckon rules import opencode --watch', 'first only note what the rules would have said'],
        ['beckon rules import claude-code --dry-run', 'only show it'],
      ],
      more: 'What Beckon cannot say exactly is listed and left out. It is never made wider.',
    })
      .argument('<agent>', IMPORT_AGENTS.join(', '))
      .argument('[file]', 'its file (default: the usual ones, of you and of this project)')
      .option('--folder <path>', 'the project’s folder (default: this one)')
      .option('--project <name>', 'only in projects of this name (default: any name in that folder)')
      .option('--watch', 'add them in watch: they decide nothing')
      .option('--dry-run', 'only show it')
      .option('--yes', 'do not ask')
      .option('--confirm', 'add also what contradicts people; what they denied stays with a person'),
  ).action(runImport);
}

async function runImport(agent: string, file: string | undefined, options: ImportOptions): Promise<void> {
  const files = readImports(agent, file, { folder: resolve(options.folder ?? '.'), project: options.project });
  const found = files.flatMap(({ drafts }) => drafts).map((one) => withMode(one, options));
  if (options.json !== true) for (const one of files) showFile(one);
  if (options.dryRun === true) {
    if (options.json === true) printJson({ files });
    return;
  }
  if (found.length === 0) {
    if (options.json === true) printJson({ files, results: [] });
    return note('There is nothing to add.');
  }
  const question = `Add ${count(found.length, 'rule')}?`;
  if (options.yes !== true && !(await confirm(question, 'Add --yes to add them, or --dry-run to see them.'))) return;
  const results = await withRules(options, (rules) => addAll(rules, found, options.confirm));
  if (options.json === true) printJson({ files, results });
  else showResults(results);
  if (results.some((result) => 'error' in result)) process.exitCode = EXIT.failed;
}

function withMode(imported: ImportedRule, { watch }: ImportOptions): ImportedRule {
  return watch === true ? { ...imported, draft: { ...imported.draft, mode: 'watch' } } : imported;
}

/** Adds what is not there yet, so that an import can be repeated. One that is refused does not stop the others. */
async function addAll(rules: Rules, found: readonly ImportedRule[], isSure: boolean | undefined): Promise<Result[]> {
  const known = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await rules.list({ after, limit: 200 });
    for (const { rule } of page.items) if (rule.stopped === undefined) known.add(toRuleKey(rule));
    after = page.next;
    if (after === undefined) break;
  }
  const results: Result[] = [];
  for (const { draft, from } of found) {
    const key = toRuleKey(draft);
    if (known.has(key)) results.push({ from, exists: true });
    else results.push(await addOne(rules, { draft, from }, isSure));
    known.add(key);
  }
  return results;
}

async function addOne(rules: Rules, { draft, from }: ImportedRule, isSure: boolean | undefined): Promise<Result> {
  try {
    return { from, rule: await rules.add(draft, { confirm: isSure }) };
  } catch (error) {
    // A rule that is refused is reported; that Beckon cannot be reached ends everything.
    if (!(error instanceof BeckonError) || !['rule_contradicts', 'invalid_input', 'forbidden'].includes(error.code))
      throw error;
    return { from, error: { code: error.code, message: error.message } };
  }
}

function showFile({ file, drafts, skipped }: ImportedFile): void {
  print(paint('bold', toVisibleLine(file, undefined, 'code')));
  for (const { draft, from, note: remark } of drafts) {
    print(`  ${toLine(from)}\n    → ${toSentence(draft)}`);
    if (remark !== undefined) print(`      ${remark}`);
  }
  for (const one of skipped) print(toSkippedLine(one));
  if (drafts.length + skipped.length === 0) print('  no rules');
}

function toSkippedLine({ text, why, effect, isCovered }: SkippedRule): string {
  if (isCovered === true) return `  ${toLine(text)}\n    – ${why}`;
  const mark = effect === 'deny' || effect === 'ask' ? paint('red', '✗ skipped') : paint('yellow', '– skipped');
  return `  ${toLine(text)}\n    ${mark}: ${toVisibleLine(why)}`;
}

function toLine(text: string): string {
  return toVisibleLine(text, 160, 'code');
}

function showResults(results: readonly Result[]): void {
  const added = results.filter((result) => 'rule' in result).length;
  const existing = results.filter((result) => 'exists' in result).length;
  print(
    `Added ${count(added, 'rule')}.${existing === 0 ? '' : ` ${existing} ${existing === 1 ? 'was' : 'were'} there already.`}`,
  );
  for (const result of results)
    if ('error' in result) note(`Not added: ${toLine(result.from)}: ${result.error.message}`);
  if (results.some((result) => 'error' in result && result.error.code === 'rule_contradicts')) {
    note('Add --confirm to add what contradicts people: what they denied stays with a person.');
  }
}
