import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import { currencyAlpha } from '@tillbridge/wire/payment/currency-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { type CavvResult, makeCavv } from '@tillbridge/wire/three-d-secure/cavv.js';
import { eciOf } from '@tillbridge/wire/three-d-secure/eci.js';
import {
  answerMessage,
  decodeMessage,
  encodeMessage,
  idsOf,
  ThreeDSError,
} from '@tillbridge/wire/three-d-secure/messages/codec.js';
import type { Message } from '@tillbridge/wire/three-d-secure/messages/tables.js';
import { BoundedMap } from './bounded-map.js';
import { decideAuthentication } from './decide-authentication.js';

/** Reference number of the simulated access control server. */
const REFERENCE = 'TILLBRIDGE-SIM-ACS';
/** The code that the simulated cardholder enters. */
export const RIGHT_CODE = '1234';

/** Limits of the access control server. */
export const ACS_LIMITS = {
  /** Transactions that are remembered. */
  transactions: 10_000,
  /** Wrong codes before a challenge fails. */
  tries: 3,
  /** How long the cardholder has, in milliseconds (EMV 3DS section 5.5: ten minutes at most). */
  challengeTimeoutMs: 600_000,
  /** How often and in what distance a result is sent until it is taken. */
  resultAttempts: 60,
  resultRetryMs: 1_000,
  /** How long the cardholder's browser waits for the result to be taken, in milliseconds (section 5.6: five seconds). */
  resultWaitMs: 5_000,
} as const;

/** What the access control server works with. */
interface AccessControlServerDeps {
  /** Where browsers are sent for a challenge. */
  readonly challengeUrl: string;
  /** The simulated issuer's key for authentication values. */
  readonly key: Uint8Array;
  /** Sends a message over HTTP; the answer's body. */
  readonly post: (url: string, body: string) => Promise<string>;
  readonly newId: () => string;
  readonly clock: Clock;
  /** How long the cardholder takes for a decoupled authentication, in milliseconds. */
  readonly decoupledAfterMs: number;
  readonly onFault: (what: string, error: unknown) => void;
}

/** What the cardholder is shown. */
export type ChallengeView =
  | {
      readonly kind: 'ask';
      readonly acsTransID: string;
      readonly merchantName: string;
      /** Decimal text, and ISO 4217; absent where nothing is paid. */
      readonly price: { readonly amount: string; readonly currency: string } | undefined;
      readonly triesLeft: number;
      readonly window: string;
    }
  | {
      readonly kind: 'done';
      readonly notificationUrl: string;
      readonly cres: Message<'CRes'>;
      /** `threeDSSessionData` that came with the CReq. */
      readonly sessionData: string | undefined;
    };

/** What the cardholder did. */
export type CardholderAnswer = { readonly kind: 'code'; readonly code: string } | { readonly kind: 'cancel' };

/** How an authentication with the cardholder ended. */
interface Result {
  readonly transStatus: 'Y' | 'N';
  readonly reason?: string;
  readonly cancel?: string;
}

interface Transaction {
  readonly areq: Message<'AReq'>;
  readonly acsTransID: string;
  readonly passes: boolean;
  readonly decoupled: boolean;
  tries: number;
  interactions: number;
  window: string;
  sessionData: string | undefined;
  timer: Timer | undefined;
  result: Result | undefined;
  /** Resolves when the 3DS Server has taken the result, or it is given up. */
  delivered: Promise<void> | undefined;
}

/** The simulated issuer's access control server: decides, challenges the cardholder, and sends the result. */
export class AccessControlServer {
  readonly #deps: AccessControlServerDeps;
  readonly #transactions = new BoundedMap<Transaction>(ACS_LIMITS.transactions);

  constructor(deps: AccessControlServerDeps) {
    this.#deps = deps;
  }

  /** The answer to an AReq of the directory server: ARes, or Erro. */
  take(text: string): Promise<string> {
    return answerMessage(text, ['AReq'], 'A', (areq) => {
      if (areq.dsTransID === undefined) throw new ThreeDSError('201', 'dsTransID', 'AReq');
      return this.#answer(areq);
    });
  }

  /** The challenge that a CReq begins or shows again. @throws ThreeDSError */
  challenge(creq: Message<'CReq'>, sessionData?: string): ChallengeView {
    const transaction = this.#challenged(creq.acsTransID ?? '');
    if (transaction.areq.threeDSServerTransID !== creq.threeDSServerTransID)
      throw new ThreeDSError('301', 'threeDSServerTransID', 'CReq');
    if (transaction.areq.messageVersion !== creq.messageVersion)
      throw new ThreeDSError('305', 'messageVersion', 'CReq');
    transaction.window = creq.challengeWindowSize ?? '05';
    transaction.sessionData = sessionData;
    return viewOf(transaction);
  }

