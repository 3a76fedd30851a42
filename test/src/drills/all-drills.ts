import { compileFiller } from './disk-filler.js';
import { type DrillResult, type DrillSize, Drills } from './drills.js';

/** The short form has fewer agents, and stops nodes for a shorter time. */
const SIZES: Readonly<Record<'full' | 'short', DrillSize>> = {
  full: {
    agents: 200,
    merchants: 16,
    storePauseMs: 10_000,
    merchantPauseMs: 200,
    awayMs: 30_000,
  },
  short: {
    agents: 8,
    merchants: 4,
    storePauseMs: 500,
    merchantPauseMs: 200,
    awayMs: 6_000,
  },
};
/** Three gateways under load on one PostgreSQL server, which are struck one way after the other: the time until everybody has been served. */
export async function runDrills(size: 'full' | 'short'): Promise<readonly DrillResult[]> {
  const filler = await compileFiller();
  const canFill = typeof filler !== 'string';
  if (!canFill) console.log(`the disk of the database is not filled: ${filler}`);
  const drills = await Drills.open(SIZES[size], canFill ? filler : undefined);
  const results: DrillResult[] = [];
  try {
    for (const run of [
      () => drills.killNode(),
      () => drills.freezeNode(),
      () => drills.cutNode(),
      () => drills.killDatabase(),
      ...(canFill ? [() => drills.fillDisk()] : []),
      () => drills.rollNodes(),
    ])
      results.push(printed(await run()));
    return results;
  } finally {
    await drills.close();
    if (canFill) filler.remove();
  }
}

/** Prints a drill that went well. @throws Error for a promise that was not kept */
function printed(result: DrillResult): DrillResult {
  const { name, recoveredMs, faults, breaches } = result;
  if (breaches.length > 0) throw new Error(`${name}: ${breaches.join('; ')}`);
  const met = [...faults].map(([kind, count]) => `${count} × ${kind}`).join(', ');
  console.log(`${name}: everybody was served after ${Math.round(recoveredMs)} ms${met && `; ${met}`}`);
  return result;
}
