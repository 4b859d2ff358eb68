import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { isSafeSource } from '../../components/url.ts';
import { SafeLink } from '../safe-link.tsx';
import { texts } from '../texts.ts';
import { parseMarkdown } from './parse.ts';
import { PlainText } from './plain-text.tsx';
import type { MarkdownElement, MarkdownNode } from './tree.ts';

/** Markdown without HTML, which is shown as text. It loads nothing. */
export function FormattedText({ text }: { text: string }) {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  return nodes === null ? <PlainText text={text} /> : <div className="beckon-text">{draw(nodes)}</div>;
}

function draw(nodes: readonly MarkdownNode[]): ReactNode[] {
  return nodes.map((node, index) =>
    typeof node === 'string' ? node : <Fragment key={index}>{drawElement(node)}</Fragment>,
  );
}

function drawElement({ tag, children, href, src, alt, checked, start, align }: MarkdownElement): ReactNode {
  switch (tag) {
    case 'a':
      return <SafeLink href={href}>{draw(children)}</SafeLink>;
    case 'img':
      return <NamedImage alt={alt} src={src} />;
    case 'input':
      return <input type="checkbox" checked={checked === true} disabled readOnly aria-label="" />;
    case 'pre':
      return <pre tabIndex={0}>{draw(children)}</pre>;
    case 'table':
      return (
        <div className="beckon-scroll" role="region" aria-label={texts.table} tabIndex={0}>
          <table className="beckon-grid">{draw(children)}</table>
        </div>
      );
    case 'ol':
      return <ol start={start}>{draw(children)}</ol>;
    case 'br':
    case 'hr':
      return createElement(tag);
    default:
      return createElement(tag, align && { style: { textAlign: align } }, ...draw(children));
  }
}

/** The address of an image would tell its owner who reads this and when, so the image is only named. */
function NamedImage({ alt, src }: { alt: string | undefined; src: string | undefined }) {
  return (
    <span className="beckon-placeholder">
      {texts.image}
      {alt ? `: ${alt}` : ''}
      {src !== undefined && isSafeSource(src) && ` (${new URL(src).host})`}
    </span>
  );
}
