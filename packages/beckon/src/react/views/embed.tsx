import type { EmbedProps } from '../../components/embed.ts';
import { SafeLink } from '../safe-link.tsx';
import { texts } from '../texts.ts';

/** The framed page has its own origin: it may run scripts, but cannot reach the page around it. */
export function EmbedView({ url, title, height = '400px' }: EmbedProps) {
  const { host } = new URL(url);
  return (
    <figure className="beckon-embed">
      <iframe
        src={url}
        title={title ?? host}
        style={{ height: /\d$/.test(height) ? `${height}px` : height }}
        sandbox="allow-scripts"
        allow="fullscreen"
        referrerPolicy="no-referrer"
        loading="lazy"
      />
      <figcaption className="beckon-note">
        {title !== undefined && <span>{title} · </span>}
        <SafeLink href={url}>{texts.openEmbed(host)}</SafeLink>
      </figcaption>
    </figure>
  );
}
