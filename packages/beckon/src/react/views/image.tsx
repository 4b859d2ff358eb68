import { useState } from 'react';
import type { ImageProps } from '../../components/image.ts';
import { SafeLink } from '../safe-link.tsx';
import { texts } from '../texts.ts';

export function ImageView({ src, alt = '', caption, href }: ImageProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const picture =
    failed === src ? (
      <span className="beckon-placeholder">
        {texts.image}
        {alt === '' ? '' : `: ${alt}`} ({new URL(src).host})
      </span>
    ) : (
      <img src={src} alt={alt} loading="lazy" referrerPolicy="no-referrer" onError={() => setFailed(src)} />
    );
  return (
    <figure className="beckon-image">
      {href === undefined ? picture : <SafeLink href={href}>{picture}</SafeLink>}
      {caption !== undefined && <figcaption className="beckon-note">{caption}</figcaption>}
    </figure>
  );
}
