import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

/** Starts the shared Postgres before the first test, and returns what vitest calls after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', server.url);
  return () => server.dispose();
}
