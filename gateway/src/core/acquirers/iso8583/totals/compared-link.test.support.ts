import type { ExchangeMessage, ExchangeTotals } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { allRows } from '../../../../kernel/store/all-rows.js';
import type { LinkTotalsRow } from '../../../../kernel/store/rows.js';
import { MemoryStore } from '../../../../kernel/store/testing/memory-store.js';
import { StoreLinkJournal } from '../journal/store-link-journal.js';
import { NUMBERS_PER_SECOND, stanOf } from '../journal/store-numbers.js';
import type { LinkQuestion } from '../link/line-pool.js';
import { NotSentError } from '../link/link-deps.js';
import { merchantKey, NO_TOTALS } from '../rules/day-totals.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';
import { answerOf, exchange } from '../rules/exchange-record.test.support.js';
import { LinkTotals } from './link-totals.js';

const ACQUIRER = 'EXTERNAL';
/** Totals of a side that has had so many transactions of 100 minor units. */
export const sales = (number: number) => ({ number, minor: 100 * number });

/** A host that compares totals as its books have them. */
class ComparingHost {
  /** Settlement day (`yyyyMMdd`) that it answers a cut-over with; absent: it states none. */
  day: string | undefined;
  cutOverCode = '00';
  /** Its totals by merchant and currency; others have none. */
  readonly totals = new Map<string, Partial<ExchangeTotals>>();
  /** States that totals differ, and not how its own are. */
  hidesTotals = false;
  /** A response code in place of a comparison. */
  refusal: string | undefined;
  isSilent = false;
  isDown = false;
  /** Fault of the line that is none of the host. */
  fault: Error | undefined;
  readonly questions: LinkQuestion[] = [];

  async question(question: LinkQuestion): Promise<ExchangeMessage | undefined> {
    if (this.fault) throw this.fault;
    if (this.isDown) throw new NotSentError('no host can be reached');
    this.questions.push(question);
    if (this.isSilent) return undefined;
    const { kind, network, merchantId = '', net, totals } = question;
    if (network === 'cut-over') return this.#answer('network', this.cutOverCode, { ...dayOf(this.day) });
    if (kind !== 'reconciliation') throw new Error(`no host answers ${JSON.stringify(question)}`);
    const own = { ...NO_TOTALS, ...this.totals.get(merchantKey(merchantId, net?.currency ?? '')) };
    const isEqual = JSON.stringify(own) === JSON.stringify(totals);
    const code = this.refusal ?? (isEqual ? '00' : '95');
    return this.#answer('reconciliation', code, {
      ...(code === '95' && !this.hidesTotals && { totals: own }),
    });
  }

  #answer(kind: 'network' | 'reconciliation', code: string, more: Partial<ExchangeMessage>): ExchangeMessage {
    return { ...answerOf(code), kind, ...more };
  }
}

const dayOf = (settlementDate: string | undefined) => settlementDate !== undefined && { settlementDate };

type Values = NonNullable<Parameters<typeof exchange>[0]>;

/** The comparison of totals of one link, with its journal on a store in memory and a host. */
export class ComparedLink {
  readonly clock: VirtualClock;
  readonly store = new MemoryStore();
  readonly host = new ComparingHost();
  readonly journal = new StoreLinkJournal({ store: this.store, acquirer: ACQUIRER });
  /** What was reversed again, and how. */
  readonly reversed: string[] = [];
  totals: LinkTotals;
  #count = 0;

  /** @param at a time in UTC */
  constructor(at: string) {
    this.clock = new VirtualClock(Date.parse(at));
    this.totals = this.another();
  }

  /** The comparison in another process, on the same store. */
  another(lookedBefore?: number): LinkTotals {
    const { store, journal, clock, host } = this;
    const reverseAgain = async (reference: string, how: string) => {
      this.reversed.push(`${reference} ${how}`);
    };
    const link = { question: (sent: LinkQuestion) => host.question(sent), reverseAgain };
    return new LinkTotals({ acquirer: ACQUIRER, store, journal, link, clock }, lookedBefore);
  }

  /** Journals an exchange that began at a time in UTC. */
  async began(at: string, values: Values = {}): Promise<ExchangeRecord> {
    const createdAtMs = Date.parse(at);
    this.#count += 1;
    const sequence = (createdAtMs / 1_000) * NUMBERS_PER_SECOND + this.#count;
    const reference = `${values.request?.kind === 'authorization' ? 'hold' : 'sale'}-${this.#count}`;
    const record = exchange({
      reference,
      ...values,
      request: { stan: stanOf(sequence), ...values.request },
      sequence,
      createdAtMs,
    });
    await this.journal.begin(record);
    return record;
  }

  /** Journals a sale of 100 that the host booked on a settlement day. */
  booked(day: number, values: Values = {}): Promise<ExchangeRecord> {
    const at = new Date(Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100, 9));
    const answered = { state: 'answered', answer: answerOf('00'), booked: { day, minor: 100 } } as const;
    return this.began(at.toISOString(), { ...answered, ...values });
  }

  /** Journals a request whose answer never came, and whose reversal the host has acknowledged. */
  unanswered(at: string, request: Values['request'] = {}, values: Values = {}): Promise<ExchangeRecord> {
    const reversal = { stan: '999999', at: '20261123090000', attempts: 1, nextAtMs: 0 };
    return this.began(at, { state: 'reversed', reversal, ...values, request });
  }

  /** Stores totals of a day that ended at a time, as compared and equal. */
  wasEqual(day: number, endedAtMs: number): Promise<void> {
    const row: LinkTotalsRow = { ...dueRow(ACQUIRER, day, endedAtMs), state: 'equal', attempts: 1 };
    return this.store.commit([{ op: 'insert', table: 'linkTotals', row }]);
  }

  /** What is stored of the totals, in the order of day, merchant and currency. */
  rows(): Promise<LinkTotalsRow[]> {
    return allRows(this.store, 'linkTotals');
  }

  /** The days that are stored, each with its state. */
  async days(): Promise<string[]> {
    return (await this.rows()).map(({ day, state }) => `${day} ${state}`);
  }

  /** Compares at a time in UTC. */
  async round(at?: string): Promise<void> {
    if (at !== undefined) await this.clock.advance(Date.parse(at) - this.clock.nowMs());
    await this.totals.round();
  }
}

/** Totals of the merchant of the tests that are to be compared. */
export function dueRow(acquirer: string, day: number, endedAtMs: number): LinkTotalsRow {
  return {
    acquirer,
    day,
    acceptorId: 'M1',
    currency: 'EUR',
    state: 'due',
    ours: null,
    theirs: null,
    attempts: 0,
    dueAtMs: endedAtMs,
    createdAtMs: endedAtMs,
    version: 1,
  };
}
