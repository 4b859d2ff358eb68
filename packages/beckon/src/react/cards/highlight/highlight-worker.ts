import { createLowlight } from 'lowlight';
import { type CodeNode, cutTree } from './cut-tree.ts';
import { loadGrammar } from './languages.ts';
import type { HighlightJob, HighlightReply, Token } from './token.ts';

/** Grammars take quadratic time on a long word. */
const LINE_CHARS = 2_000;
const low = createLowlight();

self.addEventListener('message', ({ data }: MessageEvent<HighlightJob>) => {
  void highlight(data);
});

async function highlight({ id, language, texts }: HighlightJob): Promise<void> {
  try {
    if (!low.registered(language)) {
      const grammar = await loadGrammar(language);
      if (grammar === null) return reply({ id, state: 'done', lines: null });
      low.register(language, grammar);
    }
    reply({ id, state: 'ready' });
    reply({ id, state: 'done', lines: texts.map((text) => toTokens(text, language)) });
  } catch {
    reply({ id, state: 'done', lines: null }); // The text is shown plainly.
  }
}

function toTokens(text: string, language: string): Token[][] {
  const lines = text.split('\n').map((line) => (line.length > LINE_CHARS ? '' : line));
  return cutTree(low.highlight(language, lines.join('\n')).children as CodeNode[]);
}

function reply(message: HighlightReply): void {
  self.postMessage(message);
}
