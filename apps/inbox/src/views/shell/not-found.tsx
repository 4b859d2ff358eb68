import { buttonClasses } from 'beckon/react/parts';
import { Link } from 'wouter';
import { EmptyState } from '../../ui/empty-state.tsx';
import { texts } from './texts.ts';

export function NotFound() {
  return (
    <EmptyState isPage icon="search" title={texts.notFound.title}>
      <Link to="/" className={buttonClasses()}>
        {texts.notFound.home}
      </Link>
    </EmptyState>
  );
}
