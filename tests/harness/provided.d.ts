import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's URL of the one Postgres that all tests share. The harness makes databases in it. */
    postgresUrl: string;
    /** SQL that empties a copy of its database `beckon_template`. */
    postgresReset: string;
  }
}
