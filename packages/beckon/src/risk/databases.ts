import type { FoundWord } from '../calls/find-commands.ts';
import type { Code } from './codes.ts';
import type { Look } from './look.ts';

const CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|cockroach|clickhouse-client|duckdb|mongo(?:sh)?|redis-cli|cqlsh|bq|snowsql|usql|pgcli|mycli|litecli|turso|wrangler|prisma|supabase|sqlplus|isql|neonctl|pscale)$/;
const DROPS =
  /\bdrop\s+(?:database|schema|table|keyspace|collection|user|role|view|index)\b|\btruncate\s+(?:table\s+)?["`\w]|\bdropDatabase\s*\(|\.drop\s*\(|\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\)|\bflush(?:all|db)\b/i;
const CHANGES =
  /\b(?:insert\s+into|update\s+["`\w.]+\s+set|delete\s+from|(?:alter|drop|create(?:\s+or\s+replace)?)\s+(?:temp(?:orary)?\s+|unique\s+|materialized\s+)?(?:table|index|database|user|role|extension|schema|view|function|procedure|trigger|type|sequence|policy|domain|publication)|grant\s+\w|revoke\s+\w|replace\s+into|merge\s+into|copy\s+["`\w.]+\s+from|insert(?:One|Many)\s*\(|update(?:One|Many)\s*\(|delete(?:One|Many)\s*\(|vacuum\s+full)/i;
const MOST_CHARS = 65_536;

/** What a text in SQL, or for a database's shell, does. */
export function findSqlCode(text: string): Code | undefined {
  const sql = text
    .slice(0, MOST_CHARS)
    .replaceAll(/\/\*[^*]{0,500}\*\//g, ' ')
    .replaceAll(/\s+/g, ' ');
  if (DROPS.test(sql)) return 'database-drop';
  for (const statement of sql.split(';')) {
    if (
      /\b(?:delete from|update) ["`\w.]+/i.test(statement) &&
      !/\b(?:where|limit|using|select|returning)\b/i.test(statement)
    ) {
      if (/\bdelete from ["`\w.]+/i.test(statement) || /\bupdate ["`\w.]+ set /i.test(statement))
        return 'database-drop';
    }
  }
  return CHANGES.test(sql) ? 'database-change' : undefined;
}

/** Texts that a command gives to a database. */
export function checkDatabases({ program, args, command, report }: Look): void {
  if (!CLIENTS.test(program)) return;
  for (const word of args) reportSql(word, report);
  for (const from of command.pipedFrom) for (const word of from.words.slice(1)) reportSql(word, report);
}

function reportSql(word: FoundWord, report: Look['report']): void {
  const code = findSqlCode(word.text);
  if (code !== undefined) report(code, word);
}
