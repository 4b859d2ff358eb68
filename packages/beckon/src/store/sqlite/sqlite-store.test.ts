import { createSqliteDatabase } from '../../testing/harness/database.ts';
import { testStore } from '../../testing/suites/store.testsuite.ts';

testStore('SQLite', () => createSqliteDatabase());
