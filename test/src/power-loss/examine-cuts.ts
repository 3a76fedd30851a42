import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeededRandom } from '../simulation/kernel/seeded-random.js';
import type { DiskImage } from './disk-model.js';
import type { CutImage } from './power-cuts.js';
import type { Workload } from './workload.js';

/** What came of the images. */
export interface CutReport {
  /** Images in all, and how many different ones were opened. */
  readonly images: number;
  readonly opened: number;
  /** The first {@link MAX_PROBLEMS} broken promises. */
  readonly problems: readonly string[];
}

/** Enough to see what is wrong. */
const MAX_PROBLEMS = 5;
/** Images that are opened at the same time: each waits for its file most of the time. */
const WORKERS = 4;
/** Shared memory is never synced: after a power cut its file may be gone, or hold anything. */
const GARBAGE_BYTES = 32 * 1_024;
const GARBAGE_CHANCE = 0.25;
/** Where a file system lies in memory: thousands of databases are opened once. */
const IN_MEMORY = '/dev/shm';

/** How many commits an image shows, or what is wrong with it. */
type Finding = { readonly commits: number } | { readonly broken: string };

/**
 * Opens every image with the real code. What it shows must be exactly the state after some commit, and none may be missing that
 * was acknowledged before the cut (P1).
 */
export async function examineCuts(
  workload: Workload,
  cuts: Iterable<CutImage>,
  random: SeededRandom,
): Promise<CutReport> {
  const states = new Map((await workload.states()).map((state, commits) => [state, commits]));
  const place = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'tillbridge-images-'));
  const findings = new Map<string, Promise<Finding>>();
  const problems: string[] = [];
  const left = cuts[Symbol.iterator]();
  let images = 0;

  const look = async ({ what, acknowledged, image }: CutImage): Promise<void> => {
    images += 1;
    const key = fingerprint(image);
    let finding = findings.get(key);
    if (!finding) {
      const folder = join(place, String(findings.size));
      finding = find(workload, states, image, folder, random.branch(key));
      findings.set(key, finding);
    }
    const found = await finding;
    if ('broken' in found) problems.push(`${what}: ${found.broken}`);
    else if (found.commits < acknowledged)
      problems.push(`${what}: ${acknowledged} commits were acknowledged, ${found.commits} are there`);
  };
  const worker = async (): Promise<void> => {
    while (problems.length < MAX_PROBLEMS) {
      const { done, value } = left.next();
      if (done) return;
      await look(value);
    }
  };
  try {
    await Promise.all(Array.from({ length: WORKERS }, worker));
    return { images, opened: findings.size, problems: problems.slice(0, MAX_PROBLEMS) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function fingerprint(image: DiskImage): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of [...image].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

async function find(
  workload: Workload,
  states: ReadonlyMap<string, number>,
  image: DiskImage,
  folder: string,
  random: SeededRandom,
): Promise<Finding> {
  mkdirSync(folder);
  for (const [name, bytes] of image) {
    writeFileSync(join(folder, name), bytes);
    if (name.endsWith('-wal') && random.chance(GARBAGE_CHANCE))
      writeFileSync(join(folder, name.replace(/wal$/, 'shm')), random.bytes(GARBAGE_BYTES));
  }
  try {
    const commits = states.get(await workload.recover(folder));
    return commits === undefined ? { broken: 'something is there by half' } : { commits };
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
