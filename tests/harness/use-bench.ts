import { vi } from 'vitest';
import { useEach } from '../../packages/beckon/src/testing/suites/use-each.ts';
import { CliBench } from './cli.ts';

/**
 * For each test around it a bench of its own, so that tests can run at the same time. The returned object stands for
 * the running test's.
 */
export function useBench(): CliBench {
  // Every command is a process: more of them at once would wait for each other.
  vi.setConfig({ maxConcurrency: 3 });
  const current = useEach<CliBench>(async (runTest) => {
    const bench = await CliBench.open();
    try {
      await runTest(bench);
    } finally {
      await bench.close();
    }
  });
  return new Proxy({} as CliBench, {
    get: (_, name) => {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
  });
}
