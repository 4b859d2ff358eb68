/** Milliseconds of each round, and how many elements were drawn. */
export interface Samples {
  ours: number[];
  plain: number[];
  elements: number;
}

declare global {
  /** What the page of the benchmark offers. */
  function measureDraw(effort: { rounds: number; components: number }): Promise<Samples>;
}
