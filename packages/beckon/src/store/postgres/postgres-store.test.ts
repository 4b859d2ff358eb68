import { testStore } from '../../testing/store.testsuite.ts';
import { usePostgres } from '../engines.testsuite.ts';

const createPostgresDatabase = usePostgres();

testStore('Postgres', () => createPostgresDatabase());
