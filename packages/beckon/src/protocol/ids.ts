import * as z from 'zod/mini';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

/**
 * An id that is safe in a URL path, a file name, a log line and a SQL parameter. Telegram's chat ids (`-100123`),
 * Claude's tool use ids (`toolu_…`) and `user@host` are within the alphabet.
 */
export const Id = z
  .string()
  .check(
    must(
      `1 to ${LIMITS.idChars} characters of A-Z a-z 0-9 . _ : @ + = ~ - (and not "." or "..")`,
      (id) => id.length <= LIMITS.idChars && /^[\w.:@+=~-]+$/.test(id) && id !== '.' && id !== '..',
    ),
  );

/** The chat of an interaction whose agent names none. */
export const DEFAULT_CHAT_ID = 'default';
