import { createHmac, type KeyObject } from 'node:crypto';
import { APPROVED } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { REFUSED_PROMOTIONS } from '@tillbridge/wire/payment/test-promotions.js';
import { addPresent } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newApprovalCode } from '@tillbridge/wire/simulated-issuer/new-approval-code.js';
import { verifyCardholder } from '@tillbridge/wire/simulated-issuer/verify-cardholder.js';
import { type SecurityModule, SecurityModuleError } from '../../../security/module/security-module.js';
import { panFingerprint } from '../../../security/vault/pan-fingerprint.js';
import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerBankAccount,
  type AcquirerChargeback,
  type AcquirerGiftCard,
  type AcquirerInstrument,
  type AcquirerMoneyRequest,
  type AcquirerRecord,
  type AcquirerRequest,
  type AcquirerStatus,
  type AcquirerTransaction,
  AcquirerUnreachableError,
  type AcquirerVirtualAccount,
  type BalanceAnswer,
  type BalanceInquiries,
  type ChargebackFeed,
  type ChargebackSimulator,
  cardOf,
  isChargebackKind,
  last4DigitsOf,
  type PlacedEntry,
  type RecordEntry,
  type TransactionRecord,
  type WantedChargeback,
} from '../acquirer.js';
import { REQUEST_KINDS } from '../request-kinds.js';
import type { BankLink, BankOutcome } from './bank-link.js';
import { askOf } from './gift-card-ask.js';
import { IssuerSimulator } from './issuer-simulator.js';
import { type IssuerVerdict, type LedgerRequest, NO_MONEY } from './ledger.js';
import { ledgerRecord, reachable } from './ledger-record.js';
import { asTransaction, INTERNAL_ACQUIRER, isPending, type LedgerRow, storedAnswer } from './ledger-rows.js';
import type { LedgerStore, PlacedRow, ReturnPlace } from './ledger-store.js';
import { LedgerWriter } from './ledger-writer.js';
import { networkIds } from './network-simulator.js';
import { type LedgerPlace, openLedger } from './open-ledger.js';
import { CANCELLED, NO_LINK, PENDING, REFUSED_BY_SHOPPER } from './response-codes.js';

/** What the INTERNAL acquirer needs besides its ledger. */
interface InternalAcquirerDeps {
  /** Key of its card hashes. */
  readonly hashKey: KeyObject;
  readonly security: Pick<SecurityModule, 'verifyArqcAndMakeArpc' | 'verifyPin'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  /** Absent: payments that are approved at a bank are refused. */
  readonly bank?: BankLink;
}

/** The INTERNAL acquirer on its own database. */
export interface InternalAcquirerOptions extends InternalAcquirerDeps, LedgerPlace {}

const SILENT = 'the acquirer simulator withholds the answer to this request, as the test requested';

/**
 * The acquirer and issuer of test mode INTERNAL. It answers after its own commit, as another company's host would: what the gateway
 * loses in a crash is in this ledger, and `status` returns it.
 */
