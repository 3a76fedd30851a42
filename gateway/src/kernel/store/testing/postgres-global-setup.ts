import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endTestServer, FOLDER_VARIABLE, RUN_VARIABLE } from './postgres-server.js';

let folder: string | undefined;

/** Vitest: gives a test run a folder for its PostgreSQL server. */
export function setup(): void {
  if (process.env[FOLDER_VARIABLE] !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-postgres-'));
  process.env[FOLDER_VARIABLE] = folder;
  process.env[RUN_VARIABLE] = String(process.pid);
}

/** Vitest: ends the server with the run. */
export async function teardown(): Promise<void> {
  if (folder !== undefined) await endTestServer(folder);
}
