import type { Context } from '../protocol/context.ts';

/** How much of a context is kept. The hook command loads this module on every call, so it imports nothing. */
export const CONTEXT_LEVELS = ['full', 'summary', 'off'] as const;
export type ContextLevel = (typeof CONTEXT_LEVELS)[number];

/** Most characters of the message in a summary. */
const MESSAGE_CHARS = 500;

/**
 * What is left of a context. `summary`: the place, the title, the start of the message, and the files without their
 * contents. Their hashes stay, because they guard what is allowed.
 */
export function limitContext(context: Context, level: 'full' | 'summary'): Context;
export function limitContext(context: Context, level: ContextLevel): Context | undefined;
export function limitContext(context: Context, level: ContextLevel): Context | undefined {
  switch (level) {
    case 'full':
      return context;
    case 'off':
      return undefined;
    case 'summary': {
      const { prompt: _, calls: __, conversation: ___, message, files, ...place } = context;
      return {
        ...place,
        ...(message !== undefined && { message: message.slice(0, MESSAGE_CHARS) }),
        ...(files !== undefined && { files: files.map(({ before: ____, why: _____, ...file }) => file) }),
      };
    }
  }
}
