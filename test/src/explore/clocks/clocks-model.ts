import type { JournalRow, JournalWrite } from '@tillbridge/agent/journal/journal.js';
import { OFFLINE_OFF, type OfflinePolicy } from '@tillbridge/agent/sale/offline/offline-policy.js';
import { saleReasons } from '@tillbridge/agent/sale/offline/offline-rules.js';
import { RecordAges } from '@tillbridge/agent/sale/offline/record-ages.js';
import { TimeFloor } from '@tillbridge/agent/sale/offline/time-floor.js';
import { contactRow, keptTime } from '@tillbridge/agent/sale/records/contact-row.js';
import { restoreTime } from '@tillbridge/agent/sale/runtime/boot.js';
import { ContactLog } from '@tillbridge/agent/sale/runtime/contact-log.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { Parts } from '../core/canonical.js';
import type { Model } from '../core/model.js';
import { checkedExpiry, checkedSale } from './clocks-promises.js';
import type { ClockSeams, ClocksAction, ClocksState, ContactRow, TimeProcess } from './clocks-state.js';

/** What is explored of a store's time. */
export interface ClocksBounds {
  /** How many minutes pass. */
  readonly minutes: number;
  /** Clocks that are set wrong, and ends of the process. */
  readonly faults: number;
  /** By how many minutes a clock may be ahead (below 0: behind). */
  readonly wrongMin: readonly number[];
}

const MINUTE_MS = 60_000;
/** The true time at the start. */
const BEGIN_MS = 1_800_000_000_000;
const MESSAGE_ID = 'record';
const CLOCKS = ['storeAheadMin', 'gatewayAheadMin'] as const;

const POLICY: OfflinePolicy = {
  ...OFFLINE_OFF,
  enabled: true,
  limits: { EUR: { perSaleMinor: 1_000, sumMinor: 1_000, perCardMinor: 1_000 } },
  maxContactAgeMs: MINUTE_MS,
  expiryMs: MINUTE_MS,
};
const SALE = { type: 'sale', minor: 500, currency: 'EUR', onlineOnly: false } as const;

/** The parts of the agent that decide by the time, at one moment. */
interface TimeParts {
  readonly time: TimeFloor;
  readonly ages: RecordAges;
  readonly contacts: ContactLog;
  /** Rows that were handed to the journal at this moment. */
  readonly written: readonly JournalWrite[];
}

/** The time of a store: its wall clock and the gateway's, which may be wrong, what a restart keeps, and what is decided by it (P6). */
export class ClocksModel implements Model<ClocksState, ClocksAction> {
  readonly name = 'the time of a store';
  readonly initial: ClocksState;
  readonly #bounds: ClocksBounds;
  readonly #seams: ClockSeams;
  readonly #parts = new Parts();

  constructor(bounds: ClocksBounds, seams: ClockSeams = {}) {
    this.#bounds = bounds;
    this.#seams = seams;
    this.initial = {
      ...{ min: 0, storeAheadMin: 0, gatewayAheadMin: 0 },
      disk: { highestAtMs: 0, highestAtMsAfter: 0, shownMs: 0 },
      ...{ storeErrorMin: 0, gatewayErrorMin: 0, faults: bounds.faults },
    };
  }

