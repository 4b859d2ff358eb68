import type { Command } from 'commander';
import { checkAnswerOnly } from '../../core/access.ts';
import type { TokenRecord } from '../../core/stored-logins.ts';
import { findStore, withStore } from '../../daemon/local-store.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { Id } from '../../protocol/ids.ts';
import { parse } from '../../protocol/parse.ts';
import { ROLES, Role } from '../../protocol/token.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { createCommand, createGroup } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { formatTable } from '../table.ts';

interface TokenOptions {
  store?: string;
  json?: boolean;
}

interface CreateOptions extends TokenOptions {
  role: string;
  chat?: string;
  owner?: string;
  answerOnly?: boolean;
}

export function createToken(): Command {
  const token = createGroup('token', {
    summary: 'Manage access tokens. Works on the store itself, even if Beckon is not running.',
    examples: [
      ['beckon token create ci --role agent', 'can ask and wait, and sees only its own requests'],
      ['beckon token create builder --role agent --owner ada', 'an agent of ada, who may make rules for it'],
      ['beckon token create ada --role person --chat ops', 'can see and answer one chat'],
      ['beckon token create bo --role person --answer-only', 'can answer, but not edit inputs or add rules'],
      ['beckon token list', 'show names and roles, but no secrets'],
      ['beckon token revoke ci', 'reject the token from now on'],
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
      summary: 'Create a token and print it. It is shown only once.',
      examples: [['export BECKON_TOKEN=$(beckon token create ci --role agent)', 'use it in a script']],
    })
      .argument('<name>', 'who uses it; others see this name')
      .requiredOption('--role <role>', 'agent: ask and wait; person: see and answer; admin: everything')
      .option('--chat <id>', 'only this chat')
      .option('--owner <name>', 'for an agent: the person who may make rules for it')
      .option('--answer-only', 'for a person: can answer, but not change what runs or add rules'),
  ).action(async (name: string, options: CreateOptions) => {
    const caller = {
      name: parse(Id, name, { what: 'name' }),
      role: parse(Role, options.role, { what: `--role (${ROLES.join(', ')})` }),
      ...(options.chat !== undefined && { chatId: parse(Id, options.chat, { what: '--chat' }) }),
      ...(options.answerOnly === true && { answerOnly: true }),
      ...(options.owner !== undefined && { owner: parse(Id, options.owner, { what: '--owner' }) }),
    };
    checkAnswerOnly(caller.role, options.answerOnly === true);
    if (options.owner !== undefined && caller.role !== 'agent') {
      throw new BeckonError(
        'invalid_input',
        `Only an agent has an owner, got the role ${JSON.stringify(caller.role)}.`,
      );
    }
    const { Tokens } = await import('../../runtime/tokens.ts');
    const { systemClock } = await import('../../runtime/system-clock.ts');
    const token = await withStore(options, ({ tokens }) => new Tokens({ tokens, clock: systemClock }).create(caller));
    if (options.json === true) return printJson({ ...caller, token });
    print(token);
    if (process.stdout.isTTY) note('The token is shown only now. Give it to its user, as BECKON_TOKEN.');
  });
}

function createListTokens(): Command {
  return addStoreOptions(
    createCommand('list', {
      summary: 'List the tokens, without their secrets.',
      examples: [['beckon token list --json', 'print a JSON array']],
    }),
  ).action(async (options: TokenOptions) => {
    const records = await withStore(options, ({ tokens }) => tokens.list());
    if (options.json === true) return printJson(records.map(toShown));
    if (records.length === 0)
      return note(`There are no tokens in ${await findStore(options)}. "beckon up" creates the first one.`);
    print(
      formatTable(
        ['NAME', 'ROLE', 'CHAT', 'CREATED', 'LAST USED'],
        records.map(({ name, role, answerOnly, owner, chatId, createdAt, lastUsedAt }) => [
          name,
          answerOnly === true ? `${role}, answers only` : owner === undefined ? role : `${role} of ${owner}`,
          chatId ?? 'all',
          toLocalTime(createdAt),
          lastUsedAt === undefined ? 'never' : toLocalTime(lastUsedAt),
        ]),
      ),
    );
  });
}

function createRevoke(): Command {
  return addStoreOptions(
    createCommand('revoke', {
      summary: 'Revoke a token. A running Beckon rejects it within a second.',
      examples: [['beckon token revoke ci', 'the token "ci" stops working']],
    }).argument('<name>', 'name of the token, from "beckon token list"'),
  ).action(async (name: string, options: TokenOptions) => {
    const isRevoked = await withStore(options, ({ tokens }) => tokens.remove(name, new Date().toISOString()));
    if (!isRevoked) {
      throw new BeckonError('token_not_found', `No token named ${JSON.stringify(name)}. See: beckon token list`);
    }
    if (options.json === true) printJson({ revoked: name });
    else print(`Revoked ${name}`);
  });
}

function addStoreOptions(command: Command): Command {
  return command
    .option('--store <store>', 'sqlite:FILE or postgres://… (default: the store of Beckon on this machine)')
    .option('--json', 'print JSON');
}

function toShown(token: TokenRecord): object {
  const { id, name, role, chatId, answerOnly, owner, machine, createdAt, lastUsedAt } = token;
  return {
    id,
    name,
    role,
    ...(chatId !== undefined && { chatId }),
    ...(answerOnly === true && { answerOnly }),
    ...(owner !== undefined && { owner }),
    ...(machine !== undefined && { machine }),
    createdAt,
    ...(lastUsedAt !== undefined && { lastUsedAt }),
  };
}
