import { toVisibleLine } from 'beckon/presentation';
import { Button, Loading, Notice, toMessage } from 'beckon/react/parts';
import { useId, useState } from 'react';
import { TimeLeft } from '../../interactions/time-left.tsx';
import { useApp } from '../../live/app-context.ts';
import { useTicking } from '../../state/ticker.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts as uiTexts } from '../../ui/texts.ts';
import { AdviceNotice } from './phone-advice.tsx';
import { QrCode } from './qr-code.tsx';
import { texts } from './texts.ts';
import { type OwnLink, useOwnLink } from './use-own-link.ts';

/** Logs a phone in with a QR code, and says so once it is in. */
export function AddPhoneDialog({ onClose }: { onClose: () => void }) {
  const { me } = useApp();
  const { isPending, error, link, arrived, makeAnother } = useOwnLink();
  const isAdmin = me.role === 'admin' && me.chatId === undefined;
  return (
    <Dialog
      title={texts.phone.title}
      onClose={onClose}
      footer={<Button onClick={onClose}>{arrived === undefined ? uiTexts.close : texts.phone.done}</Button>}
    >
      {arrived === undefined && isPending && <Loading rows={3} />}
      {arrived === undefined && error !== null && error !== undefined && (
        <Notice
          tone="danger"
          icon="warning"
          role="alert"
          title={texts.phone.failed}
          actions={<Button onClick={makeAnother}>{uiTexts.tryAgain}</Button>}
        >
          <p>{toMessage(error)}</p>
        </Notice>
      )}
      {arrived === undefined && link !== undefined && (
        <>
          {link.advice.reach !== 'nowhere' && <Code key={link.url} link={link} onAnother={makeAnother} />}
          <AdviceNotice link={link.url} advice={link.advice} isAdmin={isAdmin} />
        </>
      )}
      <div role="status">
        {arrived !== undefined && (
          <Notice tone="success" icon="check" title={texts.phone.arrived(toVisibleLine(arrived.label, 80))}>
            <p>{texts.phone.arrivedHint}</p>
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

function Code({
  link: { url, expiresAt, advice },
  onAnother,
}: {
  link: NonNullable<OwnLink['link']>;
  onAnother: () => void;
}) {
  const { me } = useApp();
  const id = useId();
  const [isTextShown, setTextShown] = useState(false);
  const isOver = useTicking((now) => (now >= Date.parse(expiresAt) ? 'over' : '')) !== '';
  if (isOver) {
    return (
      <Notice
        tone="warning"
        icon="clock"
        role="status"
        title={texts.phone.over}
        actions={<Button onClick={onAnother}>{texts.phone.another}</Button>}
      />
    );
  }
  return (
    <div className="space-y-3">
      <p>{texts.phone.scan}</p>
      <QrCode text={url} label={texts.phone.code(new URL(url).host)} />
      <p className="flex flex-wrap items-center justify-center gap-x-2 text-center text-xs text-muted">
        <span>{texts.phone.once}</span>
        <TimeLeft expiresAt={expiresAt} isLong />
      </p>
      <ul className="list-disc space-y-1 pl-5 text-xs text-muted">
        <li>{texts.phone.rights(me.who)}</li>
        <li>{texts.phone.where[advice.reach === 'network' ? 'network' : 'anywhere'](new URL(url).host)}</li>
      </ul>
      {isTextShown ? (
        <div>
          <label htmlFor={id} className="mb-1 block font-medium">
            {texts.phone.link}
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              id={id}
              readOnly
              value={url}
              onFocus={(event) => event.currentTarget.select()}
              className="field min-w-0 flex-1 basis-48 font-mono"
            />
            <CopyButton text={url} />
          </div>
        </div>
      ) : (
        <Button size="small" onClick={() => setTextShown(true)}>
          {texts.phone.showLink}
        </Button>
      )}
    </div>
  );
}
