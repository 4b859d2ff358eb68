import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, writePrivateFile } from '../../machine/private-file.ts';
import { toHome, toHomeFile } from '../../where/home.ts';
import { readJsonFile } from '../../where/read-file.ts';
import { forgetOld } from './forget-old.ts';
import type { SentHook } from './sent-hook.ts';

/** What a person told an agent: first, which is what the session is about, and last. */
export interface Prompts {
  title?: string;
  prompt?: string;
}

/** More than anybody reads before a decision. */
const MOST_CHARS = 20_000;

/**
 * Keeps what the person told an agent whose transcript Beckon cannot read: a later hook of the session, which is
 * another process, shows it to the people that it asks. It is kept on this machine alone, until the session ends.
 */
export function notePrompt({ dialect, event, sessionId, hook }: SentHook): void {
  if (dialect.hasTranscript === true || sessionId === undefined) return;
  const path = toPath(dialect.agent, sessionId);
  if (event === 'SessionEnd') return rmSync(path, { force: true });
  const { prompt } = hook;
  if (event !== 'UserPromptSubmit' || typeof prompt !== 'string') return;
  const last = prompt.slice(0, MOST_CHARS);
  const { title = last } = readPrompts(dialect.agent, sessionId);
  makePrivateFolder(toFolder());
  writePrivateFile(path, JSON.stringify({ title, prompt: last } satisfies Prompts));
  forgetOld(toFolder());
}

/** What was kept about a session; nothing if there is nothing that can be read. */
export function readPrompts(agent: string, sessionId: string): Prompts {
  const { title, prompt } = readJsonFile(toPath(agent, sessionId));
  return { ...(typeof title === 'string' && { title }), ...(typeof prompt === 'string' && { prompt }) };
}

function toFolder(): string {
  return toHomeFile(toHome(process.env), 'prompts');
}

// The id of a session may be any text, so it cannot be a name.
function toPath(agent: string, sessionId: string): string {
  return join(toFolder(), `${hash('sha256', JSON.stringify([agent, sessionId])).slice(0, 32)}.json`);
}
