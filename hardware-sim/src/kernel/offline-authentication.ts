import { toHex } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import type { CapkTable } from '@tillbridge/wire/crypto/emv/capk.js';
import { verifyDynamicData, verifyStaticData } from '@tillbridge/wire/crypto/emv/oda.js';
import {
  type IccCertificate,
  type IssuerCertificate,
  recoverIccKey,
  recoverIssuerKey,
} from '@tillbridge/wire/crypto/emv/oda-certificates.js';
import { AIP, TERMINAL_CAPABILITIES, TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { hasBit } from '@tillbridge/wire/emv/bits.js';
import { parseDol } from '@tillbridge/wire/emv/dol.js';
import { findTlv, TlvError } from '@tillbridge/wire/emv/tlv.js';
import { INS, SW } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { exchange, readObjects } from './card-reader.js';
import { swText } from './kernel-error.js';
import type { TransactionData } from './transaction-data.js';

/** What a terminal needs to know that a card is genuine. */
export interface OfflineAuthenticationInputs {
  /** Keys of the certification authorities, their hashes checked. */
  readonly authorities: CapkTable;
  /** Whether an issuer certificate was called back. */
  readonly isRevoked: (rid: Uint8Array, index: number, serial: Uint8Array) => boolean;
  /** List of INTERNAL AUTHENTICATE for cards that bring none (tag 9F49). */
  readonly defaultDdol: Uint8Array;
}

type Method = 'sda' | 'dda' | 'cda';

/** The strongest first (EMV Book 3 §10.3): bit of the AIP, of the terminal capabilities (tag 9F33), of the TVR when it fails. */
const METHODS = [
  ['cda', AIP.cda, TERMINAL_CAPABILITIES.cda, TVR.cdaFailed],
  ['dda', AIP.dda, TERMINAL_CAPABILITIES.dda, TVR.ddaFailed],
  ['sda', AIP.sda, TERMINAL_CAPABILITIES.sda, TVR.sdaFailed],
] as const;
const RID_BYTES = 5;
const EMPTY = new Uint8Array();

/** Why a card could not be authenticated. */
class AuthenticationFailure extends Error {
  override readonly name = 'AuthenticationFailure';
  readonly dataMissing: boolean;

  constructor(detail: string, dataMissing = false) {
    super(detail);
    this.dataMissing = dataMissing;
  }
}

/**
 * Offline data authentication (EMV Book 3 §10.3, Book 2 §5 and §6) with the strongest method that card and terminal share. What fails is a bit of
 * the TVR, never an error: the action codes decide. For CDA the card's key is found here, and its signature checked with each cryptogram.
 */
export async function authenticateOffline(
  card: Card,
  data: TransactionData,
  inputs: OfflineAuthenticationInputs | undefined,
): Promise<void> {
  const capabilities = data.get('9F33') ?? EMPTY;
  const aip = data.require('82');
  const chosen = METHODS.find(
    ([, ofCard, ofTerminal]) => hasBit(aip, ofCard) && hasBit(capabilities, ofTerminal),
  );
  if (inputs === undefined || chosen === undefined) {
    data.markTvr(
      TVR.offlineDataAuthenticationNotPerformed,
      chosen === undefined ? 'card and terminal share no method' : 'the terminal has no keys of authorities',
    );
    return;
  }
  const [method, , , failed] = chosen;
  if (method === 'sda') data.markTvr(TVR.sdaSelected, 'the best method that card and terminal share');
  data.markTsi(TSI.offlineDataAuthenticationPerformed, `by ${method.toUpperCase()}`);
  try {
    await perform(method, card, data, inputs);
  } catch (error) {
    if (
      !(error instanceof AuthenticationFailure || error instanceof CryptoError || error instanceof TlvError)
    )
      throw error;
    if (error instanceof AuthenticationFailure && error.dataMissing)
      data.markTvr(TVR.iccDataMissing, error.message);
    data.markTvr(failed, error.message);
  }
}

async function perform(
  method: Method,
  card: Card,
  data: TransactionData,
  inputs: OfflineAuthenticationInputs,
): Promise<void> {
  const issuer = issuerKey(data, inputs);
  const staticData = staticDataOf(data);
  if (method === 'sda') {
    data.set('9F45', verifyStaticData(issuer, needed(data, '93'), staticData).dac);
    return;
  }
  const icc = iccKey(data, issuer, staticData);
  if (method === 'cda') data.cdaKey = icc;
  else await challenge(card, data, icc, inputs.defaultDdol);
}

function needed(data: TransactionData, tag: string): Uint8Array {
  const value = data.get(tag);
  if (value === undefined) throw new AuthenticationFailure(`the card has no ${tag}`, true);
  return value;
}

function issuerKey(
  data: TransactionData,
  { authorities, isRevoked }: OfflineAuthenticationInputs,
): IssuerCertificate {
  const rid = needed(data, '4F').subarray(0, RID_BYTES);
  const index = needed(data, '8F')[0] ?? 0;
  const certificate = { certificate: needed(data, '90'), exponent: needed(data, '9F32') };
  const authority = authorities.find(rid, index);
  if (authority === undefined) throw new AuthenticationFailure('the authority is not known');
  const issuer = recoverIssuerKey(authority, { ...certificate, remainder: data.get('92') ?? EMPTY });
  if (!panOf(data).startsWith(issuer.issuerIdentifier)) throw new AuthenticationFailure('another issuer');
  requireInTime(data, issuer.expiry);
  if (isRevoked(rid, index, issuer.serial))
    throw new AuthenticationFailure('the certificate was called back');
  return issuer;
}

function iccKey(data: TransactionData, issuer: IssuerCertificate, staticData: Uint8Array): IccCertificate {
  const certificate = { certificate: needed(data, '9F46'), exponent: needed(data, '9F47') };
  const remainder = data.get('9F48') ?? EMPTY;
  const icc = recoverIccKey(issuer, { ...certificate, remainder }, panOf(data), staticData);
  requireInTime(data, icc.expiry);
  return icc;
}

function panOf(data: TransactionData): string {
  return toHex(needed(data, '5A')).replace(/F+$/, '');
}

/** Signed records, and the AIP where tag 9F4A requires it; it may require nothing else (EMV Book 3 §10.3). */
function staticDataOf(data: TransactionData): Buffer {
  const list = data.get('9F4A');
  if (list === undefined) return data.staticData;
  if (toHex(list) !== '82') throw new AuthenticationFailure('tag 9F4A names more than the AIP');
  return Buffer.concat([data.staticData, needed(data, '82')]);
}

/** @param expiry `MMYY`; good until the end of its month */
function requireInTime(data: TransactionData, expiry: string): void {
  const today = toHex(data.get('9A') ?? EMPTY).slice(0, 4);
  if (`${expiry.slice(2)}${expiry.slice(0, 2)}` < today)
    throw new AuthenticationFailure('a certificate has expired');
}

/** INTERNAL AUTHENTICATE with the terminal's unpredictable number (EMV Book 2 §6.5). */
async function challenge(
  card: Card,
  data: TransactionData,
  icc: IccCertificate,
  defaultDdol: Uint8Array,
): Promise<void> {
  const ddol = data.get('9F49') ?? defaultDdol;
  if (!parseDol(ddol).some(({ tag }) => tag === '9F37'))
    throw new AuthenticationFailure('the DDOL has no unpredictable number');
  const values = data.fill(ddol);
  const answer = await exchange(card, { cla: 0x00, ins: INS.internalAuthenticate, data: values });
  if (answer.sw !== SW.ok)
    throw new AuthenticationFailure(`INTERNAL AUTHENTICATE answered ${swText(answer.sw)}`);
  const objects = readObjects(answer.data, 'the signature');
  const signature = findTlv(objects, '80') ?? findTlv(objects, '9F4B');
  if (signature === undefined) throw new AuthenticationFailure('no signature', true);
  data.set('9F4C', verifyDynamicData(icc, signature, values).iccDynamicNumber);
}
