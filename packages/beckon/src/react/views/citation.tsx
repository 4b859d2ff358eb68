import type { CitationProps } from '../../components/citation.ts';
import { MarkdownText } from '../markdown/markdown-text.tsx';
import { SafeLink } from '../safe-link.tsx';

export function CitationView({ title, url, author, date, quote, content }: CitationProps) {
  const host = url !== undefined && url.startsWith('http') ? new URL(url).host : undefined;
  const origin = [author, date, host].filter((part) => part !== undefined && part !== '');
  return (
    <figure className="beckon-citation">
      {quote !== undefined && <blockquote>{quote}</blockquote>}
      {content !== undefined && <MarkdownText text={content} />}
      <figcaption>
        <cite>{url === undefined ? title : <SafeLink href={url}>{title}</SafeLink>}</cite>
        {origin.length > 0 && <span className="beckon-note">{origin.join(' · ')}</span>}
      </figcaption>
    </figure>
  );
}
