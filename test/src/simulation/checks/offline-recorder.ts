import type { JournalRow, JournalWrite } from '@tillbridge/agent/journal/journal.js';
import type { OfflineLimits, OfflinePolicy } from '@tillbridge/agent/sale/offline/offline-policy.js';
import { CONTACT_ROW } from '@tillbridge/agent/sale/records/contact-row.js';
import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { wrongRecord } from './card-check.js';
import type { CardRecorder } from './card-recorder.js';
import type { Recorder } from './recorder.js';

/** What two clocks may differ by without one of them being called wrong. */
const CLOCKS_MS = 30_000;
/** For what is on its way, and for rows that are on the disk before they are seen there. */
const ON_ITS_WAY_MS = 1_000;
const TOLERANCE_MS = CLOCKS_MS + ON_ITS_WAY_MS;

/** A restart within this time may find a row missing that was on its way. */
const TIME_TO_WRITE_MS = 60_000;

/** "100.396.103": the pending transaction timed out. */
const EXPIRED_CODE = '100.396.103';

/** How an offline approval was lost. */
const LOSSES: ReadonlySet<unknown> = new Set(['declined-later', 'expired-offline']);

/** What the recorder compares with. */
interface OfflineRecorderDeps {
  readonly recorder: Recorder;
  readonly cards: Pick<CardRecorder, 'transactionOf'>;
  /** The time of the simulation, which no fault changes. */
  readonly clock: Clock;
  readonly policy: OfflinePolicy;
}

/** One sale taken without the gateway. */
interface Taken {
  readonly reference: string;
  readonly terminalId: string;
  readonly card: string;
  readonly minor: number;
  readonly isDeferred: boolean;
  /** When it was decided: time of the simulation. */
  readonly atMs: number;
}

/** What a store's journal and the network have shown of it. */
interface StoreRecord {
  /** Offline records without a confirmation, by message id. */
  readonly unconfirmed: Map<string, Taken>;
  /** Cards of offline approvals, by reference. */
  readonly cards: Map<string, string>;
  /** Cards of those that were lost, by reference. */
  readonly lost: Map<string, string>;
  /** The same when a record was decided, by its message id. */
  readonly lostBefore: Map<string, ReadonlySet<string>>;
  readonly decidedAtMs: Map<string, number>;
  /** The highest time that a restart has to know, milliseconds since 1970: of a row, or of the gateway where the clock was behind it. */
  keptMs: number;
  /** The highest time since the start, the gateway's among them. */
  highestMs: number;
  /** The same before the gateway last showed that the clock was behind, and when that was: time of the simulation. */
  beforeBehind: { readonly keptMs: number; readonly atMs: number } | undefined;
  /** When the gateway's time last came in: time of the simulation. */
  contactMs: number | undefined;
  /** The last time of the gateway that the running process received, and when: it goes on with a clock that only grows. */
  gatewayTime: { readonly timeMs: number; readonly atMs: number } | undefined;
  /** The most that the store's own clock, and the gateway's as received here, have been wrong by. */
  wallErrorMs: number;
  gatewayErrorMs: number;
}

/**
 * Keeps a separate record of what was taken without the gateway, from the rows on the disks, the cards and the network: limits are
 * counted by the cards themselves, and ages by the time of the simulation (P6).
 */
export class OfflineRecorder {
  readonly #with: OfflineRecorderDeps;
  readonly #stores = new Map<string, StoreRecord>();

  constructor(deps: OfflineRecorderDeps) {
    this.#with = deps;
  }

  /** A store's agent starts: it knows what its disk has. */
  started(store: string): void {
    const record = this.#store(store);
    const { beforeBehind, keptMs } = record;
    // What was received just before the end may not have reached the disk.
    const isFresh = beforeBehind && this.#with.clock.monotonicMs() - beforeBehind.atMs < TIME_TO_WRITE_MS;
    record.keptMs = isFresh ? Math.min(beforeBehind.keptMs, keptMs) : keptMs;
    record.highestMs = record.keptMs;
    // This process has to learn it anew, and has as long to write it down.
    record.beforeBehind = undefined;
    record.gatewayTime = undefined;
  }

