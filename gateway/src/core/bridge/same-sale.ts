import type { StreamKind } from '@tillbridge/wire/bridge/messages.js';
import type { ParkedRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import type { StreamItem } from './backlog-machine.js';

/**
 * Which kinds may pass a parked message of their own sale. One that moves money may not: it depends on the parked message's outcome. A
 * reversal and a cancel-if-unseen need no outcome: after them the parked message is never carried out.
 */
export const PASSES_PARKED: Readonly<Record<StreamKind, boolean>> = {
  reversal: true,
  cancelIfUnseen: true,
  offlineRecord: false,
  voiceAuthorization: false,
  capture: false,
};

/** A message's place in its sale. */
export type PlaceInSale = Pick<ParkedRow, 'agentId' | 'terminalId' | 'reference' | 'sequence'>;

/** The till reference of a message's sale; null where the message names none or cannot be read. */
export function saleOf(item: StreamItem): string | null {
  return item.kind === 'unreadable' || item.body.reference === '' ? null : item.body.reference;
}

/** Parked messages of the same sale that wait for an operator or for their next try. @throws StoreUnavailableError */
export async function parkedOfSale(
  store: Pick<Store, 'find'>,
  { agentId, terminalId, reference }: PlaceInSale,
): Promise<readonly ParkedRow[]> {
  if (reference === null) return [];
  const rows = await store.find('parked', 'sale', [agentId, reference]);
  return rows.filter(
    (row) => row.terminalId === terminalId && (row.state === 'waiting' || row.state === 'retry'),
  );
}

/** The parked message that this one has to wait for; undefined when it may pass. @throws StoreUnavailableError */
export async function heldBackBy(
  store: Pick<Store, 'find'>,
  kind: StreamKind,
  place: PlaceInSale,
): Promise<ParkedRow | undefined> {
  if (PASSES_PARKED[kind]) return undefined;
  const rows = await parkedOfSale(store, place);
  return rows.find(({ sequence }) => (sequence ?? 0) < (place.sequence ?? 0));
}

/** Fails a commit that parks a message behind one that is resolved by now: nothing would have it tried again. */
export function stillParked({ agentId, messageId, state }: ParkedRow): Change {
  return { op: 'require-field', table: 'parked', key: [agentId, messageId], column: 'state', equals: state };
}
