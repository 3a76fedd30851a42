import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASE_TIMEOUT_MS, startTestStack, type TestStack } from '../../journeys/test-stack.js';
import {
  changedEntries,
  checkoutEntries,
  drillKeys,
  MIGRATION,
  NO_SALE,
  slotEntries,
  writeRelease,
} from './drill-programs.js';
import { UpdateDrill } from './update-drill.js';

/** The short form; `npm run package -- --drill` kills at every step, with packed programs. */
describe('an agent that is updated while a till sells', () => {
  let system: TestStack;
  let drill: UpdateDrill;
  let folder: string;
  const releases = new Map<string, string>();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillbridge-releases-'));
    const keys = drillKeys();
    const entries = checkoutEntries();
    const programs = [
      ['0.1.0', 1, entries],
      ['0.2.0', 2, changedEntries(entries, MIGRATION)],
      ['0.3.0', 3, changedEntries(entries, MIGRATION, NO_SALE)],
    ] as const;
    for (const [version, release, changed] of programs) {
      const program = { version, release, entries: [...slotEntries(version, release, keys), ...changed] };
      releases.set(version, await writeRelease(join(folder, version), program, keys));
    }
    system = await startTestStack('update');
    const first = join(dirname(placeOf('0.1.0')), `tillbridge-agent-0.1.0-linux-${process.arch}.tar.gz`);
    drill = await UpdateDrill.open(system, first);
    drill.begin();
  }, CASE_TIMEOUT_MS);
  afterAll(async () => {
    await drill?.close();
    await system?.end();
    rmSync(folder, { recursive: true, force: true });
  }, CASE_TIMEOUT_MS);

  const placeOf = (version: string) => releases.get(version) ?? '';

  it(
    'is killed at three steps, goes on each time, and runs the new program',
    async () => {
      expect(await drill.update([placeOf('0.2.0'), '--check'])).toMatchObject({ code: 0 });
      const crashes = ['update-unpacking:after', 'update-copying:after', 'update-switching:after'];
      const end = await drill.updateThrough([placeOf('0.2.0')], crashes);
      expect(end).toMatchObject({ code: 0, text: expect.stringContaining('release 2): done') });
      expect(drill.places.current()).toBe('b');
      await drill.untilSelling();
    },
    CASE_TIMEOUT_MS,
  );

  it(
    'refuses a program that cannot sell, and goes on with the one that runs',
    async () => {
      const end = await drill.update([placeOf('0.3.0')]);
      expect(end).toMatchObject({ code: 1, text: expect.stringContaining('a simulated sale ended as') });
      expect(drill.state).toMatchObject({ phase: 'refused' });
      expect(drill.places.current()).toBe('b');
      expect(await drill.update([placeOf('0.1.0'), '--check'])).toMatchObject({
        code: 1,
        text: expect.stringContaining('is older than'),
      });
    },
    CASE_TIMEOUT_MS,
  );

  it(
    'goes back on request, killed in the middle, to a program that reads what the newer one wrote',
    async () => {
      const end = await drill.updateThrough(
        ['rollback'],
        ['update-stopping:before', 'update-starting:before'],
      );
      expect(end).toMatchObject({ code: 0 });
      expect(drill.places.recordOf(drill.places.current() ?? 'b')).toMatchObject({ version: '0.1.0' });
      await drill.untilSelling();
      await drill.end();
      expect(await drill.differences()).toEqual([]);
      expect(drill.approved).toBeGreaterThan(3);
    },
    CASE_TIMEOUT_MS,
  );
});
