import type { ReactNode } from 'react';
import { isSafeLink } from '../components/url.ts';

/** A link that leads only where an agent's link may lead, in a window of its own. Elsewhere it is text. */
export function SafeLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined || !isSafeLink(href)) return <span>{children}</span>;
  return (
    <a
      className="beckon-link"
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerPolicy="no-referrer"
    >
      {children}
    </a>
  );
}
