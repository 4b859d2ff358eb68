import type { Command } from 'commander';
import type { RuleChange } from '../../core/rules.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { Rule } from '../../protocol/rule.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { collect, createCommand } from '../command.ts';
import { readJson } from '../json-argument.ts';
import { print, printJson } from '../output.ts';
import { withConfirmHint } from '../rules/confirm.ts';
import { addScopeOptions, type ScopeOptions, toScope } from '../rules/draft-options.ts';
import { toSentence } from '../rules/rule-words.ts';
import { withRules } from '../rules/with-rules.ts';

interface EditOptions extends ClientOptions, ScopeOptions {
  until?: string | false;
  watch?: boolean;
  on?: boolean;
  match?: string[];
  notMatch?: string[];
  reason?: string;
  change?: string;
  confirm?: boolean;
}

export function createEdit(): Command {
  return addClientOptions(
    addScopeOptions(
      createCommand('edit', {
        summary: 'Change a rule. You become its author, and a stopped rule starts again.',
        examples: [
          ['beckon rules edit rule_… --until 7d', 'from now on, seven days more'],
          ['beckon rules edit rule_… --on', 'let a rule in watch decide, or start a stopped one'],
          ["beckon rules edit rule_… --not-match 'npm test -- --ui' --confirm", 'leave this to a person'],
          ['beckon rules edit rule_… --change \'{"scope":{}}\'', 'any field as JSON; null removes one'],
        ],
      }),
    )
      .option('--until <time>', 'how long it counts: 30m, 7d, or until 2026-01-31T12:00:00Z')
      .option('--no-until', 'it does not end')
      .option('--watch', 'decide nothing, only note')
      .option('--on', 'decide')
      .option('--match <example>', 'one more thing it must match; repeat it', collect)
      .option('--not-match <example>', 'one more thing it must leave alone; repeat it', collect)
      .option('--reason <text>', 'for people, and for the agent that is denied')
      .option('--change <json>', 'fields of the rule as JSON, @FILE, or - for stdin')
      .option('--confirm', 'change it although people decided otherwise'),
  )
    .argument('<id>', 'id of the rule, from "beckon rules list"')
    .action(runEdit);
}

async function runEdit(id: string, options: EditOptions): Promise<void> {
  const rule = await withRules(options, async (rules) => {
    const found = await rules.get(id);
    if (found === null) {
      throw new BeckonError('rule_not_found', `No rule with id ${JSON.stringify(id)}. See: beckon rules list`);
    }
    return withConfirmHint(rules.edit(id, toChange(found.rule, options), { confirm: options.confirm }));
  });
  if (options.json === true) printJson(rule);
  else print(`Changed ${rule.id}: ${toSentence(rule)}`);
}

function toChange({ scope, examples }: Rule, options: EditOptions): RuleChange {
  const { until, watch, on, match = [], notMatch = [], reason, change } = options;
  if (watch === true && on === true) throw new BeckonError('invalid_input', 'Expected one of --watch and --on.');
  const named = toScope(options);
  const changed: RuleChange = {
    ...(change !== undefined && readChange(change)),
    // Commander gives `true` for an option that has a `--no-` beside it and is not there.
    ...(typeof until === 'string' && { until }),
    ...(until === false && { until: null }),
    ...(watch === true && { mode: 'watch' as const }),
    ...(on === true && { mode: 'on' as const }),
    ...(reason !== undefined && { reason }),
    ...(Object.keys(named).length > 0 && { scope: { ...scope, ...named } }),
    ...(match.length + notMatch.length > 0 && {
      examples: { match: [...examples.match, ...match], notMatch: [...examples.notMatch, ...notMatch] },
    }),
  };
  if (Object.keys(changed).length === 0) {
    throw new BeckonError('invalid_input', 'Nothing to change. See: beckon rules edit --help');
  }
  return changed;
}

function readChange(argument: string): RuleChange {
  const change = readJson(argument, '--change');
  if (!isObject(change)) throw new BeckonError('invalid_input', '--change: expected a JSON object.');
  return change as RuleChange;
}
