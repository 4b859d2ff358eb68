/** How much care a decision needs, the least first. */
export const RISK_LEVELS = ['routine', 'notable', 'dangerous'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** One reason for care. */
export interface Finding {
  /** A stable name, such as `force-push`. `docs/risk.md` explains each one. */
  code: string;
  level: Exclude<RiskLevel, 'routine'>;
  /** What it means, for people. It contains nothing that an agent wrote. */
  sentence: string;
  /** The part of the request that it is about. */
  place?: FindingPlace;
}

/** A part of a text in a tool's input. `path` leads to the text: `['command']`, `['edits', '0', 'new_string']`. */
export interface FindingPlace {
  path: readonly string[];
  /** UTF-16 offsets in the text as the agent sent it. */
  start: number;
  end: number;
}

/** How much care a request needs, and why: the gravest findings first, then in the order of the text. */
export interface Risk {
  level: RiskLevel;
  findings: readonly Finding[];
}
