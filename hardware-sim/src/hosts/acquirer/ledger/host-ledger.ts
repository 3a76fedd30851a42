import { createHmac, type KeyObject } from 'node:crypto';
import {
  type AdditionalAmount,
  answerTo,
  type ExchangeMessage,
  type ExchangeOriginal,
  netOf,
} from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newApprovalCode } from '@tillbridge/wire/simulated-issuer/new-approval-code.js';
import { verifyCardholder } from '@tillbridge/wire/simulated-issuer/verify-cardholder.js';
import { type HostIssuer, type IssuerRules, PIN_TRIES } from '../issuer/issuer.js';
import type { AccountRow, CardRow, ReversalRow, TransactionKind, TransactionRow } from '../rows/tables.js';
import { decideReversal } from './decide-reversal.js';
import { decideTransaction, kindOf, type TransactionEffect } from './decide-transaction.js';
import type { HostStore } from './host-store.js';
import type { SettledDay } from './settlement-files.js';
import { totalsOf } from './totals.js';

/** What every account begins with, in minor units. */
export const OPENING_BALANCE_MINOR = 100_000_000;

/** What the ledger works with. */
interface HostLedgerDeps {
  readonly database: HostStore;
  readonly issuer: HostIssuer;
  /** Key of the hashes under which cards are kept. */
  readonly hashKey: KeyObject;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** How this message is treated otherwise than usual. */
interface Treatment extends IssuerRules {
  /** A message is approved though it was reversed before it came. */
  readonly approveReversed?: boolean;
  /** The answer reports the balance of the account. */
  readonly reportsBalance?: boolean;
}

/** A card without its number. */
interface KnownCard {
  readonly card: string;
  readonly last4Digits: string;
}

/** The record of an acquirer and issuer: decides on messages, and has written what it decided before it answers. */
export class HostLedger {
  readonly #deps: HostLedgerDeps;

  constructor(deps: HostLedgerDeps) {
    this.#deps = deps;
  }

