import { useMemo } from 'react';
import { toQrPath } from './qr-path.ts';

/** A text as a QR code. It is black on white in every theme: many phones cannot read the reverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => toQrPath(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block w-full max-w-64 rounded-lg border border-line bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