  /** A message of the gateway came in at a store whose wall clock shows `wallMs`: its time, or that a record is too old. */
  arrived(store: string, { kind, body }: Envelope, wallMs: number): void {
    const record = this.#store(store);
    if (kind === 'acknowledgement' && body.outcome?.resultCode === EXPIRED_CODE)
      this.#checkExpiry(record, record.unconfirmed.get(body.messageId));
    if (kind !== 'welcome' && kind !== 'heartbeatAnswer') return;
    const nowMs = this.#with.clock.monotonicMs();
    record.wallErrorMs = Math.max(record.wallErrorMs, this.#errorOf(wallMs));
    record.gatewayErrorMs = Math.max(record.gatewayErrorMs, this.#errorOf(body.timeMs));
    // Forgotten as soon as a store may call it wrong.
    const isFalse = record.highestMs > body.timeMs + CLOCKS_MS - ON_ITS_WAY_MS;
    record.highestMs = isFalse ? body.timeMs : Math.max(record.highestMs, body.timeMs);
    if (isFalse) record.keptMs = Math.min(record.keptMs, body.timeMs);
    if (record.highestMs > wallMs + TOLERANCE_MS) {
      if (!record.beforeBehind || nowMs - record.beforeBehind.atMs > TIME_TO_WRITE_MS)
        record.beforeBehind = { keptMs: record.keptMs, atMs: nowMs };
      record.keptMs = record.highestMs;
    }
    record.contactMs = nowMs;
    record.gatewayTime = { timeMs: body.timeMs, atMs: nowMs };
  }

  /** A store's agent has decided rows, by its own wall clock. */
  decided(store: string, { rows, atMs }: JournalWrite): void {
    const record = this.#store(store);
    const nowMs = this.#with.clock.monotonicMs();
    record.wallErrorMs = Math.max(record.wallErrorMs, this.#errorOf(atMs));
    for (const { kind, reference, messageId = '' } of rows) {
      const isOfSale = (taken: Taken): boolean => taken.reference === reference;
      if (kind === 'too-old') this.#checkExpiry(record, [...record.unconfirmed.values()].find(isOfSale));
      if (kind !== 'offline-record') continue;
      record.decidedAtMs.set(messageId, nowMs);
      record.lostBefore.set(messageId, new Set(record.lost.values()));
      this.#checkTime(record, reference, atMs);
    }
  }

  /** A store's journal has taken rows. */
  landed(store: string, rows: readonly JournalRow[]): void {
    const record = this.#store(store);
    for (const row of rows) {
      // The time of the gateway is in the row; the clock that stamped it may be the wrong one.
      const atMs = row.kind === CONTACT_ROW ? 0 : row.atMs;
      record.keptMs = Math.max(record.keptMs, atMs);
      record.highestMs = Math.max(record.highestMs, atMs);
      this.#landed(store, record, row);
    }
  }

  #landed(store: string, record: StoreRecord, row: JournalRow): void {
    const { kind, reference, data, statusOf = '' } = row;
    if (kind === 'offline-record') this.#taken(store, record, row);
    if (kind === 'acknowledged' || kind === 'withdrawn') record.unconfirmed.delete(statusOf);
    if (kind === 'ended' && LOSSES.has(data.reason))
      record.lost.set(reference, record.cards.get(reference) ?? '');
    else if (kind === 'ended' || kind === 'late-decline-acknowledged') record.lost.delete(reference);
  }

  #taken(store: string, record: StoreRecord, row: JournalRow): void {
    const { reference, terminalId, messageId = '', data } = row;
    const { ac } = data.emv as { readonly ac?: string };
    const isDeferred = data.approval === 'deferred';
    const transaction = ac === undefined ? undefined : this.#with.cards.transactionOf(ac);
    const isReplay = this.#with.recorder.replays.some(
      ([at, , replay]) => at === store && replay === reference,
    );
    const wrong = isReplay ? undefined : wrongRecord(isDeferred, transaction);
    if (wrong !== undefined) this.#breach(`${reference} is approved without the gateway, and ${wrong}`);
    const taken: Taken = {
      reference,
      terminalId,
      card: transaction?.card ?? '',
      minor: (data.amount as { readonly minor: number }).minor,
      isDeferred,
      atMs: record.decidedAtMs.get(messageId) ?? this.#with.clock.monotonicMs(),
    };
    record.unconfirmed.set(messageId, taken);
    record.cards.set(reference, taken.card);
    this.#checkLimits(record, taken, record.lostBefore.get(messageId) ?? new Set());
    record.lostBefore.delete(messageId);
  }

