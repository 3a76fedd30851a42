import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../clients/http.js';
import { makeHome, partHome } from './layout.js';
import { PART_NAMES } from './options.js';
import { enrolAgent, type Seed, seedGateway, startGateway } from './parts.js';
import { namedTestMode } from './test-mode.js';

/** Names the folder of the prepared home of a test run (prepared-home-setup.ts), or of a command that uses the stacks of tests. */
export const FOLDER_VARIABLE = 'TILLBRIDGE_TEST_HOME';

/** How long it may take to be made, on a machine with much else to do. */
const PREPARE_MS = 120_000;

/**
 * Makes a home as `npm start` leaves one before its parts start: merchants, an enrolled agent, its devices. Five processes do it once in a
 * test run, for the test that needs it first; the others get copies, and so share keys and tokens, but nothing that runs.
 * @returns what the gateway was seeded with
 */
export async function copyPreparedHome(home: string): Promise<Seed> {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) throw new Error(`${FOLDER_VARIABLE} is not set: run the tests with vitest`);
  const prepared = join(folder, 'home');
  const seedFile = join(folder, 'seed.json');
  const isFirst = mkdirSync(join(folder, 'begun'), { recursive: true }) !== undefined;
  if (isFirst) {
    writeFileSync(`${seedFile}.new`, JSON.stringify(await prepareHome(prepared)), { mode: 0o600 });
    renameSync(`${seedFile}.new`, seedFile);
  }
  const seed = await until('a prepared home', PREPARE_MS, async () =>
    existsSync(seedFile) ? (JSON.parse(readFileSync(seedFile, 'utf8')) as Seed) : undefined,
  );
  for (const part of PART_NAMES) cpSync(partHome(prepared, part), partHome(home, part), { recursive: true });
  return seed;
}

async function prepareHome(home: string): Promise<Seed> {
  makeHome(home);
  const seed = await seedGateway(home, 0, namedTestMode());
  const { process, bridgeUrl } = await startGateway(home, 0);
  try {
    await enrolAgent(home, { entityId: seed.merchant.entityId, bridgeUrl });
  } finally {
    await process.stop();
  }
  return seed;
}
