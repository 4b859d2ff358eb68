import type { MachineLogin } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { BeckonError } from 'beckon/protocol';
import {
  consent,
  DecisionBar,
  DecisionBarFrame,
  DecisionButton,
  Icon,
  Notice,
  type Refusal,
  useInSight,
  useSteady,
} from 'beckon/react/parts';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useUi } from '../../ui/ui-context.ts';
import { MachineFacts } from './machine-facts.tsx';
import { toMachineMessage } from './machine-message.ts';
import { type Confirmed, StartedByMe } from './started-by-me.tsx';
import { texts } from './texts.ts';
import { useMachines } from './use-machines.ts';

/** What became of a login. */
export type Outcome = { how: 'approved'; name: string } | { how: 'refused' } | { how: 'ended'; why: string };

/** How long the page says that a press was not sent. */
const REFUSED_MS = 6000;

/**
 * One machine that wants to come in, and the decision about it. A press counts only for what has been in front of the
 * person, and what is sent back is exactly that. It is never let in by one press: the person first says that they
 * started it, and if the code came with a link, they need the terminal for that.
 */
export function MachineDecision({
  login,
  isByLink,
  onDecided,
  onChanged,
}: {
  login: MachineLogin;
  isByLink: boolean;
  onDecided: (outcome: Outcome) => void;
  /** It would get another name by now. */
  onChanged: () => void;
}) {
  const id = useId();
  const machines = useMachines();
  const { announcer } = useUi();
  const [confirmed, setConfirmed] = useState<Confirmed>('no');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ title: string; text: string } | null>(null);
  const [refusal, setRefusal] = useState<{ why: Refusal } | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const sight = `machine ${login.id}`;
  useInSight(sight, JSON.stringify(login));
  useSteady(body);
  useSteady(bar);
  useEffect(() => title.current?.focus(), []);
  useEffect(() => {
    if (refusal === null) return undefined;
    const timer = setTimeout(() => setRefusal(null), REFUSED_MS);
    return () => clearTimeout(timer);
  }, [refusal]);

  const decide = async (how: 'approve' | 'refuse'): Promise<void> => {
    if (isBusy || (how === 'approve' && confirmed !== 'yes')) return;
    const why = consent.decide(sight);
    setRefusal(why && { why });
    if (why !== null) return announcer.say(texts.decide.notSent[why]);
    setBusy(true);
    setProblem(null);
    try {
      const { name } = await machines[how](login);
      onDecided(how === 'approve' ? { how: 'approved', name: name ?? login.name } : { how: 'refused' });
    } catch (error) {
      setBusy(false);
      const code = error instanceof BeckonError ? error.code : undefined;
      if (code === 'machine_login_ended') return onDecided({ how: 'ended', why: toMachineMessage(error) });
      if (code === 'machine_login_not_found') return onDecided({ how: 'ended', why: texts.enter.unknown });
      if (code === 'machine_login_changed') {
        setConfirmed('no');
        setProblem({ title: texts.decide.changed, text: texts.decide.changedHint });
        return onChanged();
      }
      setProblem({ title: texts.decide.failed, text: `${toMachineMessage(error)} ${texts.decide.failedHint}` });
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void decide('approve');
  };
  return (
    <article aria-labelledby={`${id}-title`} className="flex min-h-0 flex-1 flex-col">
      <DecisionBarFrame
        barRef={bar}
        above={
          refusal !== null && (
            <p className="flex items-center gap-2 bg-warning-soft px-3 py-2 text-sm lg:px-6">
              <Icon name="warning" className="text-warning" />
              {texts.decide.notSent[refusal.why]}
            </p>
          )
        }
      >
        <div ref={body} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
          <form id={id} onSubmit={onSubmit} className="mx-auto max-w-2xl space-y-4 px-4 py-4">
            <h2
              id={`${id}-title`}
              ref={title}
              tabIndex={-1}
              className="text-lg font-semibold [overflow-wrap:anywhere] outline-none"
            >
              {texts.decide.question(`“${toVisibleLine(login.machine, 100, 'code')}”`)}
            </h2>
            <Notice tone="warning" icon="warning" title={texts.decide.warning}>
              <p>{texts.decide.warningHint}</p>
            </Notice>
            {problem !== null && (
              <Notice tone="danger" icon="warning" role="alert" title={problem.title}>
                <p>{problem.text}</p>
              </Notice>
            )}
            <MachineFacts login={login} isCodeHidden={isByLink} />
            <StartedByMe
              key={login.name}
              code={login.userCode}
              isByLink={isByLink}
              confirmed={confirmed}
              onChange={setConfirmed}
            />
          </form>
        </div>
        <DecisionBar
          note={
            confirmed !== 'yes' && (
              <p id={`${id}-not-yet`} className="text-xs text-muted">
                {texts.decide.notYet}
              </p>
            )
          }
          no={
            <DecisionButton look="danger" isBusy={isBusy} onClick={() => void decide('refuse')}>
              <Icon name="close" />
              {texts.decide.refuse}
            </DecisionButton>
          }
          yes={
            <DecisionButton
              type="submit"
              form={id}
              look="primary"
              isBusy={isBusy || confirmed !== 'yes'}
              {...(confirmed !== 'yes' && { 'aria-describedby': `${id}-not-yet` })}
            >
              <Icon name="check" />
              {texts.decide.approve}
            </DecisionButton>
          }
        />
      </DecisionBarFrame>
    </article>
  );
}
