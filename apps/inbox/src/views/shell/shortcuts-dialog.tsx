import { Fragment } from 'react';
import { KEY_GROUPS, KEYS, type KeyGroup, type KeyName, toKey } from '../../keyboard/keys.ts';
import { useKeysOn } from '../../keyboard/use-key.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Notice } from '../../ui/notice.tsx';
import { texts } from './texts.ts';

interface Row {
  presses: readonly string[];
  does: string;
}

/** Keys that belong to the focused element, so nobody registers for them. */
const NATIVE: Partial<Record<KeyGroup, readonly Row[]>> = {
  deciding: [
    { presses: ['Enter'], does: texts.shortcuts.send },
    { presses: ['Ctrl+Enter'], does: texts.shortcuts.sendText },
  ],
  list: [{ presses: ['Enter'], does: texts.shortcuts.open }],
};

/** All keys of the page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOn = useKeysOn();
  return (
    <Dialog title={texts.shortcuts.title} onClose={onClose} size="wide">
      {!isOn && <Notice tone="warning">{texts.shortcuts.off}</Notice>}
      <div className="gap-8 sm:columns-2">
        {KEY_GROUPS.map((group) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-2 text-xs font-semibold text-muted">{texts.shortcuts.groups[group]}</h3>
            <dl className="space-y-1.5">
              {toRows(group).map(({ presses, does }) => (
                <div key={does} className="flex items-center justify-between gap-3">
                  <dt className="order-2 flex shrink-0 items-center gap-1 text-xs text-muted">
                    <Presses presses={presses} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="text-xs text-muted">{texts.shortcuts.rule}</p>
    </Dialog>
  );
}

function toRows(group: KeyGroup): Row[] {
  const names = (Object.keys(KEYS) as KeyName[]).filter((name) => toKey(name).group === group);
  return [...names.map(toKey), ...(NATIVE[group] ?? [])];
}

// Nine number keys are shown as a range.
function Presses({ presses }: { presses: readonly string[] }) {
  const isRange = presses.length > 2;
  const shown = isRange ? [presses[0] ?? '', presses.at(-1) ?? ''] : presses;
  return shown.map((press, index) => (
    <Fragment key={press}>
      {index > 0 && (isRange ? texts.shortcuts.to : texts.shortcuts.or)}
      {press.split(' ').map((key, place) => (
        <Fragment key={key}>
          {place > 0 && texts.shortcuts.afterwards}
          <Kbd>{texts.shortcuts.names[key] ?? key}</Kbd>
        </Fragment>
      ))}
    </Fragment>
  ));
}