  /** What the cardholder sees after an answer. Resolves once the result is taken, or after a wait. @throws ThreeDSError */
  async answer(acsTransID: string, answer: CardholderAnswer): Promise<ChallengeView> {
    const transaction = this.#challenged(acsTransID);
    if (transaction.result === undefined) {
      transaction.interactions += 1;
      const result = judge(transaction, answer);
      if (result) this.#end(transaction, result);
    }
    if (transaction.delivered) await this.#shortly(transaction.delivered);
    return viewOf(transaction);
  }

  #challenged(acsTransID: string): Transaction {
    const transaction = this.#transactions.get(acsTransID);
    if (!transaction || transaction.decoupled) throw new ThreeDSError('301', 'acsTransID', 'CReq');
    return transaction;
  }

  #answer(areq: Message<'AReq'>): string {
    const { newId, challengeUrl } = this.#deps;
    const { transStatus, transStatusReason, passes } = decideAuthentication(areq);
    const acsTransID = newId();
    const result = transStatus === 'Y' ? 'authenticated' : transStatus === 'A' ? 'attempted' : undefined;
    if (passes !== undefined) this.#await(areq, acsTransID, passes, transStatus === 'D');
    const known = present({ channel: areq.deviceChannel, category: areq.messageCategory });
    return encodeMessage(
      'ARes',
      {
        messageType: 'ARes',
        ...idsOf({ ...areq, acsTransID }),
        acsReferenceNumber: REFERENCE,
        // The directory server puts its own number there.
        dsReferenceNumber: areq.dsReferenceNumber ?? REFERENCE,
        transStatus,
        ...present({ transStatusReason, sdkTransID: areq.sdkTransID }),
        ...proof(this.#deps.key, areq, transStatus, result),
        ...(passes !== undefined && { authenticationType: transStatus === 'D' ? '04' : '02' }),
        ...(transStatus === 'D' && { acsDecConInd: 'Y' }),
        ...(transStatus === 'C' && { acsChallengeMandated: 'N' }),
        ...(transStatus === 'C' && areq.deviceChannel === '02' && { acsURL: challengeUrl }),
        ...(transStatus === 'C' && areq.deviceChannel === '01' && APP_CHALLENGE),
      },
      known,
    );
  }

  /** Waits for the cardholder, in the challenge window or at home. */
  #await(areq: Message<'AReq'>, acsTransID: string, passes: boolean, decoupled: boolean): void {
    const { clock, decoupledAfterMs } = this.#deps;
    const transaction: Transaction = {
      areq,
      acsTransID,
      passes,
      decoupled,
      tries: 0,
      interactions: 0,
      window: '05',
      sessionData: undefined,
      timer: undefined,
      result: undefined,
      delivered: undefined,
    };
    this.#transactions.set(acsTransID, transaction);
    transaction.timer = decoupled
      ? clock.setTimer(decoupledAfterMs, () => this.#end(transaction, passes ? PASSED : FAILED))
      : clock.setTimer(ACS_LIMITS.challengeTimeoutMs, () => this.#end(transaction, TIMED_OUT));
  }

  #end(transaction: Transaction, result: Result): void {
    if (transaction.result) return;
    transaction.result = result;
    transaction.timer?.cancel();
    transaction.delivered = this.#deliver(transaction, result).catch((error: unknown) =>
      this.#deps.onFault('a result was not sent', error),
    );
  }

  /** Sends the result until the 3DS Server takes it; what it refuses is not sent again. */
  async #deliver(transaction: Transaction, result: Result): Promise<void> {
    const { post, clock, onFault } = this.#deps;
    const { areq } = transaction;
    const known = present({ channel: areq.deviceChannel, category: areq.messageCategory });
    const rreq = encodeMessage('RReq', resultOf(this.#deps.key, transaction, result), known);
    for (let attempt = 1; attempt <= ACS_LIMITS.resultAttempts; attempt += 1) {
      try {
        const answer = decodeMessage(await post(areq.dsURL ?? '', rreq), ['RRes', 'Erro'] as const, known);
        if (answer.messageType === 'RRes' || !TRANSIENT.includes(answer.errorCode ?? '')) return;
      } catch (error) {
        onFault('a result was not taken', error);
      }
      await new Promise<void>((resolve) => clock.setTimer(ACS_LIMITS.resultRetryMs, resolve));
    }
  }

  async #shortly(work: Promise<void>): Promise<void> {
    const { clock } = this.#deps;
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = clock.setTimer(ACS_LIMITS.resultWaitMs, resolve);
    });
    await Promise.race([work, late]);
    timer?.cancel();
  }
}

