import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CASE_TIMEOUT_MS } from '../../journeys/test-stack.js';
import { identityOf } from '../build-identity.js';
import { hostContents } from '../host-contents.js';
import { PROGRAMS } from '../targets.js';
import { tarGz } from '../write-archive.js';
import { archiveName, tryArchives } from './try-archives.js';

// The short form of `npm run package -- --try`: the archives have this machine's Node.js in the place of their own.

const IDENTITY = identityOf({
  release: '0.1.0',
  commit: '1b53bd7312345678901234567890123456789012',
  committedSeconds: 1_795_935_730,
  tags: ['v0.1.0'],
  isChanged: false,
});
/** From the archive of the agent to the first sale of a till. */
const FIRST_SALE_SECONDS = 60;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-archives-'));
  for (const program of PROGRAMS) {
    const name = archiveName(program, IDENTITY.version);
    const { entries } = hostContents(program, IDENTITY, folder);
    const bytes = await tarGz(entries, { time: IDENTITY.time, prefix: `${name}/` });
    writeFileSync(join(folder, `${name}.tar.gz`), bytes);
  }
}, CASE_TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true }));

it(
  'a store of unpacked archives is installed, sells on a serial and a HID terminal, is updated, goes back and is uninstalled',
  async () => {
    const { firstSaleSeconds } = await tryArchives(folder, IDENTITY.version, (text) =>
      process.stdout.write(`${text}\n`),
    );
    expect(firstSaleSeconds).toBeLessThanOrEqual(FIRST_SALE_SECONDS);
  },
  CASE_TIMEOUT_MS,
);
