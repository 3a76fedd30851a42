import { systemClock } from '@tillbridge/platform/system-clock.js';
import { dropParked, OPEN_PARKED, retryLater } from '../../core/bridge/parked/resolve-parked.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { findAll } from '../../kernel/store/all-rows.js';
import type { ParkedRow } from '../../kernel/store/rows.js';
import { CommitConflict, type Store } from '../../kernel/store/store.js';

/** What `inbox` prints of a parked message: nothing of its content. */
type ParkedView = Omit<ParkedRow, 'message' | 'keyId' | 'version' | 'createdAtMs'> & {
  /** ISO 8601 UTC. */
  readonly parkedAt: string;
  /** Whether it was kept, so that it can be tried again. */
  readonly kept: boolean;
};

const ALL: readonly ParkedRow['state'][] = [...OPEN_PARKED, 'resolved', 'dropped'];

/** Parked messages; resolved and dropped ones only on request. */
export async function listParked(store: Store, all: boolean): Promise<readonly ParkedView[]> {
  return (await rowsIn(store, all ? ALL : OPEN_PARKED)).map(viewOf);
}

/** A parked message by its id, and its agent where two agents have the same. */
interface ParkedName {
  readonly messageId: string;
  readonly agentId?: string;
}

/** Marks a message for the gateway that runs on the home to process again. @throws OperatorError */
export async function wantAgain(store: Store, name: ParkedName): Promise<ParkedView> {
  const row = await openOne(store, name);
  if (row.message === null)
    throw new OperatorError(`${name.messageId} was not kept: the agent has to send it again`);
  return viewOf(await unlessChanged(row, () => retryLater(store, row)));
}

/** Drops a message that was resolved otherwise, and deletes its content. @throws OperatorError */
export async function drop(store: Store, name: ParkedName, note: string): Promise<ParkedView> {
  const row = await openOne(store, name);
  return viewOf(await unlessChanged(row, () => dropParked(store, row, note, systemClock.nowMs())));
}

async function openOne(store: Store, { messageId, agentId }: ParkedName): Promise<ParkedRow> {
  const rows = (await rowsIn(store, OPEN_PARKED)).filter(
    (row) => row.messageId === messageId && (agentId === undefined || row.agentId === agentId),
  );
  const [row, ...others] = rows;
  if (!row) throw new OperatorError(`no message ${messageId} is parked and open`);
  if (others.length > 0)
    throw new OperatorError(
      `message ${messageId} is parked for ${rows.map((each) => each.agentId).join(' and ')}: name one with --agent`,
    );
  return row;
}

async function rowsIn(store: Store, states: readonly ParkedRow['state'][]): Promise<readonly ParkedRow[]> {
  const found = await Promise.all(states.map((state) => findAll(store, 'parked', 'state', [state])));
  return found.flat();
}

/** @throws OperatorError where another change came first */
async function unlessChanged({ messageId }: ParkedRow, change: () => Promise<ParkedRow>): Promise<ParkedRow> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw new OperatorError(`message ${messageId} has just been changed: look again`);
  }
}

function viewOf({ message, keyId: _key, version: _, createdAtMs, ...row }: ParkedRow): ParkedView {
  return { ...row, parkedAt: new Date(createdAtMs).toISOString(), kept: message !== null };
}
