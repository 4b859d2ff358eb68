import { Button } from 'beckon/react/parts';
import { useState } from 'react';
import { texts } from './texts.ts';

/** Copies a text, and says whether that worked. `label` names what is copied, where there are several. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      // Browsers have it only on secure pages.
      await navigator.clipboard.writeText(text);
      setSaid(texts.copied);
    } catch {
      setSaid(texts.copyFailed);
    }
  };
  return (
    <span className="inline-flex items-center gap-2">
      <Button size="small" {...(label !== undefined && { 'aria-label': label })} onClick={() => void copy()}>
        {texts.copy}
      </Button>
      <span role="status" className="text-xs text-muted empty:-ml-2">
        {said}
      </span>
    </span>
  );
}