const PASSED: Result = { transStatus: 'Y' };
const FAILED: Result = { transStatus: 'N', reason: '01' };
/** challengeCancel 01: the cardholder selected "cancel". */
const CANCELLED: Result = { transStatus: 'N', reason: '01', cancel: '01' };
/** challengeCancel 04: transaction timed out at the ACS. */
const TIMED_OUT: Result = { transStatus: 'N', reason: '14', cancel: '04' };
/** Error codes after which the same message may be sent again. */
const TRANSIENT: readonly string[] = ['402', '403', '405'];
/** The message to an app: the native challenge itself is not simulated. */
const APP_CHALLENGE = {
  acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' },
  acsSignedContent: 'not-simulated',
} as const;

/** How a challenge ends by the cardholder's answer; undefined where it goes on. */
function judge(transaction: Transaction, answer: CardholderAnswer): Result | undefined {
  if (answer.kind === 'cancel') return CANCELLED;
  if (answer.code === RIGHT_CODE) return transaction.passes ? PASSED : FAILED;
  transaction.tries += 1;
  return transaction.tries >= ACS_LIMITS.tries ? FAILED : undefined;
}

function viewOf({ areq, acsTransID, tries, window, sessionData, result }: Transaction): ChallengeView {
  if (result) {
    const cres: Message<'CRes'> = {
      messageType: 'CRes',
      ...present({ messageVersion: areq.messageVersion, threeDSServerTransID: areq.threeDSServerTransID }),
      acsTransID,
      transStatus: result.transStatus,
    };
    return { kind: 'done', notificationUrl: areq.notificationURL ?? '', cres, sessionData };
  }
  return {
    kind: 'ask',
    acsTransID,
    merchantName: areq.merchantName ?? areq.threeDSRequestorName ?? '',
    price: priceOf(areq),
    triesLeft: ACS_LIMITS.tries - tries,
    window,
  };
}

function priceOf({
  purchaseAmount,
  purchaseCurrency = '',
  purchaseExponent = '2',
}: Message<'AReq'>): { readonly amount: string; readonly currency: string } | undefined {
  if (purchaseAmount === undefined) return undefined;
  const exponent = Number(purchaseExponent);
  const figures = purchaseAmount.padStart(exponent + 1, '0');
  const [whole, rest] = [
    figures.slice(0, figures.length - exponent),
    figures.slice(figures.length - exponent),
  ];
  return {
    amount: `${whole}${rest === '' ? '' : `.${rest}`}`,
    currency: currencyAlpha(purchaseCurrency) ?? purchaseCurrency,
  };
}

function resultOf(key: Uint8Array, transaction: Transaction, result: Result): Message<'RReq'> {
  const { areq, acsTransID, interactions, decoupled } = transaction;
  const { transStatus, reason, cancel } = result;
  return {
    messageType: 'RReq',
    ...idsOf({ ...areq, acsTransID }),
    ...present({ messageCategory: areq.messageCategory, sdkTransID: areq.sdkTransID }),
    transStatus,
    ...present({ transStatusReason: reason, challengeCancel: cancel }),
    ...proof(key, areq, transStatus, transStatus === 'Y' ? 'authenticated' : undefined),
    authenticationType: decoupled ? '04' : '02',
    authenticationMethod: '02',
    interactionCounter: String(Math.min(interactions, 99)).padStart(2, '0'),
    ...(areq.deviceChannel === '01' && { acsRenderingType: APP_CHALLENGE.acsRenderingType }),
  };
}

/** Authentication value and ECI of a result. */
function proof(
  key: Uint8Array,
  areq: Message<'AReq'>,
  transStatus: string,
  result: CavvResult | undefined,
): Pick<Message<'RReq'>, 'authenticationValue' | 'eci'> {
  const { acctNumber: pan = '', dsTransID: dsTransId = '', purchaseAmount, purchaseCurrency = '' } = areq;
  const eci = eciOf(detectBrand(pan)?.key ?? null, transStatus);
  const amount = { minor: Number(purchaseAmount ?? 0), currency: currencyAlpha(purchaseCurrency) ?? '' };
  return present({
    eci,
    authenticationValue: result && makeCavv(key, result, { pan, dsTransId, amount }),
  });
}
