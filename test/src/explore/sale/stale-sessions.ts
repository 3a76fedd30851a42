import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { AGENT } from '../gateway/gateway-program.js';
import { getRow } from '../gateway/stored-rows.js';
import type { SaleWorld } from './sale-world.js';

/**
 * P5: what begins in a session that was followed by a newer one must not be written. What had begun before is finished, whichever session is
 * open by then. A commit that names no session is of the one that brought its message last.
 */
export function staleBreach(world: SaleWorld, changes: readonly Change[]): string | undefined {
  const current = getRow(world.rows, 'agents', [AGENT])?.epoch ?? 0;
  const ends = changes.some((change) => change.op === 'update' && change.table === 'intents');
  const named = sessionOf(changes);
  for (const change of changes) {
    if (change.op !== 'insert') continue;
    const { table } = change;
    if (table !== 'intents' && (ends || (table !== 'inbox' && table !== 'parked'))) continue;
    const epoch = named ?? epochOf(world, change.row.messageId);
    if (epoch !== undefined && epoch < current)
      return `P5: a message of session ${epoch} is taken although session ${current} is open`;
  }
  return undefined;
}

/** The session that a commit is bound to. */
function sessionOf(changes: readonly Change[]): number | undefined {
  const fence = changes.find((change) => change.op === 'require-field' && change.table === 'agents');
  return fence?.op === 'require-field' ? Number(fence.equals) : undefined;
}

function epochOf({ gateway }: SaleWorld, messageId: string | null): number | undefined {
  const started = gateway.process.past.flatMap((entry) =>
    entry.what === 'start' && entry.work.kind !== 'resolve' ? [entry.work] : [],
  );
  return started.findLast(({ envelope }) => envelope.id === messageId)?.session.epoch;
}