  #checkLimits(record: StoreRecord, taken: Taken, lostBefore: ReadonlySet<string>): void {
    const { policy } = this.#with;
    const { card, terminalId, reference } = taken;
    const all = [...record.unconfirmed.values()];
    const here = all.filter((each) => each.terminalId === terminalId);
    const own = all.filter((each) => each.card === card);
    const isDeferred = (each: Taken): boolean => each.isDeferred;
    const limits = policy.limits.EUR as Required<OfflineLimits>;
    const deferred = policy.deferred.limits.EUR as Required<OfflineLimits>;
    const compare = (what: string, is: number, most: number): void => {
      if (is > most) this.#breach(`with ${reference} the ${what} is ${is}, limit ${most}`);
    };
    compare('amount of one sale', taken.minor, limits.perSaleMinor);
    compare('sum of its terminal', sumOf(here), limits.sumMinor);
    compare('count of its terminal', here.length, policy.maxCount);
    compare('sum of its card', sumOf(own), limits.perCardMinor);
    compare('count of its card', own.length, policy.maxPerCard);
    if (lostBefore.has(card))
      this.#breach(`${reference} is approved with a card that has lost a sale before`);
    if (!taken.isDeferred) return;
    compare('amount of one deferred sale', taken.minor, deferred.perSaleMinor);
    compare('deferred sum of its terminal', sumOf(here.filter(isDeferred)), deferred.sumMinor);
    compare('deferred count of its terminal', here.filter(isDeferred).length, policy.deferred.maxCount);
    compare('deferred sum of its card', sumOf(own.filter(isDeferred)), deferred.perCardMinor);
  }

  /** @param wallMs the agent's wall clock, milliseconds since 1970 */
  #checkTime(record: StoreRecord, reference: string, wallMs: number): void {
    const { highestMs, contactMs, gatewayTime } = record;
    const nowMs = this.#with.clock.monotonicMs();
    const gatewayMs = gatewayTime ? gatewayTime.timeMs + nowMs - gatewayTime.atMs : 0;
    const behindMs = Math.max(highestMs, gatewayMs) - wallMs;
    if (behindMs > TOLERANCE_MS)
      this.#breach(`${reference} is approved without the gateway by a clock ${seconds(behindMs)} behind`);
    const ageMs = contactMs === undefined ? Infinity : nowMs - contactMs;
    if (ageMs > this.#with.policy.maxContactAgeMs + toleranceOf(record))
      this.#breach(`${reference} is approved ${seconds(ageMs)} after the last contact with the gateway`);
  }

  #checkExpiry(record: StoreRecord, taken: Taken | undefined): void {
    if (!taken) return;
    const { reference, atMs } = taken;
    const ageMs = this.#with.clock.monotonicMs() - atMs;
    const { expiryMs } = this.#with.policy;
    if (ageMs < expiryMs - toleranceOf(record))
      this.#breach(`${reference} expires after ${seconds(ageMs)}, and may wait for ${seconds(expiryMs)}`);
  }

  #errorOf(timeMs: number): number {
    return Math.abs(timeMs - this.#with.clock.nowMs());
  }

  #breach(detail: string): void {
    this.#with.recorder.breach('P6', detail);
  }

  #store(name: string): StoreRecord {
    const record = this.#stores.get(name) ?? {
      unconfirmed: new Map(),
      cards: new Map(),
      lost: new Map(),
      lostBefore: new Map(),
      decidedAtMs: new Map(),
      keptMs: 0,
      highestMs: 0,
      beforeBehind: undefined,
      contactMs: undefined,
      gatewayTime: undefined,
      wallErrorMs: 0,
      gatewayErrorMs: 0,
    };
    this.#stores.set(name, record);
    return record;
  }
}

/** How wrong an age may be: where both clocks are wrong, none shows it, and the smaller of the two errors remains. */
function toleranceOf({ wallErrorMs, gatewayErrorMs }: StoreRecord): number {
  return TOLERANCE_MS + Math.min(wallErrorMs, gatewayErrorMs);
}

function sumOf(taken: readonly Taken[]): number {
  return taken.reduce((sum, { minor }) => sum + minor, 0);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
