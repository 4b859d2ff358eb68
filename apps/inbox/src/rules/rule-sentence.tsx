import type { Rule, RuleDraft } from 'beckon/client';
import { type SentencePiece, toRuleSentence } from 'beckon/rules';
import { formatShort } from '../interactions/instants.ts';

/** What a rule says, in a sentence. Commands and paths in it are set apart. */
export function RuleSentence({ rule }: { rule: Rule | RuleDraft }) {
  return <Pieces pieces={toPieces(rule)} />;
}

/** The same as plain text, for names and messages. */
export function toSentence(rule: Rule | RuleDraft): string {
  return toPieces(rule)
    .map(({ text }) => text)
    .join('');
}

/** A sentence of the server, in which backticks set code apart. */
export function TickedText({ text }: { text: string }) {
  return (
    <Pieces pieces={text.split('`').map((part, place) => ({ text: part, ...(place % 2 === 1 && { isCode: true }) }))} />
  );
}

function Pieces({ pieces }: { pieces: readonly SentencePiece[] }) {
  return pieces.map(({ text, isCode }, place) =>
    isCode ? (
      <code key={place} className="rounded bg-hover px-1 font-mono text-[0.92em] [overflow-wrap:anywhere]">
        {text}
      </code>
    ) : (
      <span key={place}>{text}</span>
    ),
  );
}

function toPieces(rule: Rule | RuleDraft): SentencePiece[] {
  return toRuleSentence(rule, { toTime: (at) => formatShort(at, new Date()) });
}
