import { describe } from 'vitest';
import { testBeckonAnswers } from './beckon-answers.testsuite.ts';
import { testBeckonAsks } from './beckon-asks.testsuite.ts';
import { testBeckonContext } from './beckon-context.testsuite.ts';
import { testBeckonEvents } from './beckon-events.testsuite.ts';
import { testBeckonForms } from './beckon-forms.testsuite.ts';
import { testBeckonGroups } from './beckon-groups.testsuite.ts';
import { testBeckonNotes } from './beckon-notes.testsuite.ts';
import { testBeckonPromises } from './beckon-promises.testsuite.ts';
import { testBeckonTexts } from './beckon-texts.testsuite.ts';
import { testBeckonTimes } from './beckon-times.testsuite.ts';
import { testBeckonWaits } from './beckon-waits.testsuite.ts';
import { TEST_TIMEOUT_MS } from './until.ts';
import type { CreateBeckonDatabase } from './use-beckons.ts';

/** The contract of `Beckon`, in process or remote. It uses nothing but that interface. */
export function testBeckon(name: string, create: CreateBeckonDatabase): void {
  describe.concurrent(`Beckon on ${name}`, { timeout: TEST_TIMEOUT_MS }, () => {
    describe('the six promises', () => {
      testBeckonPromises(create);
    });
    describe('ask, get and list', () => {
      testBeckonAsks(create);
    });
    describe('answer, cancel and supersede', () => {
      testBeckonAnswers(create);
    });
    describe('groups', () => {
      testBeckonGroups(create);
    });
    describe('context', () => {
      testBeckonContext(create);
    });
    describe('note', () => {
      testBeckonNotes(create);
    });
    describe('time policies', () => {
      testBeckonTimes(create);
    });
    describe('wait and close', () => {
      testBeckonWaits(create);
    });
    describe('say', () => {
      testBeckonTexts(create);
    });
    describe('forms', () => {
      testBeckonForms(create);
    });
    describe('events', () => {
      testBeckonEvents(create);
    });
  });
}
