import { afterAll, beforeAll } from 'vitest';
import { Lab } from './lab.ts';

/** One lab for the tests around it. */
export function useLab(): () => Lab {
  let lab: Lab | undefined;
  beforeAll(async () => {
    lab = await Lab.open();
  });
  afterAll(() => lab?.close());
  return () => {
    if (lab === undefined) throw new Error('The lab is not open');
    return lab;
  };
}
