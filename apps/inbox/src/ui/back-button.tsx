import { Icon, IconButton } from 'beckon/react/parts';
import { texts } from './texts.ts';

/** Leads back to the list. Wide screens show the list beside the detail, so they have no such button. */
export function BackButton({ onClick }: { onClick: () => void }) {
  return (
    <IconButton label={texts.back} onClick={onClick} className="-ml-2 lg:hidden">
      <Icon name="back" />
    </IconButton>
  );
}