  key({ process, disk, record, ...state }: ClocksState): string {
    const parts = [disk, process, record].map((part) => (part ? this.#parts.number(part) : 0));
    const { min, storeAheadMin, gatewayAheadMin, contactMin } = state;
    const errors = [state.storeErrorMin, state.gatewayErrorMin, state.faults, state.breach];
    return [...parts, min, storeAheadMin, gatewayAheadMin, contactMin, ...errors].join();
  }

  step(_state: ClocksState, action: ClocksAction): ClocksState | Promise<ClocksState> {
    const after = action.to();
    return after instanceof Promise ? after.then((state) => this.#shared(state)) : this.#shared(after);
  }

  #shared(state: ClocksState): ClocksState {
    const { process, disk } = state;
    return { ...state, disk: this.#parts.one(disk), ...(process && { process: this.#parts.one(process) }) };
  }

  violation({ breach }: ClocksState): string | undefined {
    return breach;
  }

  /** The store sells without the gateway, with clocks that are right. */
  isEnd(state: ClocksState): boolean {
    const { storeAheadMin, gatewayAheadMin, process, record } = state;
    if (storeAheadMin !== 0 || gatewayAheadMin !== 0 || !process || record) return false;
    return this.#sells(state, process);
  }

  actions(state: ClocksState): readonly ClocksAction[] {
    const { process, min } = state;
    const found: ClocksAction[] = [];
    if (min < this.#bounds.minutes)
      found.push({ name: 'a minute passes', to: () => ({ ...state, min: min + 1 }) });
    const { wrongMin } = this.#bounds;
    for (const clock of CLOCKS) found.push(...clockActions(state, clock, wrongMin));
    if (process) found.push(...this.#ofProcess(state, process));
    else found.push({ name: 'the agent starts', to: () => this.#start(state) });
    return found;
  }

  #ofProcess(state: ClocksState, process: TimeProcess): ClocksAction[] {
    const { record, faults } = state;
    // One contact at a time is on its way to the disk: each message of the gateway may bring one.
    const found: ClocksAction[] =
      process.pending.length > 0
        ? [{ name: 'the journal takes the contact', to: () => landed(state, process) }]
        : [{ name: 'a message of the gateway comes in', to: () => this.#contact(state, process) }];
    if (faults > 0) {
      const { process: _ended, ...down } = state;
      found.push({ name: 'the agent ends', isFault: true, to: () => ({ ...down, faults: faults - 1 }) });
    }
    if (!record) {
      if (this.#sells(state, process))
        found.push({ name: 'a sale is approved without the gateway', to: () => this.#sell(state, process) });
      return found;
    }
    found.push({ name: 'the gateway confirms the record', to: () => withoutRecord(state, process) });
    const { ages } = this.#timeParts(state, process);
    if (ages.sureMs({ messageId: MESSAGE_ID, atMs: record.atMs }) >= POLICY.expiryMs)
      found.push({
        name: 'the record counts as too old',
        to: () => withoutRecord(checkedExpiry(state, record, POLICY.expiryMs / MINUTE_MS), process),
      });
    return found;
  }

  #sells(state: ClocksState, process: TimeProcess): boolean {
    const { time } = this.#timeParts(state, process);
    const situation = {
      ...{ policy: POLICY, terminalId: 'T1', journalReady: true, unforwarded: [] },
      ...{ clockBehind: time.isBehind(), contactAgeMs: time.contactAgeMs() },
    };
    return saleReasons(situation, SALE).length === 0;
  }

  /** What was handed to the journal before the row of the sale is on the disk before it. */
  #sell(state: ClocksState, process: TimeProcess): ClocksState {
    const atMs = wallMs(state);
    let written = checkedSale(state, process, atMs, POLICY.maxContactAgeMs / MINUTE_MS);
    for (const _ of process.pending) written = landed(written, written.process ?? process);
    const { disk, process: now = process } = written;
    const parts = this.#timeParts(written, now);
    parts.time.journaled(atMs);
    parts.contacts.journaled();
    parts.ages.keep([{ messageId: MESSAGE_ID, atMs }]);
    return {
      ...written,
      record: { atMs, min: state.min },
      disk: {
        ...disk,
        highestAtMs: Math.max(disk.highestAtMs, atMs),
        highestAtMsAfter: Math.max(disk.highestAtMsAfter, atMs),
        shownMs: Math.max(disk.shownMs, atMs),
      },
      process: after(parts, { ...now, highestMs: Math.max(now.highestMs, atMs) }),
    };
  }

  #contact(state: ClocksState, process: TimeProcess): ClocksState {
    const timeMs = trueMs(state) + state.gatewayAheadMin * MINUTE_MS;
    const parts = this.#timeParts(state, process);
    parts.contacts.noteGatewayTime(timeMs);
    // The same time that the agent may call false.
    const isFalse = process.highestMs > timeMs + MINUTE_MS / 2;
    const highestMs = isFalse ? timeMs : Math.max(process.highestMs, timeMs);
    return {
      ...state,
      contactMin: state.min,
      storeErrorMin: Math.max(state.storeErrorMin, Math.abs(state.storeAheadMin)),
      gatewayErrorMin: Math.max(state.gatewayErrorMin, Math.abs(state.gatewayAheadMin)),
      process: after(parts, { ...process, highestMs, gateway: { timeMs, min: state.min } }),
    };
  }

  async #start(state: ClocksState): Promise<ClocksState> {
    const { disk, record, min } = state;
    const process: TimeProcess = {
      known: new TimeFloor(clockOf(state, min)).known,
      ...{ contactJournaledMs: Number.NEGATIVE_INFINITY, startedMin: min, pending: [] },
      highestMs: disk.shownMs,
    };
    const { time } = this.#timeParts(state, process);
    const { contact } = disk;
    const kept = contact && { ...contact, stored: this.#seams.restores?.(contact.stored) ?? contact.stored };
    await restoreTime(
      {
        lastOfKind: async () => kept && ({ row: 1, data: contactRow(kept.stored) } as unknown as JournalRow),
        highestAtMs: async () => disk.highestAtMs,
        highestAtMsAfter: async () => disk.highestAtMsAfter,
      },
      time,
    );
    const ages = new RecordAges(clockOf(state, min), time);
    ages.booted(record ? [{ messageId: MESSAGE_ID, atMs: record.atMs }] : []);
    const sight = ages.seen.get(MESSAGE_ID);
    return { ...state, process: { ...process, known: time.known, ...(sight && { sight }) } };
  }

  /** What runs of the agent, as it is now. */
  #timeParts(state: ClocksState, { known, contactJournaledMs, sight, startedMin }: TimeProcess): TimeParts {
    const clock = clockOf(state, startedMin);
    const honest = new TimeFloor(clock, known);
    const time = this.#seams.timeFloor?.(honest) ?? honest;
    const seen = new RecordAges(clock, time, new Map(sight ? [[MESSAGE_ID, sight]] : []));
    const written: JournalWrite[] = [];
    const journal = {
      state: { kind: 'ready' } as const,
      append: async (write: JournalWrite) => {
        written.push(write);
        return [];
      },
    };
    return {
      time,
      ages: this.#seams.recordAges?.(seen, time) ?? seen,
      contacts: new ContactLog(journal, time, contactJournaledMs),
      written,
    };
  }
}

function trueMs({ min }: ClocksState): number {
  return BEGIN_MS + min * MINUTE_MS;
}

function wallMs(state: ClocksState): number {
  return trueMs(state) + state.storeAheadMin * MINUTE_MS;
}

function clockOf(state: ClocksState, startedMin: number): Clock {
  return {
    nowMs: () => wallMs(state),
    monotonicMs: () => (state.min - startedMin) * MINUTE_MS,
    setTimer: () => {
      throw new Error('no timer is set here');
    },
  };
}

/** A clock is set: right, or wrong. */
function clockActions(
  state: ClocksState,
  clock: (typeof CLOCKS)[number],
  wrongMin: readonly number[],
): ClocksAction[] {
  const name = clock === 'storeAheadMin' ? 'the clock of the store' : 'the clock of the gateway';
  const now = state[clock];
  const found: ClocksAction[] =
    now === 0 ? [] : [{ name: `${name} is set right`, to: () => ({ ...state, [clock]: 0 }) }];
  if (state.faults === 0) return found;
  for (const aheadMin of wrongMin.filter((other) => other !== now))
    found.push({
      name: `${name} is set ${Math.abs(aheadMin)} min ${aheadMin > 0 ? 'ahead' : 'behind'}`,
      isFault: true,
      to: () => ({ ...state, [clock]: aheadMin, faults: state.faults - 1 }),
    });
  return found;
}

/** The process after a moment in which its parts took something in. */
function after({ time, ages, contacts, written }: TimeParts, process: TimeProcess): TimeProcess {
  const sight = ages.seen.get(MESSAGE_ID);
  const rows = written.map(({ atMs, rows: [row] }): ContactRow => {
    const stored = row && keptTime(row);
    if (!stored) throw new Error('a contact was journaled that a start cannot read');
    return { stored, atMs, highestMs: process.highestMs };
  });
  const { sight: _former, ...rest } = process;
  return {
    ...rest,
    ...(sight && { sight }),
    known: time.known,
    contactJournaledMs: contacts.journaledMs,
    pending: [...process.pending, ...rows],
  };
}

/** The disk takes the first of the rows that wait for it. */
function landed(state: ClocksState, process: TimeProcess): ClocksState {
  const [contact, ...pending] = process.pending;
  if (!contact) return state;
  return {
    ...state,
    disk: {
      contact,
      highestAtMs: Math.max(state.disk.highestAtMs, contact.atMs),
      highestAtMsAfter: 0,
      shownMs: contact.highestMs,
    },
    process: { ...process, pending },
  };
}

function withoutRecord(state: ClocksState, process: TimeProcess): ClocksState {
  const { record: _record, ...rest } = state;
  const { sight: _sight, ...without } = process;
  return { ...rest, process: without };
}
