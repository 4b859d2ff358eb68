import type { ReactNode } from 'react';
import { isSafeLink } from '../components/url.ts';

/** An agent's link, opened in a new window. An unsafe address makes it plain text. */
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
