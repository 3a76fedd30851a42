import { decide, observe } from '@tillbridge/agent/sale/machine/decide.js';
import type { Decision, SaleEvent, StepContext } from '@tillbridge/agent/sale/machine/state/events.js';
import { type Fact, isDurable } from '@tillbridge/agent/sale/machine/state/facts.js';
import { reversalOf } from '@tillbridge/agent/sale/machine/state/messages.js';
import { holdsTerminal } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import { reversal } from '@tillbridge/agent/sale/machine/steps/common.js';
import { staysOpen } from '@tillbridge/agent/sale/machine/steps/late-decline.js';
import { rowToFact } from '@tillbridge/agent/sale/records/fact-rows.js';
import { judgeRestored } from '@tillbridge/agent/sale/records/restored-sale.js';
import { type Ahead, inputText, saleInputs } from './sale-inputs.js';
import { afterRestart, fleeting, plain, type SalePlace, withFacts, withRows } from './sale-place.js';
import { asJournalRow, factOf, freshIds, matchRows, nextWrite, type SaleRow } from './sale-rows.js';
import { type PastContextDeps, pastContexts, takesOffline } from './step-contexts.js';

/** A sale's rows, and what its steps may have read. */
export interface SaleTrack extends PastContextDeps {
  readonly rows: readonly SaleRow[];
  /** Message ids of the rows before each row, and of rows that were removed. */
  readonly idsBefore: readonly ReadonlySet<string>[];
  /** Whether the disk may refuse writes, and keep what it refused. */
  readonly mayLose: boolean;
}

/** Something that may happen at a place. */
export interface SaleStep {
  readonly name: string;
  /** Places that it leads to; none where the rows say otherwise. */
  readonly to: readonly SalePlace[];
  /** Rows of the next write that it leads to, also where others of them differ. */
  readonly matched: number;
}

/** All that may happen to a sale at a place, with what the next rows show; a restart comes last. */
export function* saleSteps(track: SaleTrack, place: SalePlace): Generator<SaleStep, void> {
  const write = nextWrite(track.rows, place.at);
  const ahead: Ahead = { next: write.map(factOf), all: track.rows.slice(place.at).map(factOf) };
  yield* eventSteps(track, place, write, ahead);
  if (track.mayLose) yield* diskSteps(track, place, write, ahead);
  yield* restarts(track, place, write, ahead);
}

function* eventSteps(
  track: SaleTrack,
  place: SalePlace,
  write: readonly SaleRow[],
  ahead: Ahead,
): Generator<SaleStep, void> {
  for (const event of saleInputs(place.sale, ahead)) {
    yield taken(track, place, event, write, ahead);
  }
}

function* restarts(
  track: SaleTrack,
  place: SalePlace,
  write: readonly SaleRow[],
  ahead: Ahead,
): Generator<SaleStep, void> {
  const fresh = afterRestart(place);
  const event = { kind: 'restarted' } as const;
  yield staysOpen(place.onDisk)
    ? taken(track, fresh, event, write, ahead)
    : { name: 'the sale is read from the journal again', to: [fresh], matched: 0 };
  const doubts = [false, true].flatMap((isCut) => restored(track, place, write, isCut));
  if (write.some(({ kind }) => kind === 'overdue'))
    yield { name: 'the journal is restored', to: doubts, matched: doubts.length > 0 ? 1 : 0 };
}

/** The row that a restore of the journal writes for a sale that may have gone on in rows that are lost. */
function restored(
  { rows }: SaleTrack,
  place: SalePlace,
  [row]: readonly SaleRow[],
  isCut: boolean,
): readonly SalePlace[] {
  const { doubt } = judgeRestored(undefined, rows.slice(0, place.at).map(asJournalRow), isCut);
  const fact = doubt && rowToFact({ ...doubt, row: 0, atMs: 0, sequence: 0, hash: new Uint8Array() });
  if (!row || !fact || !matchRows([fact], [row], new Set()).all) return [];
  return [afterRestart({ ...place, at: place.at + 1, onDisk: withRows(place.onDisk, [row]) })];
}

function taken(
  track: SaleTrack,
  place: SalePlace,
  event: SaleEvent,
  write: readonly SaleRow[],
  ahead: Ahead,
): SaleStep {
  const sale = observe(place.sale, event);
  const [row = track.rows.at(-1)] = write;
  const to: SalePlace[] = [];
  let matched = 0;
  if (!row) return { name: inputText(event), to, matched };
  for (const { context, isJudged } of pastContexts(track, sale.state, { row, facts: ahead.next })) {
    const decision = decided(sale, event, context);
    if (!decision || (!isJudged && takesOffline(decision))) continue;
    const led = written(track, { ...place, sale }, decision, write);
    matched = Math.max(matched, led.matched);
    to.push(...led.to);
    if (track.mayLose) to.push(...lost(track, { ...place, sale }, decision, context, write));
  }
  return { name: inputText(event), to, matched };
}

