import type { AnswerResult } from 'beckon/client';
import { describePlace, toAsker, toHeadline } from 'beckon/presentation';
import {
  type AnswerInput,
  BeckonError,
  type Interaction,
  LIMITS,
  type RiskLevel,
  toApprovalAbilities,
} from 'beckon/protocol';
import {
  answeringTexts,
  Button,
  consent,
  DecisionButton,
  Icon,
  IconButton,
  KeyHint,
  LevelBadge,
  Notice,
  toMessage,
  useInSightOver,
  useKey,
  useLevelCount,
  useLevels,
} from 'beckon/react/parts';
import { useId, useState } from 'react';
import { useApp } from '../../live/app-context.ts';
import { usePending } from '../../live/use-pending.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { describeBulk } from './bulk-summary.ts';
import { bulkTexts } from './bulk-texts.ts';

/**
 * Several approvals, each readable, for one decision. Only what was there when it opened is decided, as far as it is
 * still pending and was not taken out.
 */
export function BulkDialog({
  interactions,
  onClose,
  onDecided,
}: {
  interactions: readonly Interaction[];
  onClose: () => void;
  onDecided: (results: readonly AnswerResult[]) => void;
}) {
  const { answers, me } = useApp();
  const { toasts, announcer } = useUi();
  const pending = usePending();
  const id = useId();
  const [listed] = useState(() => interactions.slice(0, LIMITS.pageItems));
  const [takenOut, setTakenOut] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const [state, setState] = useState<{ isBusy: boolean; refusal?: string; error?: unknown }>({ isBusy: false });
  const ids = listed.map((one) => one.id).filter((one) => pending.items.has(one) && !takenOut.has(one));
  const wordless = listed.filter(
    (one) => ids.includes(one.id) && one.kind === 'approval' && !toApprovalAbilities(one.request).denyText,
  ).length;
  const levels = useLevels();
  useLevelCount();
  // What is dangerous, or not known not to be, is allowed only by itself.
  const isAlone = (one: string): boolean => (levels.get(one) ?? 'dangerous') === 'dangerous';
  const together = ids.filter((one) => !isAlone(one));
  // Whatever changes which requests are decided must be seen before the next press counts.
  const sight = `bulk ${id}`;
  useInSightOver(sight, [...ids, '', ...together].join(' '));

  const decide = async (decision: 'allow' | 'deny'): Promise<void> => {
    const decided = decision === 'allow' ? together : ids;
    if (state.isBusy || decided.length === 0) return;
    const message = decision === 'deny' && wordless === 0 ? reason.trim() : '';
    const answer: AnswerInput = { decision, ...(message !== '' && { message }) };
    const checkPress = (): void => {
      const refusal = consent.decide(sight);
      if (refusal === null) return;
      throw new RefusedPress(answeringTexts.notSent[refusal]);
    };
    setState({ isBusy: true });
    try {
      const results = await answers.sendMany(decided, answer, me.who, checkPress);
      toasts.show(describeBulk(results, decision));
      onDecided(results);
      onClose();
    } catch (error) {
      if (error instanceof RefusedPress) announcer.say(error.message);
      setState({ isBusy: false, ...(error instanceof RefusedPress ? { refusal: error.message } : { error }) });
    }
  };
  const isRefused = state.error instanceof BeckonError && state.error.code === 'invalid_answer';
  useKey('y', () => void decide('allow'), { isInDialog: true });
  useKey('n', () => void decide('deny'), { isInDialog: true });
  return (
    <Dialog
      title={bulkTexts.title(ids.length)}
      description={bulkTexts.hint}
      size="wide"
      onClose={onClose}
      footer={
        <div className="flex w-full flex-wrap items-center gap-2">
          {wordless > 0 ? (
            <p className="min-w-0 flex-1 basis-full text-xs text-muted sm:basis-0">{bulkTexts.wordless(wordless)}</p>
          ) : (
            <>
              <label htmlFor={`${id}-reason`} className="sr-only">
                {bulkTexts.reason}
              </label>
              <input
                id={`${id}-reason`}
                value={reason}
                placeholder={bulkTexts.reason}
                onChange={(event) => setReason(event.target.value)}
                className="field min-w-0 flex-1 basis-full text-sm sm:basis-0"
              />
            </>
          )}
          <DecisionButton
            look="danger"
            isBusy={state.isBusy || ids.length === 0}
            aria-keyshortcuts="n"
            className="max-sm:flex-1"
            onClick={() => void decide('deny')}
          >
            <Icon name="close" />
            {bulkTexts.deny(ids.length)}
            <KeyHint name="n" />
          </DecisionButton>
          <DecisionButton
            look="primary"
            isBusy={state.isBusy || together.length === 0}
            aria-keyshortcuts="y"
            className="max-sm:flex-1"
            onClick={() => void decide('allow')}
          >
            <Icon name="check" />
            {together.length === ids.length
              ? bulkTexts.allow(ids.length)
              : bulkTexts.allowSome(together.length, ids.length)}
            <KeyHint name="y" />
          </DecisionButton>
        </div>
      }
    >
      {state.refusal !== undefined && (
        <Notice tone="warning" icon="warning">
          {state.refusal}
        </Notice>
      )}
      {state.error !== undefined && (
        <Notice tone="danger" icon="warning" role="alert" title={isRefused ? bulkTexts.refused : bulkTexts.failed}>
          <p>{toMessage(state.error)}</p>
          {!isRefused && <p className="text-muted">{bulkTexts.failedHint}</p>}
        </Notice>
      )}
      {together.length < ids.length && (
        <Notice tone="warning" icon="warning">
          {bulkTexts.alone(ids.length - together.length)}
        </Notice>
      )}
      {ids.length === 0 && <p className="text-muted">{bulkTexts.none}</p>}
      <ul aria-label={bulkTexts.list} className="divide-y divide-line rounded-md border border-line">
        {listed
          .filter((one) => !takenOut.has(one.id))
          .map((one) => (
            <Item
              key={one.id}
              interaction={one}
              level={levels.get(one.id)}
              isPending={pending.items.has(one.id)}
              onTakeOut={() => setTakenOut(new Set(takenOut).add(one.id))}
            />
          ))}
      </ul>
      {takenOut.size > 0 && (
        <Button look="quiet" size="small" onClick={() => setTakenOut(new Set())}>
          {bulkTexts.putBack}
        </Button>
      )}
    </Dialog>
  );
}

function Item({
  interaction,
  level,
  isPending,
  onTakeOut,
}: {
  interaction: Interaction;
  level: RiskLevel | undefined;
  isPending: boolean;
  onTakeOut: () => void;
}) {
  // Nobody should allow what they can read only half of.
  const headline = toHeadline(interaction, Number.POSITIVE_INFINITY);
  const place = [toAsker(interaction).name, describePlace(interaction)].filter(Boolean).join(' · ');
  return (
    <li className="flex items-start gap-2 py-1.5 pr-1.5 pl-3">
      <span className="min-w-0 flex-1">
        <LevelBadge level={level} />{' '}
        <bdi
          className={
            isPending ? 'font-mono text-xs [overflow-wrap:anywhere]' : 'font-mono text-xs text-muted line-through'
          }
        >
          {headline}
        </bdi>
        <bdi className="block truncate text-xs text-muted">{isPending ? place : bulkTexts.settled}</bdi>
      </span>
      {isPending && (
        <IconButton label={bulkTexts.takeOut(toHeadline(interaction, 80))} onClick={onTakeOut}>
          <Icon name="close" />
        </IconButton>
      )}
    </li>
  );
}

/** The guard refused the press; nothing was sent. */
class RefusedPress extends Error {}
