import { wipe } from '@tillbridge/wire/bytes.js';
import { encodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { AIP, TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { hasBit } from '@tillbridge/wire/emv/bits.js';
import {
  CVM,
  type CvmContext,
  type CvmList,
  nextCvm,
  parseCvmList,
  supportedCvms,
} from '@tillbridge/wire/emv/cvm.js';
import {
  type CvmOutcome,
  cvmConditionName,
  cvmMethodName,
  encodeCvmResults,
} from '@tillbridge/wire/emv/cvm-results.js';
import { findTlv } from '@tillbridge/wire/emv/tlv.js';
import { INS, SW } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { exchange, readObjects } from './card-reader.js';
import { KernelError, swText } from './kernel-error.js';
import { numericOf, type TransactionData } from './transaction-data.js';

/** The person in front of the terminal. Cancelling and running out of time end the transaction: these reject. */
export interface Cardholder {
  /**
   * Prompts for a PIN that the chip will verify.
   * @param triesLeft what the card allows before this entry, where it reports that
   * @returns ASCII digits, wiped by the kernel; `bypass` when the cardholder skips the entry
   */
  askOfflinePin(triesLeft: number | undefined): Promise<Buffer | 'bypass'>;
  /** Prompts for a PIN that the issuer will verify; the terminal enciphers and keeps it. */
  askOnlinePin(): Promise<'captured' | 'bypass'>;
}

/** What verification left for the terminal to do or to report. */
export interface VerificationResult {
  readonly signature: boolean;
  readonly pin: 'none' | 'verified-offline' | 'captured-online';
}

const NOTHING: VerificationResult = { signature: false, pin: 'none' };
const PLAINTEXT_PIN = 0x80;

/**
 * Works through the card's CVM list (EMV Book 3 §10.5). Enciphered offline PIN needs certificates and counts as
 * unsupported.
 */
export async function verifyCardholder(
  card: Card,
  data: TransactionData,
  cardholder: Cardholder,
): Promise<VerificationResult> {
  if (!hasBit(data.require('82'), AIP.cardholderVerification)) return noVerification(data);
  const listBytes = data.get('8E');
  if (listBytes === undefined) {
    data.markTvr(TVR.iccDataMissing, 'the card has no CVM list (8E)');
    return noVerification(data);
  }
  const list = parseCvmList(listBytes);
  if (list === undefined) throw new KernelError('card-data-invalid', 'the CVM list is malformed');
  const result = await workThrough(list, contextOf(data), card, data, cardholder);
  data.markTsi(TSI.cardholderVerificationPerformed, 'the CVM list of the card was worked through');
  return result;
}

function noVerification(data: TransactionData): VerificationResult {
  setResults(data, CVM.notPerformed, 0, 'unknown');
  return NOTHING;
}

function setResults(data: TransactionData, code: number, condition: number, outcome: CvmOutcome): void {
  data.set('9F34', encodeCvmResults({ code, condition, outcome }));
}

function contextOf(data: TransactionData): CvmContext {
  const type = data.get('9C')?.[0] ?? 0;
  const supported = new Set(supportedCvms(data.get('9F33') ?? Buffer.alloc(3)));
  supported.delete(CVM.encipheredPin);
  supported.delete(CVM.encipheredPinAndSignature);
  return {
    kind: type === 0x01 ? 'manualCash' : type === 0x09 ? 'purchaseWithCashback' : 'purchase',
    amountMinor: numericOf(data.get('9F02')),
    inApplicationCurrency: numericOf(data.get('9F42')) === numericOf(data.get('5F2A')),
    supportedMethods: supported,
  };
}

async function workThrough(
  list: CvmList,
  context: CvmContext,
  card: Card,
  data: TransactionData,
  cardholder: Cardholder,
): Promise<VerificationResult> {
  setResults(data, CVM.notPerformed, 0, 'failed');
  let step = nextCvm(list, context);
  while (step.kind === 'perform') {
    const { method, condition, applyNext, index } = step;
    const code = method | (applyNext ? 0x40 : 0);
    const performed = await perform(method, card, data, cardholder);
    if (performed !== undefined) {
      setResults(data, code, condition, outcomeOf(performed));
      explainMethod(data, code, condition, outcomeOf(performed));
      return performed;
    }
    setResults(data, code, condition, 'failed');
    explainMethod(data, code, condition, 'failed');
    if (!applyNext) break;
    step = nextCvm(list, context, index + 1);
  }
  if (step.kind !== 'perform' && step.unrecognised)
    data.markTvr(TVR.unrecognisedCvm, 'the CVM list has a method that is not known');
  data.markTvr(TVR.cardholderVerificationFailed, 'no method of the CVM list succeeded');
  return NOTHING;
}

function explainMethod(data: TransactionData, code: number, condition: number, outcome: CvmOutcome): void {
  const reason = cvmConditionName(condition);
  data.explain({ topic: 'cvm', what: `${cvmMethodName(code)}: ${outcome}`, reason });
}

/** A signature and an online PIN are verified elsewhere: their outcome is unknown here (EMV Book 4 Annex A4). */
function outcomeOf(result: VerificationResult): CvmOutcome {
  return result.signature || result.pin === 'captured-online' ? 'unknown' : 'successful';
}

/** Undefined when the method failed. */
async function perform(
  method: number,
  card: Card,
  data: TransactionData,
  cardholder: Cardholder,
): Promise<VerificationResult | undefined> {
  switch (method) {
    case CVM.noCvm:
      return NOTHING;
    case CVM.signature:
      return { ...NOTHING, signature: true };
    case CVM.onlinePin:
      return onlinePin(data, cardholder);
    case CVM.plaintextPin:
    case CVM.plaintextPinAndSignature: {
      const verified = await plaintextPin(card, data, cardholder);
      return verified ? { pin: 'verified-offline', signature: method !== CVM.plaintextPin } : undefined;
    }
    default:
      return undefined;
  }
}

async function onlinePin(
  data: TransactionData,
  cardholder: Cardholder,
): Promise<VerificationResult | undefined> {
  if ((await cardholder.askOnlinePin()) === 'bypass') {
    data.markTvr(TVR.pinNotEntered, 'the cardholder skipped the PIN');
    return undefined;
  }
  data.markTvr(TVR.onlinePinEntered, 'a PIN was entered for the issuer');
  return { ...NOTHING, pin: 'captured-online' };
}

async function plaintextPin(card: Card, data: TransactionData, cardholder: Cardholder): Promise<boolean> {
  let triesLeft = await pinTryCounter(card);
  while (triesLeft !== 0) {
    const digits = await cardholder.askOfflinePin(triesLeft);
    if (digits === 'bypass') {
      data.markTvr(TVR.pinNotEntered, 'the cardholder skipped the PIN');
      return false;
    }
    const sw = await sendPin(card, digits);
    if (sw === SW.ok) return true;
    triesLeft = (sw & 0xfff0) === 0x63c0 ? sw & 0x0f : 0;
    data.explain({
      topic: 'cvm',
      what: 'wrong PIN',
      reason: `VERIFY answered ${swText(sw)}; ${triesLeft} tries left`,
    });
  }
  data.markTvr(TVR.pinTryLimitExceeded, 'the card has no PIN try left');
  return false;
}

async function sendPin(card: Card, digits: Buffer): Promise<number> {
  const block = encodePinBlock({ format: 2, pin: digits });
  try {
    return (await exchange(card, { cla: 0x00, ins: INS.verify, p2: PLAINTEXT_PIN, data: block })).sw;
  } finally {
    wipe(block, digits);
  }
}

/** Tag 9F17 by GET DATA; a card need not have it. */
async function pinTryCounter(card: Card): Promise<number | undefined> {
  const answer = await exchange(card, { cla: 0x80, ins: INS.getData, p1: 0x9f, p2: 0x17 });
  if (answer.sw !== SW.ok) return undefined;
  return findTlv(readObjects(answer.data, 'the PIN try counter'), '9F17')?.[0];
}
