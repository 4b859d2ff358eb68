import { describe } from 'vitest';
import { testStoreAnswerCodes } from './store-answer-codes.testsuite.ts';
import { testStoreAnswers } from './store-answers.testsuite.ts';
import { testStoreAsks } from './store-asks.testsuite.ts';
import { testStoreAttendance } from './store-attendance.testsuite.ts';
import { testStoreCommits } from './store-commits.testsuite.ts';
import { testStoreConversation } from './store-conversation.testsuite.ts';
import { testStoreDeliveries } from './store-deliveries.testsuite.ts';
import { testStoreDestinations } from './store-destinations.testsuite.ts';
import { testStoreDevices } from './store-devices.testsuite.ts';
import { testStoreFilters } from './store-filters.testsuite.ts';
import { testStoreHistory } from './store-history.testsuite.ts';
import { testStoreHooks } from './store-hooks.testsuite.ts';
import { testStoreLists } from './store-lists.testsuite.ts';
import { testStoreLog } from './store-log.testsuite.ts';
import { testStoreMachines } from './store-machines.testsuite.ts';
import { testStoreNotices } from './store-notices.testsuite.ts';
import { testStoreOutbox } from './store-outbox.testsuite.ts';
import { testStoreRuleAuthors } from './store-rule-authors.testsuite.ts';
import { testStoreRuleDecisions } from './store-rule-decisions.testsuite.ts';
import { testStoreRules } from './store-rules.testsuite.ts';
import { testStoreSearch } from './store-search.testsuite.ts';
import { testStoreTimers } from './store-timers.testsuite.ts';
import { testStoreTokens } from './store-tokens.testsuite.ts';
import { testStoreTriage } from './store-triage.testsuite.ts';
import { TEST_TIMEOUT_MS } from './until.ts';
import type { CreateStoreDatabase } from './use-stores.ts';

/**
 * The contract of `Store`. A behavior that is missing here is one that Beckon does not have. `create` makes an empty
 * database for each test.
 */
export function testStore(name: string, create: CreateStoreDatabase): void {
  describe.concurrent(`a store on ${name}`, { timeout: TEST_TIMEOUT_MS }, () => {
    describe('ask', () => {
      testStoreAsks(create);
    });
    describe('answers and endings', () => {
      testStoreAnswers(create);
    });
    describe('list', () => {
      testStoreLists(create);
    });
    describe('filters', () => {
      testStoreFilters(create);
    });
    describe('search', () => {
      testStoreSearch(create);
    });
    describe('history', () => {
      testStoreHistory(create);
    });
    describe('conversation', () => {
      testStoreConversation(create);
    });
    describe('triage', () => {
      testStoreTriage(create);
    });
    describe('devices', () => {
      testStoreDevices(create);
    });
    describe('codes for answering', () => {
      testStoreAnswerCodes(create);
    });
    describe('tokens', () => {
      testStoreTokens(create);
    });
    describe('machines', () => {
      testStoreMachines(create);
    });
    describe('rules', () => {
      testStoreRules(create);
    });
    describe('what rules decide', () => {
      testStoreRuleDecisions(create);
    });
    describe('authors of rules', () => {
      testStoreRuleAuthors(create);
    });
    describe('the log', () => {
      testStoreLog(create);
    });
    describe('hooks', () => {
      testStoreHooks(create);
    });
    describe('attendance', () => {
      testStoreAttendance(create);
    });
    describe('the outbox', () => {
      testStoreOutbox(create);
    });
    describe('destinations', () => {
      testStoreDestinations(create);
    });
    describe('notices', () => {
      testStoreNotices(create);
    });
    describe('deliveries', () => {
      testStoreDeliveries(create);
    });
    describe('time policies', () => {
      testStoreTimers(create);
    });
    describe('commits', () => {
      testStoreCommits(create);
    });
  });
}