/** Undefined where the machine itself rules the event out: it cannot happen there. */
function decided(sale: SalePlace['sale'], event: SaleEvent, context: StepContext): Decision | undefined {
  try {
    return decide(sale, event, context);
  } catch {
    return undefined;
  }
}

/** The place after a write: its facts, behind those that are owed, are the next rows. */
function written(
  { idsBefore }: SaleTrack,
  place: SalePlace,
  { facts = [], live }: Decision,
  write: readonly SaleRow[],
): Omit<SaleStep, 'name'> {
  const { at, onDisk, sale, owed } = place;
  const fresh = facts.filter(isDurable);
  const durable = fresh.length === 0 ? [] : [...owed, ...fresh];
  const found = matchRows(durable, write, idsBefore[at] ?? new Set());
  if (!found.all) return { to: [], matched: found.matched };
  const rows = write.slice(0, durable.length);
  const inMemory = withFacts(sale.state, fleeting(facts), write[0]?.atMs ?? 0);
  const isSame = sale.state === onDisk && fleeting(facts).length === 0;
  const stored = withRows(onDisk, rows);
  const state = isSame ? stored : withRows(inMemory, rows.slice(durable.length === 0 ? 0 : owed.length));
  const after = { state: rows.length > 0 && owed.length === 0 ? agreed(stored, state) : state };
  const next: SalePlace = {
    ...place,
    at: at + rows.length,
    onDisk: stored,
    sale: { state: after.state, live: { ...sale.live, ...live } },
    owed: durable.length === 0 ? owed : [],
  };
  return { to: [next], matched: rows.length };
}

/** The state on disk in place of an equal one in memory: two places are the same then. */
function agreed(stored: SalePlace['onDisk'], inMemory: SalePlace['onDisk']): SalePlace['onDisk'] {
  return plain(stored) === plain(inMemory) ? stored : inMemory;
}

/** The disk refuses the write, and may have kept it all the same: the sale goes on without it, and owes what follows. */
function lost(
  { idsBefore }: SaleTrack,
  place: SalePlace,
  { facts = [] }: Decision,
  context: StepContext,
  write: readonly SaleRow[],
): readonly SalePlace[] {
  const durable = facts.filter(isDurable);
  if (durable.length === 0) return [];
  const { at, onDisk, sale, owed } = place;
  const instead = decide(sale, { kind: 'journal-lost' }, context);
  const more = instead.facts ?? [];
  const state = withFacts(sale.state, more, context.nowMs);
  const gone: SalePlace = {
    ...place,
    sale: { state, live: { ...sale.live, ...instead.live } },
    owed: [...owed, ...more.filter(isDurable)],
  };
  const all = [...owed, ...durable];
  if (!matchRows(all, write, idsBefore[at] ?? new Set()).all) return [gone];
  const rows = write.slice(0, all.length);
  const record = rows.find(({ kind }) => kind === 'offline-record' || kind === 'voice-authorization');
  const denied = place.denied ?? record?.messageId;
  const kept = { ...gone, at: at + rows.length, onDisk: withRows(onDisk, rows) };
  return [gone, denied === undefined ? kept : { ...kept, denied }];
}

/** What the agent does when the disk is back. */
function* diskSteps(
  track: SaleTrack,
  place: SalePlace,
  write: readonly SaleRow[],
  ahead: Ahead,
): Generator<SaleStep, void> {
  const { rows, idsBefore } = track;
  const { at, onDisk, sale, owed, denied } = place;
  if (denied !== undefined) {
    yield {
      name: 'the disk is back with an approval that it had reported as lost',
      to: [found(place)],
      matched: 0,
    };
    return;
  }
  if (owed.length > 0) {
    const { all, matched } = matchRows(owed, write, idsBefore[at] ?? new Set());
    const paid = rows.slice(at, at + owed.length);
    const after = { ...place, at: at + owed.length, onDisk: withRows(onDisk, paid), owed: [] };
    yield { name: 'the disk is back and gets what it is owed', to: all ? [after] : [], matched };
  }
  if (sale.state === onDisk) return;
  if (owed.length === 0 && !holdsTerminal(sale.state))
    yield {
      name: 'the disk is back, and its rows count',
      to: [{ ...place, sale: { ...sale, state: onDisk } }],
      matched: 0,
    };
  // A write that repeats an id makes the sale read its rows again; it goes on as after a restart.
  const again = { at, onDisk, sale: { ...sale, state: onDisk }, owed: [] };
  yield taken(track, again, { kind: 'restarted' }, write, ahead);
}

function found({ denied: _, ...place }: SalePlace): SalePlace {
  const { onDisk, sale } = place;
  if (reversalOf(onDisk)) return place;
  const [id] = freshIds(2);
  const reversed: Fact = reversal(onDisk, id, 'journal-unavailable', 'failed');
  return { ...place, owed: [reversed], sale: { ...sale, state: withFacts(onDisk, [reversed], 0) } };
}
