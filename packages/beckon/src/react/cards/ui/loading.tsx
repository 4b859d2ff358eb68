import { texts } from './texts.ts';

/** Gray bars while content loads. They appear late, so fast loads do not flicker. */
export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div role="status" className="space-y-4 p-4">
      <span className="sr-only">{texts.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} aria-hidden="true" className="late space-y-2">
          <div className="h-3.5 w-2/3 rounded bg-hover" />
          <div className="h-3 w-1/3 rounded bg-hover" />
        </div>
      ))}
    </div>
  );
}
