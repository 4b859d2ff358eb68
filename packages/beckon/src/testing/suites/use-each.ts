import { AsyncLocalStorage } from 'node:async_hooks';
import { aroundEach } from 'vitest';

/**
 * Gives each test around it a value of its own, even to tests that run at the same time. `around` prepares the value,
 * runs the test with it, and cleans up. The returned function gives a test its value.
 */
export function useEach<Value extends object>(
  around: (runTest: (value: Value) => Promise<void>) => Promise<void>,
): () => Value {
  const values = new AsyncLocalStorage<Value>();
  aroundEach((runTest) => around((value) => values.run(value, runTest)));
  return () => {
    const value = values.getStore();
    if (value === undefined) throw new Error('Only a test has this value: do not read it while tests are declared.');
    return value;
  };
}
