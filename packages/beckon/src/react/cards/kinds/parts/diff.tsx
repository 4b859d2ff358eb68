import { type ComponentProps, lazy, Suspense } from 'react';
import { useAwaited } from '../../consent/use-consent.ts';
import { texts } from './texts.ts';

const DiffView = lazy(async () => {
  const { DiffView: View } = await import('./diff-view.tsx');
  return { default: View };
});

const FileDiffsView = lazy(async () => {
  const { FileDiffsView: View } = await import('./file-diffs-view.tsx');
  return { default: View };
});

/** A diff of two texts. The code that compares them is loaded on demand. */
export function Diff(props: ComponentProps<typeof DiffView>) {
  return (
    <Suspense fallback={<Comparing />}>
      <DiffView {...props} />
    </Suspense>
  );
}

/** The diffs of a call that changes files, loaded on demand. */
export function FileDiffs(props: ComponentProps<typeof FileDiffsView>) {
  return (
    <Suspense fallback={<Comparing />}>
      <FileDiffsView {...props} />
    </Suspense>
  );
}

/** Stands for a diff that is not there yet. Until it is, nobody can decide. */
export function Comparing() {
  useAwaited();
  return <p className="late px-3 py-2 text-sm text-muted">{texts.diff.comparing}</p>;
}
