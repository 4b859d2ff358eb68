import { texts } from './texts.ts';

/** Replaces a part that cannot be shown, and says why. */
export function ProblemBox({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div className="beckon-problem" role="note">
      <strong>{title}</strong>
      <ul>
        {lines.slice(0, 5).map((line, index) => (
          <li key={index}>{line.slice(0, 300)}</li>
        ))}
      </ul>
    </div>
  );
}

/** Replaces a part that is still loading. */
export function PendingBox() {
  return <div className="beckon-pending" role="img" aria-label={texts.pending} />;
}
