import { Fragment } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { SHORTCUT_HELP } from './shortcut-help.ts';
import { texts } from './texts.ts';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.shortcuts.title} onClose={onClose}>
      <div className="gap-6 sm:columns-2">
        {SHORTCUT_HELP.map(({ title, rows }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-2 text-xs font-semibold text-muted">{title}</h3>
            <dl className="space-y-1.5">
              {rows.map(({ keys, does, isRange }) => (
                <div key={does} className="flex items-center justify-between gap-3">
                  <dt className="order-2 flex items-center gap-1 text-xs text-muted">
                    {keys.map((row, index) => (
                      <Fragment key={row.join()}>
                        {index > 0 && (isRange === true ? texts.shortcuts.to : texts.shortcuts.or)}
                        {row.map((key, position) => (
                          <Fragment key={key}>
                            {position > 0 && texts.shortcuts.afterwards}
                            <Kbd>{key}</Kbd>
                          </Fragment>
                        ))}
                      </Fragment>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