export class InternalAcquirer
  implements
    Acquirer,
    TransactionRecord,
    AcquirerRecord,
    ChargebackFeed,
    ChargebackSimulator,
    BalanceInquiries
{
  readonly name = INTERNAL_ACQUIRER;
  readonly #options: InternalAcquirerDeps;
  readonly #ledger: LedgerStore;
  readonly #record: AcquirerRecord;
  readonly #writer: LedgerWriter;
  readonly #issuer: IssuerSimulator;
  /** Running requests by reference: a status waits for its request. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** When the answer of a reference may be given, where a test withholds it; forgotten with the process. */
  readonly #silentUntilMs = new Map<string, number>();

  /** The acquirer on a ledger of any engine. */
  constructor(options: InternalAcquirerDeps, ledger: LedgerStore) {
    this.#options = options;
    this.#ledger = ledger;
    this.#record = ledgerRecord(ledger);
    this.#writer = new LedgerWriter(ledger);
    this.#issuer = new IssuerSimulator(options);
  }

  /**
   * Opens the acquirer on its database.
   * @throws StoreUnavailableError
   */
  static async open(options: InternalAcquirerOptions): Promise<InternalAcquirer> {
    return new InternalAcquirer(options, await openLedger(options));
  }

  async send(request: AcquirerRequest): Promise<AcquirerAnswer> {
    const { acquirerReference } = request;
    const before = this.#running.get(acquirerReference);
    const carriedOut = (before ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#carryOut(request));
    this.#running.set(acquirerReference, carriedOut);
    try {
      return await carriedOut;
    } finally {
      if (this.#running.get(acquirerReference) === carriedOut) this.#running.delete(acquirerReference);
    }
  }

  async status(acquirerReference: string): Promise<AcquirerStatus> {
    await this.#running.get(acquirerReference)?.catch(() => undefined);
    this.#assertAnswering(acquirerReference);
    const row = await this.#decided(acquirerReference);
    return row ? { state: 'answered', answer: storedAnswer(row) } : { state: 'unknown' };
  }

  async transactions(): Promise<readonly AcquirerTransaction[]> {
    await this.#writer.settled();
    return (await reachable(() => this.#ledger.all())).map(asTransaction);
  }

  entriesAfter(position: number, limit: number): Promise<readonly PlacedEntry[]> {
    return this.#record.entriesAfter(position, limit);
  }

  entry(acquirerReference: string): Promise<RecordEntry | undefined> {
    return this.#record.entry(acquirerReference);
  }

  async chargebacksAfter(
    cursor: string | undefined,
    limit: number,
  ): Promise<readonly (AcquirerChargeback & { readonly cursor: string })[]> {
    const [atMs = 0, position = 0] = (cursor ?? '').split('/').map(Number);
    const recorded = new Set<number>();
    for (;;) {
      const page = await this.#returning({ atMs, position }, limit);
      const due = page.filter((each) => !isChargebackKind(each.row.kind) && !recorded.has(each.position));
      if (due.length === 0) return Promise.all(page.map((placed) => this.#chargebackOf(placed)));
      // The bank returns them now: from here on they are chargebacks as any other.
      await Promise.all(due.map(({ row }) => this.#recordReturn(row)));
      for (const each of due) recorded.add(each.position);
    }
  }

  async chargeBack({
    kind,
    reference,
    originalReference,
    amount,
    reason,
  }: WantedChargeback): Promise<boolean> {
    const answer = await this.#writer.record({
      ...this.#withoutCard([kind, amount, originalReference, reason]),
      kind,
      acquirerReference: reference,
      originalReference,
      amount,
      reason,
    });
    return answer.approved;
  }

  async receive(acquirerReference: string): Promise<boolean> {
    const row = await reachable(() => this.#ledger.find(acquirerReference));
    if (!row || !awaitsTransfer(row)) return false;
    return (await this.#complete(row, 'approved'))?.approved === 1;
  }

  async balance(
    acquirerReference: string,
    card: Pick<AcquirerGiftCard, 'number' | 'pin'>,
  ): Promise<BalanceAnswer> {
    const giftCard = this.#hashOf(card);
    const giftCardAsk = askOf(card, this.#options.random);
    const currency = giftCardAsk.issued?.currency ?? NO_MONEY.currency;
    const { resultCode, responseCode, balanceMinor } = await this.#writer.record({
      ...this.#withoutCard(['inquiry', giftCard]),
      kind: 'inquiry',
      acquirerReference,
      originalReference: null,
      amount: { minor: 0, currency },
      giftCard,
      giftCardAsk,
    });
    const balance = balanceMinor === undefined ? undefined : { minor: balanceMinor, currency };
    return { resultCode, responseCode, ...(balance && { balance }) };
  }

  /** Waits for the running requests, then closes the ledger. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running.values());
    await this.#writer.close();
    await this.#ledger.close();
  }

  #returning(after: ReturnPlace, limit: number): Promise<readonly PlacedRow[]> {
    return reachable(() => this.#ledger.returning(after, this.#options.clock.nowMs(), limit));
  }

  async #recordReturn({
    acquirerReference,
    capturedMinor,
    currency,
    returnReason,
  }: LedgerRow): Promise<void> {
    await this.chargeBack({
      kind: 'chargeback',
      // The same return has the same reference.
      reference: parametersHash(this.#options.hashKey, ['return', acquirerReference]).slice(0, 32),
      originalReference: acquirerReference,
      amount: { minor: capturedMinor, currency },
      reason: returnReason ?? '',
    });
  }

  async #chargebackOf({
    position,
    row,
  }: PlacedRow): Promise<AcquirerChargeback & { readonly cursor: string }> {
    const { kind, acquirerReference: reference, returnAtMs, returnReason, atMs, amountMinor } = row;
    const original = row.originalReference ?? reference;
    const charged =
      kind === 'chargeback-reversal' ? await reachable(() => this.#ledger.find(original)) : undefined;
    return {
      cursor: `${returnAtMs}/${position}`,
      kind: kind === 'chargeback-reversal' ? kind : 'chargeback',
      reference,
      originalReference: charged?.originalReference ?? original,
      ...(charged && { chargeback: original }),
      reason: returnReason ?? '',
      atMs,
      amountMinor: isChargebackKind(kind) && row.approved === 1 ? amountMinor : 0,
    };
  }

  /** The columns of what comes without a card or terminal. */
  #withoutCard(content: readonly unknown[]) {
    return {
      messageId: null,
      captureNow: false,
      terminalId: null,
      instrument: null,
      giftCard: null,
      last4Digits: null,
      panHash: null,
      parametersHash: parametersHash(this.#options.hashKey, content),
      atMs: this.#options.clock.nowMs(),
    } as const;
  }

  /** Keyed hash of a gift card's number, hex. */
  #hashOf({ number }: Pick<AcquirerGiftCard, 'number'>): string {
    return createHmac('sha256', this.#options.hashKey).update('gift card\0').update(number).digest('hex');
  }

  /** Withholds the answer, as the test requested. @throws AcquirerUnreachableError */
  #keepSilent(acquirerReference: string, silentMs: number): never {
    this.#silentUntilMs.set(acquirerReference, this.#options.clock.nowMs() + silentMs);
    throw new AcquirerUnreachableError(SILENT);
  }

  /** @throws AcquirerUnreachableError while the answer is withheld */
  #assertAnswering(acquirerReference: string): void {
    const untilMs = this.#silentUntilMs.get(acquirerReference);
    if (untilMs === undefined) return;
    if (this.#options.clock.nowMs() < untilMs) throw new AcquirerUnreachableError(SILENT);
    this.#silentUntilMs.delete(acquirerReference);
  }

  /** The transaction of a reference, with the decision of the bank where it has one by now. */
  async #decided(
    reference: string,
    ask: (bank: BankLink) => Promise<BankOutcome> = (bank) => bank.outcome(reference),
  ): Promise<LedgerRow | undefined> {
    const row = await reachable(() => this.#ledger.find(reference));
    const { bank } = this.#options;
    // The bank has no page for a transfer: its receipt decides.
    if (!row || !isPending(row) || row.redirect === null || !bank) return row;
    return this.#complete(row, await ask(bank));
  }

  /** The transaction that waits, with its outcome written. */
  async #complete(row: LedgerRow, outcome: BankOutcome): Promise<LedgerRow | undefined> {
    const verdict = this.#verdictOf(outcome);
    if (!verdict) return row;
    const { amountMinor: minor, currency, captureNow, ...same } = row;
    const amount = { minor, currency };
    const issuer = verdict;
    await this.#writer.record({ ...same, amount, captureNow: captureNow === 1, issuer, completes: true });
    return reachable(() => this.#ledger.find(row.acquirerReference));
  }

  #verdictOf(outcome: BankOutcome): IssuerVerdict | undefined {
    if (outcome === 'open') return undefined;
    if (outcome === 'approved')
      return { responseCode: APPROVED, approvalCode: newApprovalCode(this.#options.random) };
    return { responseCode: outcome === 'refused' ? REFUSED_BY_SHOPPER : CANCELLED };
  }

  async #carryOut(request: AcquirerRequest): Promise<AcquirerAnswer> {
    // What the shopper has not decided on yet is cancelled at the bank before it is reversed here.
    if (request.kind === 'reversal') await this.#cancelOpen(request.originalReference);
    const answer = await this.#writer.record(await this.#ledgerRequest(request));
    if (request.silentMs !== undefined) this.#keepSilent(request.acquirerReference, request.silentMs);
    return answer;
  }

  /** Ends what is still open: at the bank, or the wait for a transfer. */
  async #cancelOpen(reference: string): Promise<void> {
    const row = await this.#decided(reference, (bank) => bank.cancel(reference));
    if (row && awaitsTransfer(row)) await this.#complete(row, 'cancelled');
  }

  /** What the issuer decides, or what the ledger needs to decide in its place. */
  async #issuerAnswer(request: AcquirerMoneyRequest): Promise<Pick<LedgerRequest, 'issuer' | 'giftCardAsk'>> {
    if (request.instrument && isDecidedAtBank(request.instrument))
      return { issuer: await this.#askBank(request, request.instrument.brand) };
    const giftCard = giftCardOf(request);
    const refusal = refusedPromotion(request);
    if (refusal) return { issuer: { responseCode: refusal } };
    if (giftCard) return { giftCardAsk: askOf(giftCard, this.#options.random) };
    return { issuer: await this.#askIssuer(request) };
  }

  async #askIssuer(request: AcquirerMoneyRequest): Promise<IssuerVerdict> {
    try {
      const verdict = { ...(await this.#issuer.decide(request)) };
      if (request.kind === 'authorization')
        addPresent(verdict, verifyCardholder({ cvv: cardOf(request)?.cvv, billing: request.billing }));
      addPresent(verdict, networkIds(request));
      return verdict;
    } catch (error) {
      if (error instanceof SecurityModuleError)
        throw new AcquirerUnreachableError(`the issuer simulator cannot decide: ${error.message}`);
      throw error;
    }
  }

  /** The account's holder decides at the bank: until then nothing is decided. */
  async #askBank(
    { acquirerReference: reference, amount, returnUrl, kind }: AcquirerMoneyRequest,
    brand: string,
  ): Promise<IssuerVerdict> {
    // Money to the shopper needs no approval.
    if (kind !== 'authorization') return { responseCode: APPROVED };
    if (accountMethodOf(brand)?.kind === 'bank-transfer') return { responseCode: PENDING };
    const { bank } = this.#options;
    if (!bank || returnUrl === undefined) return { responseCode: NO_LINK };
    return { responseCode: PENDING, redirect: await bank.begin({ reference, amount, brand, returnUrl }) };
  }

  async #ledgerRequest(request: AcquirerRequest): Promise<LedgerRequest> {
    const { hashKey, clock } = this.#options;
    const money: Partial<AcquirerMoneyRequest> = request.kind === 'reversal' ? {} : request;
    const account = cardOf(money);
    const { pos } = money;
    const giftCard = giftCardOf(request);
    const decided = needsIssuer(request) ? await this.#issuerAnswer(request) : {};
    return {
      kind: request.kind,
      acquirerReference: request.acquirerReference,
      amount: money.amount ?? NO_MONEY,
      messageId: request.messageId ?? null,
      originalReference: request.originalReference ?? null,
      captureNow: money.captureNow ?? false,
      terminalId: pos?.terminalId ?? null,
      instrument: money.instrument?.kind ?? null,
      last4Digits: last4DigitsOf(money.instrument) ?? null,
      panHash: account ? panFingerprint(hashKey, account.pan) : null,
      giftCard: giftCard ? this.#hashOf(giftCard) : null,
      parametersHash: parametersHash(hashKey, parametersOf(request)),
      atMs: clock.nowMs(),
      ...decided,
    };
  }
}

/** Whether the money of a transfer is waited for. */
function awaitsTransfer(row: LedgerRow): boolean {
  return isPending(row) && row.redirect === null;
}

function needsIssuer(request: AcquirerRequest): request is AcquirerMoneyRequest {
  return REQUEST_KINDS[request.kind].needsIssuer === true;
}

/** Whether the shopper approves the payment at a bank. */
function isDecidedAtBank(
  instrument: AcquirerInstrument,
): instrument is AcquirerBankAccount | AcquirerVirtualAccount {
  return (
    instrument.kind === 'virtual-account' ||
    (instrument.kind === 'bank-account' && instrument.by === 'transfer')
  );
}

/** The gift card of a request that brings one. */
function giftCardOf(request: AcquirerRequest): AcquirerGiftCard | undefined {
  if (request.kind === 'reversal') return undefined;
  return request.instrument?.kind === 'gift-card' ? request.instrument : undefined;
}

/** The response code of a promotion that is over; undefined for every other one. */
function refusedPromotion({ promotionCode, kind }: AcquirerMoneyRequest): string | undefined {
  if (promotionCode === undefined || kind !== 'authorization') return undefined;
  return Object.hasOwn(REFUSED_PROMOTIONS, promotionCode) ? REFUSED_PROMOTIONS[promotionCode] : undefined;
}

/** A keyed hash, because the content holds card data. */
function parametersHash(key: KeyObject, content: readonly unknown[]): string {
  return createHmac('sha256', key).update('parameters\0').update(JSON.stringify(content)).digest('hex');
}

/** The content of a request. The PIN block is left out: its zone encipherment may differ in a repeat. */
function parametersOf(request: AcquirerRequest): readonly unknown[] {
  if (request.kind === 'reversal') return [request.kind, request.originalReference];
  const { kind, amount, instrument, pos } = request;
  const account = cardOf(request);
  return [
    kind,
    amount.minor,
    amount.currency,
    request.messageId ?? null,
    request.originalReference ?? null,
    request.captureNow ?? false,
    request.deferred ?? false,
    ...(request.partialAllowed ? ['partial'] : []),
    ...(request.tip ? [`tip ${request.tip.minor}`] : []),
    ...(request.cashBack ? [`cash back ${request.cashBack.minor}`] : []),
    ...(request.approvalCode === undefined ? [] : [request.approvalCode]),
    ...(request.promotionCode === undefined ? [] : [`promotion ${request.promotionCode}`]),
    ...(request.authentication ? [request.authentication] : []),
    account ? [account.pan, account.expiryYear, account.expiryMonth] : (instrument ?? null),
    pos ? [pos.terminalId, pos.entryMode, Buffer.from(pos.iccData ?? []).toString('hex')] : null,
  ];
}
