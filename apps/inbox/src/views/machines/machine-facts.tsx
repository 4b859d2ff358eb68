import type { MachineLogin } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { VisibleText } from 'beckon/react/parts';
import type { ReactNode } from 'react';
import { formatInstant } from '../../interactions/instants.ts';
import { Age } from '../../interactions/time-left.tsx';
import { texts } from './texts.ts';

/** What a machine says of itself, where it comes from, and what it would get. */
export function MachineFacts({ login, isCodeHidden }: { login: MachineLogin; isCodeHidden: boolean }) {
  const { machine, user, agents, address, yourAddress, startedAt, name, wantedName, chatId, userCode } = login;
  const shownAgents = agents.map((agent) => toVisibleLine(agent, 60, 'code')).join(', ');
  return (
    <dl className="divide-y divide-line rounded-lg border border-line text-sm">
      <Fact name={texts.decide.machine}>
        <Claim text={machine} />
      </Fact>
      <Fact name={texts.decide.user}>
        <Claim text={user} />
      </Fact>
      <Fact name={texts.decide.agents}>
        {shownAgents === '' ? texts.decide.anyAgent : texts.decide.someAgents(shownAgents)}
      </Fact>
      <Fact name={texts.decide.address}>
        <span className="font-mono">{address}</span>
        {address !== yourAddress && <span className="block text-muted">{texts.decide.elsewhere(yourAddress)}</span>}
      </Fact>
      <Fact name={texts.decide.started}>
        <Age at={startedAt} isLong /> <span className="text-muted">({formatInstant(startedAt)})</span>
      </Fact>
      <Fact name={texts.decide.name}>
        <span className="font-medium">{name}</span>
        {name !== wantedName && <span className="mt-1 block text-warning">{texts.decide.taken(wantedName)}</span>}
      </Fact>
      <Fact name={texts.decide.rights}>
        {chatId === undefined ? texts.decide.ask : texts.decide.askIn(toVisibleLine(chatId, 60))}
      </Fact>
      <Fact name={texts.decide.code}>
        <span className="font-mono text-base font-semibold tracking-widest">
          {isCodeHidden ? (
            <>
              {userCode.slice(0, 5)}
              <span aria-hidden="true">····</span>
              <span className="sr-only">{texts.decide.halfHidden}</span>
            </>
          ) : (
            userCode
          )}
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2.5">
      <dt className="w-32 shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** Anybody can give a machine any name, so it stands in quotation marks and hides nothing. */
function Claim({ text }: { text: string }) {
  return (
    <bdi>
      “<VisibleText text={text} place="code" />”
    </bdi>
  );
}
