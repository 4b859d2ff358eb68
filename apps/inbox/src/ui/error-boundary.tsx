import { Button } from 'beckon/react/parts';
import { Component, type ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { texts } from './texts.ts';

/** Replaces a broken part of the page with a hint. Use `key` to reset it when its content changes. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState icon="warning" title={texts.broken.title}>
          <p>{texts.broken.hint}</p>
          <Button onClick={() => location.reload()}>{texts.broken.reload}</Button>
        </EmptyState>
      </div>
    );
  }
}
