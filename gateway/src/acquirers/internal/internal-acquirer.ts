import { createHmac, type KeyObject } from 'node:crypto';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { type SecurityModule, SecurityModuleError } from '../../security/module/security-module.js';
import { panFingerprint } from '../../security/vault/pan-fingerprint.js';
import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerMoneyRequest,
  type AcquirerRecord,
  type AcquirerRequest,
  type AcquirerReversal,
  type AcquirerStatus,
  type AcquirerTransaction,
  AcquirerUnreachableError,
  type PlacedEntry,
  type RecordEntry,
  type TransactionRecord,
} from '../acquirer.js';
import { IssuerSimulator } from './issuer-simulator.js';
import { type IssuerVerdict, type LedgerRequest, NO_MONEY } from './ledger.js';
import { LedgerDatabase } from './ledger-database.js';
import { ledgerRecord, reachable } from './ledger-record.js';
import { asTransaction, INTERNAL_ACQUIRER, storedAnswer } from './ledger-rows.js';
import type { LedgerStore } from './ledger-store.js';
import { LedgerWriter } from './ledger-writer.js';
import { verifyCardholder } from './verify-cardholder.js';

/** What the INTERNAL acquirer needs beside its ledger. */
export interface InternalAcquirerParts {
  /** Key of its card hashes. */
  readonly hashKey: KeyObject;
  readonly security: Pick<SecurityModule, 'verifyArqcAndMakeArpc' | 'verifyPin'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** The INTERNAL acquirer on a file. */
export interface InternalAcquirerOptions extends InternalAcquirerParts {
  /** Its own database file; never the gateway's. */
  readonly file: string;
  /** Largest size of the file: a quota. */
  readonly maxBytes?: number;
}

const SILENT = 'the acquirer simulator was asked to keep silent about this request';

/**
 * The acquirer and issuer of test mode INTERNAL. It answers after its own commit, as another company's host would: what the gateway
 * loses in a crash stands here and can be asked for.
 */
export class InternalAcquirer implements Acquirer, TransactionRecord, AcquirerRecord {
  readonly name = INTERNAL_ACQUIRER;
  readonly #options: InternalAcquirerParts;
  readonly #ledger: LedgerStore;
  readonly #record: AcquirerRecord;
  readonly #writer: LedgerWriter;
  readonly #issuer: IssuerSimulator;
  /** References on their way, so that a status never overtakes its request. */
  readonly #running = new Map<string, Promise<unknown>>();

  /** References whose outcome a test keeps unknown, and until when; forgotten with the process. */
  readonly #silentUntilMs = new Map<string, number>();

  /** The acquirer on a ledger of any engine. */
  constructor(options: InternalAcquirerParts, ledger: LedgerStore) {
    this.#options = options;
    this.#ledger = ledger;
    this.#record = ledgerRecord(ledger);
    this.#writer = new LedgerWriter(ledger);
    this.#issuer = new IssuerSimulator(options);
  }

  /**
   * Opens the acquirer on its file.
   * @throws StoreUnavailableError
   */
  static async open(options: InternalAcquirerOptions): Promise<InternalAcquirer> {
    return new InternalAcquirer(options, await LedgerDatabase.open(options.file, options));
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
    this.#assertTalking(acquirerReference);
    const row = await reachable(() => this.#ledger.find(acquirerReference));
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

  /** Records what is on its way, then closes the file. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running.values());
    await this.#writer.close();
    await this.#ledger.close();
  }

  /** A test wants the outcome to stay unknown for a time. @throws AcquirerUnreachableError */
  #keepSilent(acquirerReference: string, silentMs: number): never {
    this.#silentUntilMs.set(acquirerReference, this.#options.clock.nowMs() + silentMs);
    throw new AcquirerUnreachableError(SILENT);
  }

  /** @throws AcquirerUnreachableError while the reference is kept silent about */
  #assertTalking(acquirerReference: string): void {
    const untilMs = this.#silentUntilMs.get(acquirerReference);
    if (untilMs === undefined) return;
    if (this.#options.clock.nowMs() < untilMs) throw new AcquirerUnreachableError(SILENT);
    this.#silentUntilMs.delete(acquirerReference);
  }

  async #carryOut(request: AcquirerRequest): Promise<AcquirerAnswer> {
    const answer = await this.#writer.record(
      request.kind === 'reversal' ? this.#ledgerReversal(request) : await this.#ledgerRequest(request),
    );
    if (request.silentMs !== undefined) this.#keepSilent(request.acquirerReference, request.silentMs);
    return answer;
  }

  async #askIssuer(request: AcquirerMoneyRequest): Promise<IssuerVerdict> {
    try {
      return { ...(await this.#issuer.decide(request)), ...verifyCardholder(request) };
    } catch (error) {
      if (error instanceof SecurityModuleError)
        throw new AcquirerUnreachableError(`the issuer simulator cannot decide: ${error.message}`);
      throw error;
    }
  }

  #ledgerReversal({
    kind,
    acquirerReference,
    originalReference,
    messageId,
  }: AcquirerReversal): LedgerRequest {
    return {
      kind,
      acquirerReference,
      originalReference,
      messageId: messageId ?? null,
      amount: NO_MONEY,
      captureNow: false,
      terminalId: null,
      last4Digits: null,
      panHash: null,
      parametersHash: parametersHash(this.#options.hashKey, [kind, originalReference]),
      atMs: this.#options.clock.nowMs(),
    };
  }

  async #ledgerRequest(request: AcquirerMoneyRequest): Promise<LedgerRequest> {
    const { kind, acquirerReference, amount, account, pos } = request;
    const { hashKey, clock } = this.#options;
    return {
      kind,
      acquirerReference,
      amount,
      messageId: request.messageId ?? null,
      originalReference: request.originalReference ?? null,
      captureNow: request.captureNow ?? false,
      terminalId: pos?.terminalId ?? null,
      last4Digits: account?.pan.slice(-4) ?? null,
      panHash: account ? panFingerprint(hashKey, account.pan) : null,
      parametersHash: parametersHash(hashKey, parametersOf(request)),
      ...(asksIssuer(request) && { issuer: await this.#askIssuer(request) }),
      atMs: clock.nowMs(),
    };
  }
}

function asksIssuer({ kind }: AcquirerMoneyRequest): boolean {
  return kind === 'authorization' || kind === 'advice' || kind === 'credit' || kind === 'increment';
}

/** Keyed, because card data is in it. */
function parametersHash(key: KeyObject, said: readonly unknown[]): string {
  return createHmac('sha256', key).update('parameters\0').update(JSON.stringify(said)).digest('hex');
}

/** What a request says. The PIN block is left out: its zone encipherment may differ in a repeat. */
function parametersOf(request: AcquirerMoneyRequest): readonly unknown[] {
  const { kind, amount, account, pos } = request;
  return [
    kind,
    amount.minor,
    amount.currency,
    request.messageId ?? null,
    request.originalReference ?? null,
    request.captureNow ?? false,
    request.deferred ?? false,
    ...(request.partialAllowed ? ['partial'] : []),
    ...(request.approvalCode === undefined ? [] : [request.approvalCode]),
    account ? [account.pan, account.expiryYear, account.expiryMonth] : null,
    pos ? [pos.terminalId, pos.entryMode, Buffer.from(pos.iccData ?? []).toString('hex')] : null,
  ];
}
