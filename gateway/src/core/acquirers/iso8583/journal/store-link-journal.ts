import { present } from '@tillbridge/wire/present.js';
import { raiseAlert } from '../../../../kernel/alerts/alert-changes.js';
import type { Owner } from '../../../../kernel/nodes/node-lease.js';
import { findAll } from '../../../../kernel/store/all-rows.js';
import type { LinkExchangeRow } from '../../../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../../../kernel/store/store.js';
import type { LinkCheckpoint } from '../../../../security/restored-database/restore-watch.js';
import { ChangedExchangeError, DuplicateExchangeError, type LinkJournal } from '../link/link-deps.js';
import type { MovementKind } from '../rules/day-totals.js';
import { isDeclinedStandIn, type NewNumber } from '../rules/decide-exchange.js';
import type { ExchangeRecord, HostMovement } from '../rules/exchange-record.js';
import { firstSequenceAt } from './store-numbers.js';

/** Exchanges without an outcome. */
const OPEN_STATES = ['sent', 'advice-pending', 'reversing'] as const;
/** Those, and reversed ones: what has no answer is in one of them. */
const UNANSWERED_STATES = [...OPEN_STATES, 'reversed'] as const;
/** Ways in which money moved, and the indexes of their settlement days. */
export const MOVEMENT_KINDS = ['booked', 'reversed'] as const satisfies readonly MovementKind[];

/** What the journal works with. */
interface StoreLinkJournalDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  /** This node among those on the database; absent: there is no other one. */
  readonly node?: Owner;
  /** Name of the acquirer. */
  readonly acquirer: string;
  /** Called with each exchange that is journaled. */
  readonly checkpoint?: Pick<LinkCheckpoint, 'note'>;
}

/** The journal of a link, in the gateway's store: one row for each exchange, as the link has it and nothing more. */
export class StoreLinkJournal implements LinkJournal {
  readonly #deps: StoreLinkJournalDeps;

  constructor(deps: StoreLinkJournalDeps) {
    this.#deps = deps;
  }