  /**
   * The answer to a request or advice; undefined to a message that it does not carry out. The same message again gets its stored answer.
   * @throws DatabaseError
   */
  answer(message: ExchangeMessage, treatment: Treatment = {}): Promise<ExchangeMessage | undefined> {
    const { database } = this.#deps;
    if (message.kind === 'reversal') return database.exclusively(() => this.#reverse(message));
    if (message.kind === 'reconciliation') return database.exclusively(() => this.#reconcile(message));
    const kind = kindOf(message);
    if (kind === undefined) return Promise.resolve(undefined);
    return database.exclusively(() => this.#book(message, kind, treatment));
  }

  /** The current settlement day, which begins where there is none. */
  async day(): Promise<string> {
    const { database, clock } = this.#deps;
    const known = await database.day();
    if (known !== undefined) return known;
    const day = dayOf(clock.nowMs());
    await database.beginDay(day, clock.nowMs());
    return day;
  }

  /**
   * Closes the settlement day and begins the next one, which it returns.
   * @param over the day that is to be closed: where it was closed before, nothing happens
   * @param settle writes the files of the day; they are written again where the day was not closed then
   * @throws DatabaseError
   */
  cutOver(over: string | undefined, settle: (settled: SettledDay) => void): Promise<string> {
    const { database, clock } = this.#deps;
    return database.exclusively(async () => {
      const day = await this.day();
      if (over !== undefined && over < day) return day;
      settle({
        day,
        transactions: await database.transactions(day),
        reversals: await database.reversals(day),
        chargebacks: await database.chargebacks(day),
        originals: new Map((await database.transactions()).map((row) => [row.message, row])),
      });
      const next = nextDay(day, clock.nowMs());
      await database.beginDay(next, clock.nowMs());
      return next;
    });
  }

  async #book(
    message: ExchangeMessage,
    kind: TransactionKind,
    treatment: Treatment,
  ): Promise<ExchangeMessage> {
    const { database, clock } = this.#deps;
    const key = messageKey(message);
    const existing = await database.transaction(key);
    if (existing) return this.#repeated(message, kind, existing);
    const original = message.original && (await database.transaction(this.#keyOf(message, message.original)));
    const known = this.#cardOf(message, original);
    const card = await this.#card(known);
    const currency = message.amount?.currency ?? '';
    const account = await this.#account(known.card, currency);
    // A capture or refund of an approved sale is no new use of its card.
    const { pan: _, expiry: __, ...withoutCard } = message;
    const judged = message.original && message.isAdvice ? withoutCard : message;
    const issuer = this.#deps.issuer.judge(judged, card, treatment, clock.nowMs());
    const isReversed = !treatment.approveReversed && (await database.isReversed(key));
    const effect = decideTransaction(message, kind, { account, card, original, isReversed, issuer });
    const day = await this.day();
    const decided = this.#answerOf(message, effect, issuer.iccData(effect.responseCode));
    const additionalAmounts = treatment.reportsBalance ? balancesOf(effect.account ?? account) : undefined;
    const answer = { ...decided, ...present({ additionalAmounts }), settlementDate: day };
    await database.putCard(issuer.card);
    if (effect.account) await database.putAccount(effect.account);
    if (effect.original) await database.changeTransaction(effect.original);
    await database.addTransaction({
      ...this.#rowOf(message, kind, known),
      ...amountsOf(kind, effect),
      answer: JSON.stringify(answer),
      original: original?.message ?? null,
      day,
    });
    return answerTo(message, answer);
  }

  /** A message that came before gets its answer again; another one under its number is refused. */
  #repeated(message: ExchangeMessage, kind: TransactionKind, existing: TransactionRow): ExchangeMessage {
    const isSame = existing.kind === kind && existing.requestedMinor === message.amount?.minor;
    return answerTo(message, isSame ? JSON.parse(existing.answer) : { responseCode: '94' });
  }

  #answerOf(message: ExchangeMessage, effect: TransactionEffect, iccData: string | undefined) {
    const { responseCode, amountMinor } = effect;
    const isApproved = amountMinor > 0;
    const { amount, cvv, billingStreet, billingPostcode } = message;
    const hasAddress = billingStreet !== undefined || billingPostcode !== undefined;
    const billing = hasAddress ? present({ street: billingStreet, postcode: billingPostcode }) : undefined;
    const { avsResponse, cvvResponse } = verifyCardholder({ cvv, billing });
    return present({
      responseCode,
      iccData,
      approvalCode: isApproved ? (message.approvalCode ?? newApprovalCode(this.#deps.random)) : undefined,
      amount: isApproved && amount ? { minor: amountMinor, currency: amount.currency } : amount,
      avsResult: avsResponse,
      cvvResult: cvvResponse,
      networkTransactionId: isApproved && isFirst(message) ? this.#networkTransactionId() : undefined,
    });
  }

  /** The network's name of a first payment: fifteen digits. */
  #networkTransactionId(): string {
    const number = Buffer.from(this.#deps.random.bytes(8)).readBigUInt64BE() % 10n ** 15n;
    return String(number).padStart(15, '0');
  }

  async #reverse(message: ExchangeMessage): Promise<ExchangeMessage> {
    const { database, clock } = this.#deps;
    if (!message.original) return answerTo(message, { responseCode: '30' });
    const key = this.#keyOf(message, message.original);
    const original = await database.transaction(key);
    const known = await database.reversal(messageKey(message));
    // One that found nothing may find something now.
    if (known && known.reversedMinor > 0) return reversed(message, known, original);
    const root =
      original?.original === null || original === undefined
        ? undefined
        : await database.transaction(original.original);
    const account =
      original?.card === null || original === undefined
        ? undefined
        : await this.#account(original.card, original.currency);
    const effect = decideReversal(message.remaining, { original, root, account });
    const { responseCode, reversedMinor } = effect;
    if (effect.account) await database.putAccount(effect.account);
    for (const row of effect.transactions) await database.changeTransaction(row);
    if (responseCode !== '00') return answerTo(message, { responseCode });
    const reversal = {
      message: messageKey(message),
      original: key,
      reversedMinor,
      currency: original?.currency ?? null,
      day: await this.day(),
      atMs: clock.nowMs(),
    };
    await database.addReversal(reversal);
    return reversed(message, reversal, original);
  }

  /** Totals of the terminal's merchant on the day that is named, or on the current one; 95 where the other side has others. */
  async #reconcile(message: ExchangeMessage): Promise<ExchangeMessage> {
    const { database } = this.#deps;
    const { merchantId, net, totals: theirs } = message;
    const currency = net?.currency ?? 'EUR';
    const day = message.settlementDate ?? (await this.day());
    const own = (await database.transactions()).filter((row) => row.merchantId === merchantId);
    const totals = totalsOf({ day, currency }, own, await database.reversals(day));
    const isEqual = JSON.stringify(totals) === JSON.stringify(theirs && ordered(theirs));
    const ours = { totals, net: { minor: netOf(totals), currency }, settlementDate: day };
    return answerTo(message, { responseCode: isEqual ? '00' : '95', ...ours });
  }

  #keyOf({ terminalId = '' }: ExchangeMessage, { stan, at }: ExchangeOriginal): string {
    return messageKey({ terminalId, stan, at });
  }

  #cardOf({ pan }: ExchangeMessage, original: TransactionRow | undefined): KnownCard {
    if (pan !== undefined) return { card: this.#hash(pan), last4Digits: pan.slice(-4) };
    return { card: original?.card ?? 'none', last4Digits: original?.last4Digits ?? '' };
  }

  #hash(pan: string): string {
    return createHmac('sha256', this.#deps.hashKey).update('card\0').update(pan).digest('hex');
  }

  async #card({ card, last4Digits }: KnownCard): Promise<CardRow> {
    const known = await this.#deps.database.card(card);
    return known ?? { card, last4Digits, pinTriesLeft: PIN_TRIES, lastAtc: 0 };
  }

