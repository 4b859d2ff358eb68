import { Kbd, type KeyName, Notice, toKey, useKeysOn } from 'beckon/react/parts';
import { Fragment } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { KEY_GROUPS, KEY_HELP, type KeyGroup } from './key-help.ts';
import { texts } from './shortcut-texts.ts';

interface Row {
  presses: readonly string[];
  does: string;
}

/** Keys that belong to the focused element, so nobody registers for them. */
const NATIVE: Partial<Record<KeyGroup, readonly Row[]>> = {
  deciding: [
    { presses: ['Enter'], does: texts.send },
    { presses: ['Ctrl+Enter'], does: texts.sendText },
  ],
  list: [{ presses: ['Enter'], does: texts.open }],
};

/** All keys of the page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOn = useKeysOn();
  return (
    <Dialog title={texts.title} onClose={onClose} size="wide">
      {!isOn && <Notice tone="warning">{texts.off}</Notice>}
      <div className="gap-8 sm:columns-2">
        {KEY_GROUPS.map((group) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-2 text-xs font-semibold text-muted">{texts.groups[group]}</h3>
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
      <p className="text-xs text-muted">{texts.rule}</p>
    </Dialog>
  );
}

function toRows(group: KeyGroup): Row[] {
  const names = (Object.keys(KEY_HELP) as KeyName[]).filter((name) => KEY_HELP[name].group === group);
  const rows = names.map((name) => ({ presses: toKey(name).presses, does: KEY_HELP[name].does }));
  return [...rows, ...(NATIVE[group] ?? [])];
}

// Nine number keys are shown as a range.
function Presses({ presses }: { presses: readonly string[] }) {
  const isRange = presses.length > 2;
  const shown = isRange ? [presses[0] ?? '', presses.at(-1) ?? ''] : presses;
  return shown.map((press, index) => (
    <Fragment key={press}>
      {index > 0 && (isRange ? texts.to : texts.or)}
      {press.split(' ').map((key, place) => (
        <Fragment key={key}>
          {place > 0 && texts.afterwards}
          <Kbd>{texts.names[key] ?? key}</Kbd>
        </Fragment>
      ))}
    </Fragment>
  ));
}
