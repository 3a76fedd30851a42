import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { SeededRandom } from '../simulation/kernel/seeded-random.js';
import type { LogEntry } from './disk-log.js';
import type { SyncFilter } from './disk-model.js';
import { type CutReport, examineCuts } from './examine-cuts.js';
import { MUTATIONS } from './mutation.js';
import { powerCuts } from './power-cuts.js';
import { compileRecorder, type DiskRecorder, recordRun } from './record-run.js';
import { WORKLOADS, type WorkloadName } from './workloads.js';

/** `all` tries every cut point and every prefix at each, which takes hours; a number so many points, drawn by the seed. */
const { TILLBRIDGE_POWER_CUTS: CUTS = '30', TILLBRIDGE_POWER_SEED: SEED = 'power' } = process.env;
const POINTS = CUTS === 'all' ? undefined : Number(CUTS);
const LONG = { timeout: process.env.TILLBRIDGE_POWER_CUTS ? 24 * 3_600_000 : 240_000 };

const NAMES = Object.keys(WORKLOADS) as WorkloadName[];

let recorder: DiskRecorder | string = 'not compiled yet';
beforeAll(async () => {
  recorder = await compileRecorder();
  if (typeof recorder === 'string') process.stdout.write(`power loss is not tested: ${recorder}\n`);
});
afterAll(() => {
  if (typeof recorder !== 'string') recorder.remove();
});

function recorderOr(context: TestContext): DiskRecorder {
  return typeof recorder === 'string' ? context.skip(recorder) : recorder;
}

function cut(name: WorkloadName, entries: readonly LogEntry[], syncCounts?: SyncFilter): Promise<CutReport> {
  const random = new SeededRandom(`${SEED}/${name}`);
  const options = {
    random,
    ...(POINTS !== undefined && { points: POINTS }),
    ...(syncCounts && { syncCounts }),
  };
  return examineCuts(WORKLOADS[name], powerCuts(entries, options), random.branch('images'));
}

/** What the workload does to its files, with nothing changed: recorded once for each. */
const recorded = new Map<WorkloadName, Promise<readonly LogEntry[]>>();

function recordOf(context: TestContext, name: WorkloadName): Promise<readonly LogEntry[]> {
  const entries = recorded.get(name) ?? recordRun(recorderOr(context), name);
  recorded.set(name, entries);
  return entries;
}

describe.each(NAMES)('power loss under the %s', (name) => {
  it('loses nothing that was acknowledged, leaves nothing by half, and opens (P1)', LONG, async (context) => {
    const entries = await recordOf(context, name);
    const counted = (kind: LogEntry['kind']) => entries.filter((entry) => entry.kind === kind).length;
    expect(counted('write')).toBeGreaterThan(100);
    expect(counted('sync')).toBeGreaterThan(50);
    expect(entries.findLast((entry) => entry.kind === 'acknowledged')).toMatchObject({
      commits: WORKLOADS[name].commits,
    });
    const report = await cut(name, entries);
    process.stdout.write(
      `${name}: ${entries.length} entries, ${report.images} images, ${report.opened} opened\n`,
    );
    expect(report.problems).toEqual([]);
    expect(report.opened).toBeGreaterThan(POINTS ?? 1_000);
  });

  it('is seen when syncs of the log are lost', LONG, async (context) => {
    const entries = await recordOf(context, name);
    const report = await cut(name, entries, (file) => !file.endsWith('-wal'));
    expect(report.problems.join('\n')).toContain('commits were acknowledged');
  });

  it.for(MUTATIONS)('is seen when SQLite runs with synchronous=%s', LONG, async (mode, context) => {
    const entries = await recordRun(recorderOr(context), name, mode);
    expect((await cut(name, entries)).problems.join('\n')).toContain('commits were acknowledged');
  });
});
