import { createContext, type ReactNode } from 'react';

/** The lines of the source that a block begins and ends on, from 1. */
export interface BlockLines {
  from: number;
  to: number;
}

/** What stands beside each block and below it. Without this context, blocks are drawn alone. */
export interface BlockParts {
  beside: (lines: BlockLines) => ReactNode;
  below: (lines: BlockLines) => ReactNode;
}

export const BlockContext = createContext<BlockParts | null>(null);
