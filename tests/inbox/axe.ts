/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

interface Axe {
  run(
    root: Element,
    options: { resultTypes: string[] },
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

const source = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/**
 * What axe finds on the page as it is, in words. What fades has a contrast that it will not keep, so that is waited
 * for, and nothing begins to fade while axe looks.
 */
export async function runAxe(page: Page): Promise<string[]> {
  // The page's policy forbids scripts that are added to it; what the debugger evaluates is not one.
  await page.evaluate(source);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const found = await page.evaluate(async () => {
    const isFinite = ({ effect }: Animation): boolean =>
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(isFinite)
        .map(({ finished }) => finished),
    );
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document.body, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
  await page.emulateMedia({ reducedMotion: null });
  return found;
}
