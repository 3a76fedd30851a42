import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { auditOf } from '../../kernel/audit/audit.js';
import {
  lastRestoreGap,
  RESTORE_ALERT,
  RESTORE_SUBJECT,
} from '../../kernel/restored-database/restore-gap.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import type { RestoreGapRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { agentAgain, deviceAgain, tokenAgain } from './reapply.js';
import type {
  AgentEntry,
  CounterEntry,
  DeviceEntry,
  LinkEntry,
  TokenEntry,
  TrustEntry,
} from './trust-entry.js';

/** Counters that one commit raises. */
const COUNTERS_AT_ONCE = 500;
/** Who does it, in audit records. */
const ACTOR = 'gateway';

/** What a database lacks that was put back. */
interface Forgotten {
  /** Id of the home that knows better. */
  readonly home: string;
  /** The last mark that this home has seen. */
  readonly untilMs: number;
  /** Since when the entries lack nothing. */
  readonly beganMs: number;
  readonly entries: readonly TrustEntry[];
}

/** What a database is put right with. */
export interface PutBackDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly random: Random;
}

type Counts = Readonly<Record<Exclude<TrustEntry, LinkEntry>['kind'], number>>;

/**
 * Puts a database right that was put back from a backup: what is known to be revoked is revoked again, counters that were used are used up, and
 * what cannot be known is held, with an alert, until an operator confirms it. Done again after a crash it comes to the same.
 * @throws StoreUnavailableError
 */
export async function takePutBack(deps: PutBackDeps, forgotten: Forgotten): Promise<RestoreGapRow> {
  const counts = { token: 0, agent: 0, device: 0, counter: 0 };
  const counters: CounterEntry[] = [];
  for (const entry of forgotten.entries) {
    if (entry.kind === 'counter') counters.push(entry);
    // Links look for themselves what their acquirer knows and the database does not.
    else if (entry.kind !== 'link' && (await reapply(deps, entry))) counts[entry.kind] += 1;
  }
  counts.counter = await useUp(deps.store, counters);
  return decideAgain(deps, () => commitGap(deps, forgotten, counts));
}

/** @returns whether something had to be put right */
async function reapply(deps: PutBackDeps, entry: TokenEntry | AgentEntry | DeviceEntry): Promise<boolean> {
  const detail = { wasAtMs: entry.atMs };
  const action = `restore ${entry.kind}`;
  return decideAgain(deps, async () => {
    const change = await changeOf(deps.store, entry);
    if (!change) return false;
    await deps.store.commit([change, auditOf(deps, { actor: ACTOR, action, subject: entry.id, detail })]);
    return true;
  });
}

async function changeOf(
  store: Pick<Store, 'get'>,
  entry: TokenEntry | AgentEntry | DeviceEntry,
): Promise<Change | undefined> {
  switch (entry.kind) {
    case 'token': {
      const stored = await store.get('tokens', [entry.id]);
      const row = stored && tokenAgain(stored, entry);
      return row && { op: 'update', table: 'tokens', row };
    }
    case 'agent': {
      const stored = await store.get('agents', [entry.id]);
      const row = stored && agentAgain(stored, entry);
      return row && { op: 'update', table: 'agents', row };
    }
    case 'device': {
      const stored = await store.get('devices', [entry.id]);
      const row = stored && deviceAgain(stored, entry);
      return row && { op: 'update', table: 'devices', row };
    }
  }
}

/** @returns how many devices are known to have used more counters than the database has */
async function useUp(
  store: Pick<Store, 'get' | 'commit'>,
  counters: readonly CounterEntry[],
): Promise<number> {
  let count = 0;
  for (let from = 0; from < counters.length; from += COUNTERS_AT_ONCE) {
    const some = counters.slice(from, from + COUNTERS_AT_ONCE);
    const devices = await Promise.all(some.map(({ id }) => store.get('devices', [id])));
    const behind = some.filter(({ counter }, at) => {
      const { highestCounter = counter, unknownCounter = 0 } = devices[at] ?? {};
      return counter > Math.max(highestCounter, unknownCounter);
    });
    count += behind.length;
    if (behind.length > 0) await store.commit(behind.map(raiseUnknown));
  }
  return count;
}

function raiseUnknown({ id, counter }: CounterEntry): Change {
  return { op: 'raise-counter', serial: id, column: 'unknownCounter', to: counter };
}

/** Opens the gap, or widens one that another home has found; of one that is confirmed since, the mark alone is noted. */
async function commitGap(
  { store, clock }: PutBackDeps,
  { home, untilMs, beganMs }: Forgotten,
  counts: Counts,
): Promise<RestoreGapRow> {
  const [before, mark] = [await lastRestoreGap(store), await store.get('databaseMarks', [home])];
  const marked: Change = {
    op: mark ? 'update' : 'insert',
    table: 'databaseMarks',
    row: { home, markMs: untilMs, version: mark?.version ?? 1 },
  };
  // This home was off since: it has seen nothing that the operator did not have to think of.
  if (before && before.closedAtMs !== null && untilMs < before.foundAtMs) {
    await store.commit([marked]);
    return before;
  }
  const open = before?.closedAtMs === null ? before : undefined;
  // A clock that was set back must not make what is there look new.
  const foundAtMs = Math.max(open?.foundAtMs ?? clock.nowMs(), untilMs + 1);
  const sinceMs = mark?.markMs ?? null;
  const isWhole = sinceMs !== null && sinceMs >= beganMs && open?.isWhole !== 0;
  const row: RestoreGapRow = {
    name: RESTORE_SUBJECT,
    sinceMs: open ? earlier(open.sinceMs, sinceMs) : sinceMs,
    untilMs: Math.max(untilMs, open?.untilMs ?? 0),
    foundAtMs,
    isWhole: isWhole ? 1 : 0,
    reapplied: JSON.stringify(open ? sumOf(JSON.parse(open.reapplied) as Counts, counts) : counts),
    closedAtMs: null,
    note: null,
    version: before?.version ?? 1,
  };
  await store.commit([
    { op: before ? 'update' : 'insert', table: 'restoreGaps', row },
    marked,
    raiseAlert({ code: RESTORE_ALERT, subject: RESTORE_SUBJECT, detail: detailOf(row) }, foundAtMs),
  ]);
  return row;
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.min(one, other);
}

function sumOf(one: Counts, other: Counts): Counts {
  return {
    token: one.token + other.token,
    agent: one.agent + other.agent,
    device: one.device + other.device,
    counter: one.counter + other.counter,
  };
}

/** The gap in words, for the operator. */
function detailOf({ sinceMs, untilMs, isWhole }: RestoreGapRow): string {
  const since = sinceMs === null ? 'of a time before any mark of this home' : `since ${isoOf(sinceMs)}`;
  const held = isWhole ? 'records of that time are held' : 'all tokens and agents are held';
  return `the database has forgotten what was stored ${since}, until ${isoOf(untilMs)}; ${held}`;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
