import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As in prepared-home.ts, which loads what is built: this file runs before. */
const FOLDER_VARIABLE = 'TILLBRIDGE_TEST_HOME';

let folder: string | undefined;

/** Vitest: gives a test run a folder for the home that its journeys start with. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-prepared-'));
  process.env[FOLDER_VARIABLE] = folder;
}

/** Vitest: removes it. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
