import { describe } from 'vitest';
import { testStoreAnswers } from './store-answers.testsuite.ts';
import { testStoreAsks } from './store-asks.testsuite.ts';
import { testStoreCommits } from './store-commits.testsuite.ts';
import { testStoreHooks } from './store-hooks.testsuite.ts';
import { testStoreLists } from './store-lists.testsuite.ts';
import { testStoreLog } from './store-log.testsuite.ts';
import { testStoreOutbox } from './store-outbox.testsuite.ts';
import type { CreateStoreDatabase } from './use-stores.testsuite.ts';

/** The contract of `Store`. A behaviour that is missing here is one that Beckon does not have. */
export function testStore(name: string, create: CreateStoreDatabase): void {
  describe(`a store on ${name}`, () => {
    describe('ask', () => {
      testStoreAsks(create);
    });
    describe('answers and endings', () => {
      testStoreAnswers(create);
    });
    describe('list', () => {
      testStoreLists(create);
    });
    describe('the log', () => {
      testStoreLog(create);
    });
    describe('hooks', () => {
      testStoreHooks(create);
    });
    describe('the outbox', () => {
      testStoreOutbox(create);
    });
    describe('commits', () => {
      testStoreCommits(create);
    });
  });
}
