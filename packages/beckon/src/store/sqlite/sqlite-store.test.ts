import { testStore } from '../../testing/store.testsuite.ts';
import { createSqliteDatabase } from '../engines.testsuite.ts';

testStore('SQLite', () => createSqliteDatabase());
