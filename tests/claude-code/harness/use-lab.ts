import { afterAll, beforeAll, describe } from 'vitest';
import { CLAUDE } from './client.ts';
import { Lab } from './lab.ts';

/** Tests with the real client, in one lab. Where there is no client they are skipped. */
export function describeWithLab(name: string, tests: (lab: () => Lab) => void): void {
  describe.runIf(CLAUDE !== null)(name, () => {
    let lab: Lab;
    beforeAll(async () => {
      lab = await Lab.open();
    });
    afterAll(() => lab.close());
    tests(() => lab);
  });
}