  async begin(record: ExchangeRecord, sameCommit: readonly Change[] = []): Promise<void> {
    const { store, node, checkpoint } = this.#deps;
    try {
      // A node that another one has taken over from begins nothing.
      await store.commit([
        ...(node ? [node.guard()] : []),
        { op: 'insert', table: 'linkExchanges', row: this.#rowOf(record) },
        ...sameCommit,
      ]);
      if (record.sequence !== undefined) checkpoint?.note(record.sequence);
    } catch (error) {
      if (error instanceof CommitConflict && error.conflict.table === 'linkExchanges')
        throw new DuplicateExchangeError('the reference or the number is known');
      throw error;
    }
  }

  async change(record: ExchangeRecord, atMs: number): Promise<ExchangeRecord> {
    try {
      await this.#deps.store.commit([
        { op: 'update', table: 'linkExchanges', row: this.#rowOf(record) },
        ...(isDeclinedStandIn(record) ? [await this.#declined(record, atMs)] : []),
      ]);
      return { ...record, version: record.version + 1 };
    } catch (error) {
      if (error instanceof CommitConflict) throw new ChangedExchangeError('another node was faster');
      throw error;
    }
  }

  /** Raises an alert for staff: the payment is approved, and the host has taken nothing. */
  async #declined({ reference, answer }: ExchangeRecord, atMs: number): Promise<Change> {
    const intent = await this.#deps.store.get('intents', [reference]);
    const detail = `acquirer ${this.#deps.acquirer} declined the advice: response code ${answer?.responseCode ?? 'none'}`;
    const about = { code: 'stand-in-declined', subject: intent?.paymentId ?? reference, detail } as const;
    return raiseAlert({ ...about, ...(intent && { entityId: intent.entityId }) }, atMs);
  }

  async find(reference: string): Promise<ExchangeRecord | undefined> {
    const row = await this.#deps.store.get('linkExchanges', [reference]);
    return row?.acquirer === this.#deps.acquirer ? recordOf(row) : undefined;
  }

  async findMessage({ stan, at }: Pick<NewNumber, 'stan' | 'at'>): Promise<ExchangeRecord | undefined> {
    const { store, acquirer } = this.#deps;
    const [row] = await store.find('linkExchanges', 'message', [acquirer, stan, at], { limit: 1 });
    return row && recordOf(row);
  }

  async open(): Promise<readonly ExchangeRecord[]> {
    const { store, node, acquirer } = this.#deps;
    const found: ExchangeRecord[] = [];
    for (const state of OPEN_STATES)
      for (const row of await findAll(store, 'linkExchanges', 'state', [acquirer, state]))
        if (!node || (row.owner !== node.id && (await node.mayTake(row.owner)))) found.push(recordOf(row));
    return found.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  }

  /** Exchanges of a card, by its fingerprint, the newest first. */
  async ofCard(card: string, limit: number): Promise<readonly ExchangeRecord[]> {
    const { store, acquirer } = this.#deps;
    const range = { equals: [acquirer, card], descending: true, limit };
    return (await store.findRange('linkExchanges', 'card', range)).map(recordOf);
  }

  /** Exchanges that follow another one. */
  async following(reference: string): Promise<readonly ExchangeRecord[]> {
    return (await this.#deps.store.find('linkExchanges', 'original', [reference])).map(recordOf);
  }

  /** The exchange whose reversal has this acquirer reference. */
  async reversedBy(reference: string): Promise<ExchangeRecord | undefined> {
    const [row] = await this.#deps.store.find('linkExchanges', 'reversal', [reference], { limit: 1 });
    return row?.acquirer === this.#deps.acquirer ? recordOf(row) : undefined;
  }

  /** Exchanges after a place among the messages of the acquirer, in their order. */
  async after(sequence: number, limit: number): Promise<readonly ExchangeRecord[]> {
    const { store, acquirer } = this.#deps;
    const rows = await store.findRange('linkExchanges', 'sequence', {
      equals: [acquirer],
      from: sequence + 1,
      limit,
    });
    return rows.map(recordOf);
  }

  /** Exchanges that moved money in a way on a settlement day of the host, page by page. */
  async *movedOn(day: number, kind: MovementKind): AsyncGenerator<ExchangeRecord, void> {
    const { store, acquirer } = this.#deps;
    for (let after: string | undefined; ; ) {
      const options = after === undefined ? {} : { after: [after] };
      const page = await store.find('linkExchanges', kind, [acquirer, day], options);
      yield* page.map(recordOf);
      after = page.at(-1)?.reference;
      if (after === undefined) return;
    }
  }

  /** Exchanges that began in a time and have no answer, page by page. */
  async *unanswered({
    fromMs,
    untilMs,
  }: {
    readonly fromMs: number;
    readonly untilMs: number;
  }): AsyncGenerator<ExchangeRecord, void> {
    const { store, acquirer } = this.#deps;
    for (let from: number | undefined = firstSequenceAt(fromMs); from !== undefined; ) {
      const rows: readonly LinkExchangeRow[] = await store.findRange('linkExchanges', 'sequence', {
        equals: [acquirer],
        from,
        among: { state: UNANSWERED_STATES },
      });
      for (const row of rows)
        if (row.answer === null && row.createdAtMs >= fromMs && row.createdAtMs < untilMs)
          yield recordOf(row);
      const last = rows.at(-1)?.sequence;
      from = last == null ? undefined : last + 1;
    }
  }

  /** The first settlement day from one on on which the host moved money, or the last of all; undefined where there is none. */
  async settlementDay(which: 'last' | { readonly from: number }): Promise<number | undefined> {
    const { store, acquirer } = this.#deps;
    const range = which === 'last' ? { descending: true } : { from: which.from };
    const ends = await Promise.all(
      MOVEMENT_KINDS.map((index) =>
        store.findRange('linkExchanges', index, { equals: [acquirer], ...range, limit: 1 }),
      ),
    );
    const [booked, reversed] = ends.map(([row]) => row);
    const days = [booked?.bookedDay, reversed?.reversedDay].filter((day) => day != null);
    if (days.length === 0) return undefined;
    return which === 'last' ? Math.max(...days) : Math.min(...days);
  }

  /** Whether an exchange that began before a time has no outcome yet. */
  async isOpenBefore(ms: number): Promise<boolean> {
    const { store, acquirer } = this.#deps;
    const open = await Promise.all(
      OPEN_STATES.map((state) => findAll(store, 'linkExchanges', 'state', [acquirer, state])),
    );
    return open.flat().some(({ createdAtMs }) => createdAtMs < ms);
  }

  #rowOf(record: ExchangeRecord): LinkExchangeRow {
    const { acquirer, node } = this.#deps;
    return rowOf(record, acquirer, node?.id ?? null);
  }
}

/**
 * The row of an exchange (pure).
 * @param owner the node that works on it
 */
export function rowOf(record: ExchangeRecord, acquirer: string, owner: string | null): LinkExchangeRow {
  const { reference, sequence, request, purpose, answer, reversal, booked, reversed } = record;
  const text = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  return {
    reference,
    acquirer,
    sequence: sequence ?? null,
    stan: request?.stan ?? null,
    rrn: request?.rrn ?? null,
    transmittedAt: request?.at ?? null,
    state: record.state,
    original: purpose?.originalReference ?? null,
    card: purpose?.card ?? null,
    entityId: record.standIn?.entityId ?? null,
    reversalReference: reversal?.reference ?? null,
    request: text(request),
    purpose: text(purpose),
    answer: text(answer),
    reversal: text(reversal),
    bookedDay: booked?.day ?? null,
    bookedMinor: booked?.minor ?? null,
    reversedDay: reversed?.day ?? null,
    reversedMinor: reversed?.minor ?? null,
    standIn: text(record.standIn),
    sealed: record.sealed?.sealed ?? null,
    keyId: record.sealed?.keyId ?? null,
    lateApprovals: record.lateApprovals,
    owner,
    createdAtMs: record.createdAtMs,
    version: record.version,
  };
}

/** An exchange as it is stored. */
export function recordOf(row: LinkExchangeRow): ExchangeRecord {
  const parsed = (text: string | null) => (text === null ? undefined : JSON.parse(text));
  const { reference, state, lateApprovals, createdAtMs, version } = row;
  const optional = {
    sequence: row.sequence,
    request: parsed(row.request),
    purpose: parsed(row.purpose),
    answer: parsed(row.answer),
    reversal: parsed(row.reversal),
    booked: movementOf(row.bookedDay, row.bookedMinor),
    reversed: movementOf(row.reversedDay, row.reversedMinor),
    standIn: parsed(row.standIn),
    sealed: row.sealed !== null && row.keyId !== null ? { sealed: row.sealed, keyId: row.keyId } : undefined,
  };
  return { reference, state, lateApprovals, createdAtMs, version, ...present(optional) };
}

function movementOf(day: number | null, minor: number | null): HostMovement | undefined {
  return day === null || minor === null ? undefined : { day, minor };
}
