import { usePostgres } from '../../testing/harness/database.ts';
import { testStore } from '../../testing/suites/store.testsuite.ts';

const createPostgresDatabase = usePostgres();

testStore('Postgres', () => createPostgresDatabase());
