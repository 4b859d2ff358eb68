import type { Command } from 'commander';
import { checkAnswerOnly } from '../../core/access.ts';
import type { TokenRecord } from '../../core/store.ts';
import { findStore, withStore } from '../../daemon/local-store.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { Id } from '../../protocol/ids.ts';
import { parse } from '../../protocol/parse.ts';
import { ROLES, Role } from '../../protocol/token.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { createCommand, createGroup } from '../command.ts';
import { formatTable, note, print, printJson } from '../output.ts';

interface TokenOptions {
  store?: string;
  json?: boolean;
}

export function createToken(): Command {
  const token = createGroup('token', {
    summary: 'Decide who may come in. Works on the store itself, whether Beckon runs or not.',
    examples: [
      ['beckon token create ci --role agent', 'asks and waits, sees only what it asked; printed once'],
      ['beckon token create ada --role person --chat ops', 'sees and answers one conversation'],
      ['beckon token create bo --role person --answer-only', 'answers, but changes no input and makes no rule'],
      ['beckon token list', 'names and roles, no secrets'],
      ['beckon token revoke ci', 'refused from then on, within a second'],
    ],
  });
  token.addCommand(createCreate());
  token.addCommand(createListTokens());
  token.addCommand(createRevoke());
  return token;
}

function createCreate(): Command {
  return addStoreOptions(
    createCommand('create', {
      summary: 'Create a token and print it. It cannot be shown again.',
      examples: [['export BECKON_TOKEN=$(beckon token create ci --role agent)', 'for a script']],
    })
      .argument('<name>', 'who has it; people see it as the one who answered')
      .requiredOption('--role <role>', 'agent: ask and wait; person: see and answer; admin: everything')
      .option('--chat <id>', 'only for this conversation')
      .option('--answer-only', 'for a person: may answer, but not change what runs, nor make rules'),
  ).action(async (name: string, options: TokenOptions & { role: string; chat?: string; answerOnly?: boolean }) => {
    const caller = {
      name: parse(Id, name, { what: 'name' }),
      role: parse(Role, options.role, { what: `--role (${ROLES.join(', ')})` }),
      ...(options.chat !== undefined && { chatId: parse(Id, options.chat, { what: '--chat' }) }),
      ...(options.answerOnly === true && { answerOnly: true }),
    };
    checkAnswerOnly(caller.role, options.answerOnly === true);
    const { Tokens } = await import('../../runtime/tokens.ts');
    const { systemClock } = await import('../../runtime/system-clock.ts');
    const token = await withStore(options, ({ tokens }) => new Tokens({ tokens, clock: systemClock }).create(caller));
    if (options.json === true) return printJson({ ...caller, token });
    print(token);
    if (process.stdout.isTTY) note('This is the only time it is shown. Give it to its user as BECKON_TOKEN.');
  });
}

function createListTokens(): Command {
  return addStoreOptions(
    createCommand('list', { summary: 'List the tokens, without their secrets.', examples: [] }),
  ).action(async (options: TokenOptions) => {
    const records = await withStore(options, ({ tokens }) => tokens.list());
    if (options.json === true) return printJson(records.map(toShown));
    if (records.length === 0)
      return note(`No tokens in ${await findStore(options)}. "beckon up" creates the first one.`);
    print(
      formatTable(
        ['NAME', 'ROLE', 'CHAT', 'CREATED'],
        records.map(({ name, role, answerOnly, chatId, createdAt }) => [
          name,
          answerOnly === true ? `${role}, answers only` : role,
          chatId ?? 'all',
          toLocalTime(createdAt),
        ]),
      ),
    );
  });
}

function createRevoke(): Command {
  return addStoreOptions(
    createCommand('revoke', {
      summary: 'Take a token back. A running Beckon refuses it within a second.',
      examples: [['beckon token revoke ci', '']],
    }).argument('<name>', 'as "beckon token list" shows it'),
  ).action(async (name: string, options: TokenOptions) => {
    const isRevoked = await withStore(options, ({ tokens }) => tokens.remove(name));
    if (!isRevoked) {
      throw new BeckonError(
        'token_not_found',
        `There is no token with the name ${JSON.stringify(name)}. See: beckon token list`,
      );
    }
    if (options.json === true) printJson({ revoked: name });
    else print(`Revoked ${name}`);
  });
}

function addStoreOptions(command: Command): Command {
  return command
    .option('--store <store>', 'sqlite:FILE or postgres://… (default: that of the Beckon on this machine)')
    .option('--json', 'print JSON');
}

function toShown({ id, name, role, chatId, answerOnly, createdAt }: TokenRecord): object {
  return {
    id,
    name,
    role,
    ...(chatId !== undefined && { chatId }),
    ...(answerOnly === true && { answerOnly }),
    createdAt,
  };
}
