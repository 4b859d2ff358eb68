import { describeOutcome } from '../../../../presentation/index.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { CommentCard } from './comment-card.tsx';
import { isStillIn } from './passages.ts';
import type { PlanVersion } from './plan-versions.ts';
import { texts } from './texts.ts';

/** An earlier version of a plan, with what became of it. */
export function VersionView({ version, plan }: { version: PlanVersion; plan: string }) {
  return (
    <div className="space-y-3 px-4 py-3">
      <VersionRemarks version={version} plan={plan} />
      <Markdown text={version.interaction.request.plan} />
    </div>
  );
}

/** How an earlier version ended, and which of its comments the plan of now still has the passage of. */
export function VersionRemarks({ version: { number, interaction }, plan }: { version: PlanVersion; plan: string }) {
  const { answer, status } = interaction;
  const comments = answer?.comments ?? [];
  return (
    <section aria-label={texts.remarks(number)} className="space-y-2">
      {status !== 'pending' && (
        <p className="text-xs text-muted [overflow-wrap:anywhere]">
          {`${texts.version(number)}: ${describeOutcome(interaction)}`}
        </p>
      )}
      {comments.map((comment, index) => (
        <CommentCard key={index} comment={comment} isThere={isStillIn(plan, comment.quote)} />
      ))}
    </section>
  );
}
