import { Component, type ReactNode } from 'react';

interface Props {
  /** A failed part gets another chance when this changes. */
  of: unknown;
  fallback: (error: unknown) => ReactNode;
  children: ReactNode;
}

interface State {
  of: unknown;
  failure: { error: unknown } | null;
}

/** Keeps the failure of one part away from its neighbors. */
export class Boundary extends Component<Props, State> {
  override state: State = { of: this.props.of, failure: null };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ of }: Props, state: State): Partial<State> | null {
    return of === state.of ? null : { of, failure: null };
  }

  override render(): ReactNode {
    return this.state.failure === null ? this.props.children : this.props.fallback(this.state.failure.error);
  }
}
