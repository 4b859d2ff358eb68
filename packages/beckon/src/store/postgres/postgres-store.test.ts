import { usePostgres } from '../../testing/harness/database.ts';
import { testStore } from '../../testing/suites/store.testsuite.ts';

const createPostgresDatabase = usePostgres();

// Ten thousand asks at once hold up a busy machine longer than a connection usually takes.
testStore('Postgres', () => createPostgresDatabase({ connectMs: 60_000 }));