  async #account(card: string, currency: string): Promise<AccountRow> {
    const known = await this.#deps.database.account(card, currency);
    return known ?? { card, currency, balanceMinor: OPENING_BALANCE_MINOR, heldMinor: 0 };
  }

  #rowOf(message: ExchangeMessage, kind: TransactionKind, { card, last4Digits }: KnownCard) {
    return {
      message: messageKey(message),
      kind,
      isAdvice: message.isAdvice ? 1 : 0,
      terminalId: message.terminalId ?? '',
      merchantId: message.merchantId ?? '',
      rrn: message.rrn ?? null,
      card,
      last4Digits,
      currency: message.amount?.currency ?? 'XXX',
      requestedMinor: message.amount?.minor ?? 0,
      atMs: this.#deps.clock.nowMs(),
    } as const;
  }
}

/** The answer to a reversal: what it gave back and when, and the settlement day of what was reversed. */
function reversed(
  message: ExchangeMessage,
  { reversedMinor, day }: Pick<ReversalRow, 'reversedMinor' | 'day'>,
  original: TransactionRow | undefined,
): ExchangeMessage {
  const currency = original?.currency ?? message.amount?.currency;
  return answerTo(message, {
    responseCode: '00',
    settlementDate: day,
    ...(currency !== undefined && { amount: { minor: reversedMinor, currency } }),
    ...(original && { captureDate: original.day }),
  });
}

/** Ledger balance and what is left of it, as field 54 has them. */
function balancesOf({ balanceMinor, heldMinor, currency }: AccountRow): readonly AdditionalAmount[] {
  const amount = (minor: number) => ({ minor, currency });
  return [
    { account: '00', type: '01', amount: amount(balanceMinor) },
    { account: '00', type: '02', amount: amount(balanceMinor - heldMinor) },
  ];
}

/** Whether it is the first payment of an agreement. */
function isFirst({ standing }: ExchangeMessage): boolean {
  return standing?.startsWith('INITIAL,') === true;
}

function amountsOf(kind: TransactionKind, { responseCode, amountMinor }: TransactionEffect) {
  return {
    amountMinor,
    heldMinor: kind === 'authorization' ? amountMinor : 0,
    refundedMinor: 0,
    reversedMinor: 0,
    chargedBackMinor: 0,
    approved: amountMinor > 0 ? 1 : 0,
    responseCode,
  } as const;
}

/** The same members in the same order as those of the host. */
function ordered({ debits, credits, debitReversals, creditReversals }: ReturnType<typeof totalsOf>) {
  return { debits, credits, debitReversals, creditReversals };
}

/** What names a message: its terminal, its number and its time. */
export function messageKey({
  terminalId = '',
  stan,
  at,
}: Pick<ExchangeMessage, 'terminalId' | 'stan' | 'at'>): string {
  return `${terminalId}/${stan}/${at}`;
}

/** The settlement day of a time, `yyyyMMdd` in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
}

/** The day behind a settlement day; never before the day of the clock. */
function nextDay(day: string, nowMs: number): string {
  const at = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)) + 1);
  const next = dayOf(at);
  const today = dayOf(nowMs);
  return today > next ? today : next;
}
