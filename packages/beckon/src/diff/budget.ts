/** The time that one call may spend on comparing. Texts from agents are hostile: some take quadratic time. */
export interface Budget {
  /** What is left, in milliseconds; at least 1, because 0 would mean no limit. */
  left: () => number;
  isSpent: () => boolean;
}

export function startBudget(ms: number): Budget {
  const end = performance.now() + ms;
  const left = (): number => Math.max(1, end - performance.now());
  return { left, isSpent: () => left() <= 1 };
}
