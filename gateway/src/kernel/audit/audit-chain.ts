import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { allRows } from '../store/all-rows.js';
import { type DecideAgainDeps, decideAgain } from '../store/decide-again.js';
import type { AuditRow } from '../store/rows.js';
import type { Change, Store } from '../store/store.js';
import { withCommit } from '../store/with-commit.js';

/** The link before the first one. */
const START = 'a'.repeat(32);
const LETTERS = 'abcdefghijklmnop';

/** Columns that a link covers: all but itself and the number of changes, of which there are none. */
const COVERED = [
  'id',
  'actor',
  'action',
  'subject',
  'outcome',
  'endOf',
  'entityId',
  'detail',
  'sequence',
  'createdAtMs',
] as const satisfies readonly (keyof AuditRow)[];

/** A record that is in the chain. */
type LinkedRow = AuditRow & { readonly sequence: number; readonly link: string };

/**
 * The link of a record: HMAC-SHA-256 over the link before it and what the row holds, its first 16 bytes (RFC 2104 §5). They are written in the
 * letters a to p: the log masks what may be digits of a card or bytes of a key.
 */
export function auditLink(key: KeyObject, before: string, row: AuditRow): string {
  const covered = JSON.stringify(COVERED.map((name) => row[name]));
  const hex = createHmac('sha256', key).update(`${before}\n${covered}`).digest('hex').slice(0, START.length);
  return hex.replace(/./g, (digit) => LETTERS[Number.parseInt(digit, 16)] ?? '');
}

/**
 * The store, which gives each record of the audit its place in a hash chain, in the commit that brings it. Two nodes that take the same place
 * conflict, and the later one takes the next. Commits without a record pass untouched.
 * @param keyOf the key of the chain; undefined in a home without keys, whose records stand outside of it
 */
export function withAuditChain(
  store: Store,
  keyOf: () => KeyObject | undefined,
  clock: DecideAgainDeps['clock'],
): Store {
  let key: KeyObject | undefined;
  const commit = async (changes: readonly Change[]): Promise<void> => {
    key ??= keyOf();
    const chainKey = key;
    if (!chainKey) return store.commit(changes);
    let last = await lastRecord(store);
    const linked = changes.map((change): Change => {
      if (!isRecord(change)) return change;
      const placed = { ...change.row, sequence: (last?.sequence ?? 0) + 1 };
      const row = { ...placed, link: auditLink(chainKey, last?.link ?? START, placed) };
      last = row;
      return { ...change, row };
    });
    await store.commit(linked);
  };
  let queue: Promise<void> = Promise.resolve();
  return withCommit(store, (changes) => {
    if (!changes.some(isRecord)) return store.commit(changes);
    // Records of one process are placed one after the other: together they would lose races against each other.
    const done = queue.then(() =>
      decideAgain({ store, clock }, () => commit(changes), {
        ends: ({ table, on }) => table !== 'audit' || on !== 'sequence',
      }),
    );
    queue = done.catch(() => undefined);
    return done;
  });
}

function isRecord(change: Change): change is Extract<Change, { op: 'insert'; table: 'audit' }> {
  return change.op === 'insert' && change.table === 'audit';
}

/** The record at the end of the chain. */
async function lastRecord(store: Pick<Store, 'findRange'>): Promise<LinkedRow | undefined> {
  const [row] = await store.findRange('audit', 'sequence', { descending: true, limit: 1, from: 1 });
  return row as LinkedRow | undefined;
}

/** A record of the chain as it stands outside of the database: its place and its link. */
export interface ChainPoint {
  readonly sequence: number;
  readonly link: string;
}

/** What is wrong with the chain, at one place. */
export interface ChainFault {
  readonly sequence: number;
  readonly fault: 'missing' | 'altered' | 'cut';
  /** The record, where there is one. */
  readonly id?: string;
}

/** What a check of the chain found. */
export interface ChainReport {
  /** Records in the chain. */
  readonly records: number;
  /** Records outside of it: from before there was one, or of a home without keys. */
  readonly unlinked: number;
  /** Its end; absent: it is empty. */
  readonly head?: ChainPoint;
  readonly faults: readonly ChainFault[];
}

/** Rows of one read of the check. */
const BATCH = 500;
/** Faults that a check names at most: each one after an altered record is one of its own. */
export const MAX_FAULTS = 100;

/**
 * Checks every record of the chain: none is missing, and each has the link that its content and the record before it give.
 * @param seen places that were written down elsewhere, such as in the security log: where the chain ends before one, it was cut
 * @throws StoreUnavailableError
 */
export async function verifyAuditChain(
  store: Pick<Store, 'findRange' | 'findAfter'>,
  key: KeyObject,
  seen: readonly ChainPoint[] = [],
): Promise<ChainReport> {
  const wanted = new Map(seen.map(({ sequence, link }) => [sequence, link]));
  const faults: ChainFault[] = [];
  let head: ChainPoint = { sequence: 0, link: START };
  let records = 0;
  let rows: readonly LinkedRow[];
  do {
    rows = (await store.findRange('audit', 'sequence', {
      from: head.sequence + 1,
      limit: BATCH,
    })) as readonly LinkedRow[];
    for (const row of rows) {
      const { id, sequence, link } = row;
      if (sequence !== head.sequence + 1) faults.push({ sequence: head.sequence + 1, fault: 'missing' });
      else if (!isLinked(key, head.link, row) || (wanted.get(sequence) ?? link) !== link)
        faults.push({ sequence, fault: 'altered', id });
      head = { sequence, link };
    }
    records += rows.length;
  } while (rows.length === BATCH && faults.length < MAX_FAULTS);
  const end = Math.max(0, ...wanted.keys());
  if (end > head.sequence && rows.length < BATCH) faults.push({ sequence: head.sequence + 1, fault: 'cut' });
  const unlinked = (await allRows(store, 'audit')).filter(({ sequence }) => sequence === null).length;
  return { records, unlinked, ...(records > 0 && { head }), faults: faults.slice(0, MAX_FAULTS) };
}

function isLinked(key: KeyObject, before: string, row: LinkedRow): boolean {
  const link = Buffer.from(auditLink(key, before, row));
  const stored = Buffer.from(row.link);
  return link.length === stored.length && timingSafeEqual(link, stored);
}
