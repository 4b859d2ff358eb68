import { useLayoutEffect, useRef } from 'react';
import { toVisibleLine } from '../../../../presentation/index.ts';
import type { AnswerInput, Json } from '../../../../protocol/index.ts';
import { AgentTree, type OwnComponents } from '../../../render.tsx';
import { useIsInert } from '../../consent/use-consent.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { texts } from './texts.ts';

/** Draws the components of an agent. Without `onAct` they are read-only. */
export function DrawnTree({ tree, onAct }: { tree: Json; onAct?: ((answer: AnswerInput) => void) | undefined }) {
  const section = useRef<HTMLElement>(null);
  const isInert = useIsInert() && onAct !== undefined;
  // `beckon/react` makes the buttons and does not know this page's guard. They must not be painted as if enabled.
  useLayoutEffect(() => {
    for (const button of section.current?.querySelectorAll('button:not([role="tab"], [aria-expanded])') ?? []) {
      if (isInert) button.setAttribute('aria-disabled', 'true');
      else button.removeAttribute('aria-disabled');
    }
  }, [isInert]);
  return (
    <section ref={section} aria-label={texts.content} className="drawn min-w-0">
      <h2 className="sr-only">{texts.content}</h2>
      <AgentTree json={tree} components={OWN} {...(onAct !== undefined && { onCallback: onAct })} />
    </section>
  );
}

/** The page loads nothing from elsewhere, and formats Markdown in a worker. */
const OWN: OwnComponents = {
  image: ({ src, alt }: Unchecked) => <Elsewhere address={src} name={alt} />,
  embed: ({ url, title }: Unchecked) => <Elsewhere address={url} name={title} />,
  markdown: ({ content }: Unchecked) => <Markdown text={typeof content === 'string' ? content : ''} />,
};

type Unchecked = Readonly<Record<string, unknown>>;

function Elsewhere({ address, name }: { address: unknown; name: unknown }) {
  const host = typeof address === 'string' && URL.canParse(address) ? new URL(address).host : '';
  return (
    <p className="rounded-md border border-dashed border-line-strong px-3 py-2 text-sm text-muted">
      {typeof name === 'string' && name !== '' && `${toVisibleLine(name, 200)}: `}
      {texts.elsewhere(toVisibleLine(host, 100))}
    </p>
  );
}
