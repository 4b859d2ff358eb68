import type { Json, JsonObject } from '../protocol/json.ts';
import { checkAddress } from './addresses.ts';
import { assessCommand } from './assess-command.ts';
import type { Code, Report } from './codes.ts';
import { findSqlCode } from './databases.ts';
import { findReadCodes, findWriteCodes, type Where } from './files.ts';
import { checkCharacters, checkSecret } from './texts.ts';

/** Reports about the text at a path of the input. */
export type ReportAt = (path: readonly string[], text: string) => Report;

/** What a tool does by the words of its name, the gravest first. */
const VERBS: readonly (readonly [Code, RegExp])[] = [
  [
    'tool-deletes',
    /^(?:delete|drop|destroy|remove|purge|wipe|truncate|erase|terminate|revoke|uninstall|reset|unpublish|cancel|disable|kill|shutdown|flush)$/,
  ],
  [
    'tool-pays',
    /^(?:pay|payment|payments|payout|transfer|purchase|buy|charge|refund|order|checkout|withdraw|invoice|trade|sell|wire|subscribe)$/,
  ],
  [
    'tool-runs',
    /^(?:execute|exec|run|eval|evaluate|shell|command|script|terminal|bash|spawn|invoke|sql|apply|deploy|console)$/,
  ],
  [
    'tool-sends',
    /^(?:send|email|mail|message|post|publish|tweet|share|reply|comment|invite|notify|upload|forward|merge|submit|push|call|sms|broadcast|release|grant)$/,
  ],
];
const COMMAND_FIELD = /^(?:command|cmd|script|shell|bash|commandLine|command_line)$/i;
const SQL_FIELD = /^(?:sql|query|statement|statements|mutation)$/i;
const PATH_FIELD = /^(?:path|file|file_path|filePath|filename|source|destination|target|dest|dir|directory|uri)$/i;
const MOST_TEXTS = 500;

/** Reports what is special about a tool that Beckon does not know: by its name, and by what its input says. */
export function assessTool(tool: string, input: JsonObject, where: Where, reportAt: ReportAt, report: Report): void {
  const name = tool.startsWith('mcp__') ? (tool.split('__').at(-1) ?? '') : tool;
  const words = toWords(name);
  const reads = /^(?:get|list|read|search|fetch|find|describe|show|view|query|count|check|preview|validate)$/.test(
    words[0] ?? '',
  );
  const texts = toTexts(input);
  const verb = reads ? undefined : VERBS.find(([, pattern]) => words.some((word) => pattern.test(word)));
  const code = verb?.[0];
  // The name of a tool for git means what it means in git.
  if (code === 'tool-deletes' && words.includes('git') && words.includes('reset')) report('discard-work');
  // What an SQL tool runs is in its input, and is looked at below.
  else if (code !== undefined && !(code === 'tool-runs' && words.includes('sql') && isQuery(texts))) report(code);
  if (words.some((word) => /^(?:dangerous|dangerously|unsafe|unsafely|bypass|yolo)$/.test(word)))
    report('check-skipped');
  checkCharacters(tool, (code) => report(code));
  const writes = words.some((word) =>
    /^(?:write|edit|create|save|move|copy|append|put|update|delete|remove|rename)$/.test(word),
  );
  for (const { text, path } of texts) {
    const at = reportAt(path, text);
    const field = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
    if (COMMAND_FIELD.test(field)) assessCommand({ text }, where, at);
    if (SQL_FIELD.test(field) || /sql|query|database/i.test(name)) {
      const found = findSqlCode(text);
      if (found !== undefined) at(found);
    }
    if (/^https?:\/\/|^file:/i.test(text)) checkAddress(text, (code) => at(code), 'tool');
    else if (PATH_FIELD.test(field) && text.length < 4096) {
      for (const code of writes ? findWriteCodes(text, where) : findReadCodes(text, where)) at(code);
    }
    checkCharacters(text, at);
    checkSecret(text, at);
  }
}

/** Whether a call has SQL, and all of it only reads. */
function isQuery(texts: readonly Text[]): boolean {
  const queries = texts.filter(({ path }) => SQL_FIELD.test(path.at(-1) ?? ''));
  return (
    queries.length > 0 &&
    queries.every(
      ({ text }) =>
        /^\s*(?:select|show|explain|describe|values|table)\b/i.test(text) && findSqlCode(text) === undefined,
    )
  );
}

interface Text {
  text: string;
  path: string[];
}

function toWords(name: string): string[] {
  return name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** The texts of an input, and the paths that lead to them. */
function toTexts(input: JsonObject): Text[] {
  const texts: Text[] = [];
  const visit = (value: Json, path: string[]): void => {
    if (texts.length >= MOST_TEXTS) return;
    if (typeof value === 'string') texts.push({ text: value, path });
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name]);
  };
  visit(input, []);
  return texts;
}
