import type { PreviewItem } from 'beckon/client';
import { PreviewList } from '../../rules/preview-list.tsx';
import { texts as ruleTexts } from '../../rules/texts.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { texts } from './texts.ts';

/** The second confirmation for a rule that contradicts what people decided. */
export function ContradictionDialog({
  items,
  onConfirm,
  onClose,
}: {
  items: readonly PreviewItem[];
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <Confirm
      title={items.length === 0 ? texts.form.confirmTitle : ruleTexts.contradiction.title(items.length)}
      description={ruleTexts.contradiction.hint}
      confirm={texts.form.saveAnyway}
      failed={texts.form.failed}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {items.length > 0 && <PreviewList label={ruleTexts.contradiction.list} items={items} />}
    </Confirm>
  );
}
