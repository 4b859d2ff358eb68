import { Component, type ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import { texts } from './texts.ts';

/** A request that cannot be drawn must not take the page around it down. */
export class CardBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Notice tone="danger" icon="warning" role="alert">
        <p>{texts.broken}</p>
      </Notice>
    );
  }
}
