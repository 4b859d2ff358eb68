import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from './agents-process.ts';
import type { Contender } from './contenders.ts';
import { type Effort, LOADS } from './effort.ts';

/** One of the numbers of agents that ask at once. */
export type Load = (typeof LOADS)[number];

/** A contender and its turns, one for each round and load. */
export interface Measured {
  contender: Contender;
  version: string;
  turns: Record<Load, Turn[]>;
}

/** A contender that is not in the tables, and why. */
export interface Missing {
  contender: Contender;
  reason: string;
}

/**
 * The contenders take turns: each is started alone on the machine with empty data, warms up, has one turn with each
 * load, and is stopped. Whoever cannot be had, or fails, is named and left out.
 */
export async function measureAll(
  contenders: readonly Contender[],
  { folder, effort }: { folder: string; effort: Effort },
): Promise<{ measured: Measured[]; missing: Missing[] }> {
  const measured = new Map<Contender, Measured>();
  const missing: Missing[] = [];
  const leaveOut = (contender: Contender, error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`${contender.title} is left out: ${reason}`);
    missing.push({ contender, reason: reason.split('\n')[0] ?? '' });
    measured.delete(contender);
  };
  for (const contender of contenders) {
    try {
      const version = await contender.bring();
      measured.set(contender, { contender, version, turns: { 1: [], 64: [], 1000: [] } });
    } catch (error) {
      leaveOut(contender, error);
    }
  }
  for (let round = 0; round < effort.rounds; round += 1) {
    // Each contender goes first in some round.
    const order = [...measured.values()];
    for (const index of order.keys()) {
      const next = order[(index + round) % order.length];
      if (next === undefined) continue;
      try {
        await runRound(next, { folder: join(folder, `${next.contender.name}-${round}`), effort });
      } catch (error) {
        leaveOut(next.contender, error);
      }
    }
  }
  return { measured: [...measured.values()], missing };
}

async function runRound({ contender, turns }: Measured, input: { folder: string; effort: Effort }): Promise<void> {
  const { folder, effort } = input;
  mkdirSync(folder, { recursive: true });
  const { agents, stop } = await contender.start(folder);
  try {
    await agents.runTurn({ atOnce: 64, sliceMs: effort.warmUpMs });
    const rates: string[] = [];
    for (const atOnce of LOADS) {
      const turn = await agents.runTurn({ atOnce, sliceMs: effort.sliceMs });
      turns[atOnce].push(turn);
      rates.push(`${Math.round(turn.perSecond)}/s`);
    }
    console.log(`${contender.title}: ${rates.join(', ')} with ${LOADS.join(', ')} at once`);
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
