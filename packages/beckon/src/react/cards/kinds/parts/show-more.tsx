import { Button } from '../../ui/button.tsx';
import { texts } from './texts.ts';

/** Shows more of a long list. Absent if nothing is left. */
export function ShowMore({ rest, onMore }: { rest: number; onMore: () => void }) {
  if (rest <= 0) return null;
  return (
    <Button size="small" onClick={onMore}>
      {texts.showMore(rest)}
    </Button>
  );
}
