import { toHex } from '@tillbridge/wire/bytes.js';
import { TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { type Bit, type BitTable, hasBit } from '@tillbridge/wire/emv/bits.js';
import { cvmResultsNames } from '@tillbridge/wire/emv/cvm-results.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { KernelDecision } from '../kernel/decision.js';
import type { TransactionData } from '../kernel/transaction-data.js';
import type { EntryPlace } from './sale-log.js';

/** Transactions of one terminal that are kept, and decisions of one of them. */
export const MAX_TRANSACTIONS = 20;
const MAX_DECISIONS = 200;

/** A bit of a field. */
interface BitView {
  /** Counted from 1. */
  readonly byte: number;
  /** As EMV counts: 8 down to 1. */
  readonly bit: number;
  readonly name: string;
  readonly set: boolean;
  /** Why the kernel set it. */
  readonly reason?: string;
}

/** A field bit by bit. */
export interface FieldView {
  /** Hex. */
  readonly value: string;
  readonly bits: readonly BitView[];
}

/** A transaction as `GET /terminals/{id}/kernel` shows it. */
export interface TransactionView {
  readonly number: number;
  /** Number of its sale. */
  readonly sale?: number;
  readonly at: string;
  readonly application: string;
  readonly tvr: FieldView;
  readonly tsi: FieldView;
  /** Tag 9F34. */
  readonly cvmResults: { readonly value: string; readonly meaning: readonly string[] };
  readonly decisions: readonly DecisionView[];
}

/** A decision: `frame` is the number of the request that was carried out, `apdu` that of the exchange before it. */
interface DecisionView extends DecisionPlace {
  readonly at: string;
  readonly topic: string;
  readonly what: string;
  readonly reason: string;
  /** Of a cryptogram: tag 9F26 as hex. */
  readonly value?: string;
}

/** Where a decision belongs: to a sale, a request of the host, and the exchange with the card before it. */
interface DecisionPlace extends EntryPlace {
  readonly apdu?: number;
}

interface Transaction {
  readonly number: number;
  readonly atMs: number;
  readonly application: string;
  readonly sale: number | undefined;
  readonly decisions: LoggedDecision[];
  tvr: Buffer;
  tsi: Buffer;
  cvmResults: Buffer;
}

interface LoggedDecision extends DecisionPlace {
  readonly atMs: number;
  readonly decision: KernelDecision;
  readonly value?: string;
}

/** What the kernel of a terminal decided in its last transactions, and why. */
export class KernelLog {
  readonly #clock: Clock;
  readonly #onChange: (transaction: number) => void;
  readonly #place: () => DecisionPlace;
  readonly #byData = new WeakMap<TransactionData, Transaction>();
  readonly #transactions: Transaction[] = [];
  #last = 0;

  /**
   * @param onChange called with the number of the transaction in which something was decided
   * @param place where a decision belongs that is made now
   */
  constructor(
    clock: Clock,
    onChange: (transaction: number) => void,
    place: () => DecisionPlace = () => ({}),
  ) {
    this.#clock = clock;
    this.#place = place;
    this.#onChange = onChange;
  }

  /** Oldest first. */
  get transactions(): readonly TransactionView[] {
    return this.#transactions.map(view);
  }

  /** Takes a decision. */
  add(decision: KernelDecision, data: TransactionData): void {
    const transaction = this.#byData.get(data) ?? this.#begin(data);
    transaction.tvr = Buffer.from(data.tvr);
    transaction.tsi = Buffer.from(data.get('9B') ?? []);
    transaction.cvmResults = Buffer.from(data.get('9F34') ?? []);
    if (transaction.decisions.length < MAX_DECISIONS)
      transaction.decisions.push(this.#logged(decision, data));
    this.#onChange(transaction.number);
  }

  #logged(decision: KernelDecision, data: TransactionData): LoggedDecision {
    const value = decision.topic === 'cryptogram' ? data.get('9F26') : undefined;
    const atMs = this.#clock.nowMs();
    return { atMs, decision, ...this.#place(), ...(value && { value: toHex(value) }) };
  }

  #begin(data: TransactionData): Transaction {
    this.#last += 1;
    const transaction: Transaction = {
      number: this.#last,
      sale: this.#place().sale,
      atMs: this.#clock.nowMs(),
      application: Buffer.from(data.get('50') ?? []).toString('latin1'),
      decisions: [],
      tvr: Buffer.alloc(0),
      tsi: Buffer.alloc(0),
      cvmResults: Buffer.alloc(0),
    };
    this.#byData.set(data, transaction);
    this.#transactions.push(transaction);
    if (this.#transactions.length > MAX_TRANSACTIONS) this.#transactions.shift();
    return transaction;
  }
}

function view(transaction: Transaction): TransactionView {
  const { number, sale, atMs, application, tvr, tsi, cvmResults, decisions } = transaction;
  const reasons = (topic: 'tvr' | 'tsi') => (bit: Bit) =>
    decisions.find(({ decision }) => decision.topic === topic && isSame(decision.bit, bit))?.decision.reason;
  return {
    number,
    ...(sale !== undefined && { sale }),
    at: new Date(atMs).toISOString(),
    application,
    tvr: fieldView(tvr, TVR, reasons('tvr')),
    tsi: fieldView(tsi, TSI, reasons('tsi')),
    cvmResults: {
      value: toHex(cvmResults),
      meaning: cvmResults.length === 0 ? [] : cvmResultsNames(cvmResults),
    },
    decisions: decisions.map(({ atMs: at, decision: { topic, what, reason }, ...place }) => ({
      ...place,
      at: new Date(at).toISOString(),
      topic,
      what,
      reason,
    })),
  };
}

function fieldView(
  value: Uint8Array,
  table: BitTable,
  reasonOf: (bit: Bit) => string | undefined,
): FieldView {
  const bits = Object.values<Bit>(table).map((bit) => {
    const reason = reasonOf(bit);
    const { byte, mask, name } = bit;
    return {
      byte,
      bit: Math.log2(mask) + 1,
      name,
      set: hasBit(value, bit),
      ...(reason !== undefined && { reason }),
    };
  });
  return { value: toHex(value), bits };
}

function isSame(one: Bit | undefined, other: Bit): boolean {
  return one?.byte === other.byte && one.mask === other.mask;
}
