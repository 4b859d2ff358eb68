import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's URL of the one Postgres that all tests share; create a database of your own in it. */
    postgresUrl: string;
  }
}
