/** One thing that a call does to a file. */
export type Step =
  /** Replaces a text that must be there. */
  | { type: 'replace'; before: string; after: string; everywhere: boolean }
  /** Replaces the whole file, or creates it. */
  | { type: 'write'; content: string }
  /** Creates a file that must not be there. */
  | { type: 'create'; content: string }
  | { type: 'delete' }
  /** Replaces lines that must be there. */
  | Chunk
  /** Changes a cell of a notebook; `after` is absent if the cell is deleted. */
  | { type: 'cell'; cell: string | undefined; mode: 'replace' | 'insert' | 'delete'; after: string };

/** A part of a patch. `line` is where the patch says that it begins, `anchors` are lines above it. */
export interface Chunk {
  type: 'chunk';
  lines: readonly { kind: 'same' | 'added' | 'removed'; text: string }[];
  anchors: readonly string[];
  line?: number;
  isAtEnd?: boolean;
}

/** What a call does to one file, in order. */
export interface FileChange {
  path: string;
  movedTo?: string;
  steps: Step[];
}
