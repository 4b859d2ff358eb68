import { toAsker, toVisibleLine } from 'beckon/presentation';
import { DEFAULT_CHAT_ID, type Interaction } from 'beckon/protocol';
import { VisibleText } from 'beckon/react/parts';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';
import { useRequestContext } from './use-request-context.ts';

/** What the claim mark explains, and the parts of the context that few people need. */
export function ClaimDetails({ interaction }: { interaction: Interaction }) {
  const { context } = useRequestContext(interaction);
  const folder = interaction.context?.folder;
  const { sessionId, chatId } = interaction;
  return (
    <div className="appear mt-1 space-y-1.5 rounded-md border border-line bg-canvas px-3 py-2 text-xs">
      <p>{texts.claimed(toAsker(interaction).name)}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
        {folder !== undefined && (
          <Entry name={texts.folder}>
            <span className="font-mono">
              <VisibleText text={folder} place="code" />
            </span>
          </Entry>
        )}
        {sessionId !== undefined && <Entry name={texts.session}>{toVisibleLine(sessionId, 80, 'code')}</Entry>}
        {chatId !== DEFAULT_CHAT_ID && <Entry name={texts.chat}>{toVisibleLine(chatId, 80, 'code')}</Entry>}
        {(context?.notes ?? []).map((note) => (
          <Entry key={note} name={texts.cut}>
            {toVisibleLine(note, 200, 'code')}
          </Entry>
        ))}
      </dl>
    </div>
  );
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
