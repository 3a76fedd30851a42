import type { RsaPublicKey } from '@tillbridge/wire/crypto/emv/rsa-recovery.js';
import type { RequestedCryptogram } from '@tillbridge/wire/emv/action-analysis.js';
import { TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { type CryptogramType, cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { findTlv } from '@tillbridge/wire/emv/tlv.js';
import { INS, SW } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { exchange, primitives, readObjects } from './card-reader.js';
import { KernelError, type KernelFailure, swText } from './kernel-error.js';
import { verifySignedCryptogram } from './signed-cryptogram.js';
import type { TransactionData } from './transaction-data.js';

const REQUEST: Readonly<Record<RequestedCryptogram, number>> = { AAC: 0x00, TC: 0x40, ARQC: 0x80 };
/** How far a cryptogram goes; the card may answer less than requested, never more (EMV Book 3 §9.3). */
const RANK: Readonly<Record<CryptogramType, number>> = { AAC: 0, ARQC: 1, TC: 2, RFU: 3 };
/** Template 80 of GENERATE AC: CID, ATC, cryptogram, issuer data (EMV Book 3 §6.5.5.4). */
const FLAT_PARTS = [
  ['9F27', 0, 1],
  ['9F36', 1, 3],
  ['9F26', 3, 11],
  ['9F10', 11, undefined],
] as const;

/** Bit of P1: the cryptogram is to be signed (CDA). */
const SIGNED = 0x10;

/**
 * Requests a cryptogram from the card and takes the one that it gives. Where the card has a key for it the request is for a signed one; one with a
 * wrong signature does not count: the TVR records it, and an AAC is requested if the card still waits.
 * @param list `8C` for the first, `8D` for the second
 * @throws KernelError `onError` when the card refuses the command, card-misbehaves when it gives more than requested
 */
export async function generateAc(
  card: Card,
  data: TransactionData,
  list: '8C' | '8D',
  request: RequestedCryptogram,
  onError: KernelFailure,
): Promise<CryptogramType> {
  const values = data.fill(data.require(list));
  const { cdaKey } = data;
  const signed = cdaKey !== undefined && request !== 'AAC';
  const p1 = REQUEST[request] | (signed ? SIGNED : 0);
  data.addSignedInput(values);
  const answer = await exchange(card, { cla: 0x80, ins: INS.generateAc, p1, data: values });
  if (answer.sw !== SW.ok) throw new KernelError(onError, `GENERATE AC answered ${swText(answer.sw)}`);
  data.markTsi(TSI.cardRiskManagementPerformed, 'the card answered GENERATE AC');
  takeCryptogram(answer.data, data);
  if (signed && !isSignedRight(cdaKey, answer.data, data)) return refuseUnsigned(card, data, list, onError);
  const given = cryptogramType(data.require('9F27')[0] ?? 0);
  if (RANK[given] > RANK[request] || (list === '8D' && given === 'ARQC')) {
    throw new KernelError('card-misbehaves', `${given} where ${request} was requested`);
  }
  data.explain({ topic: 'cryptogram', what: given, reason: `the card answered a request for ${request}` });
  return given;
}

/** An AAC needs no signature; everything else does, and the signature names it (EMV Book 2 §6.6.2). */
function isSignedRight(key: RsaPublicKey, answer: Uint8Array, data: TransactionData): boolean {
  const cid = data.require('9F27')[0] ?? 0;
  if (cryptogramType(cid) === 'AAC') return true;
  const signed = verifySignedCryptogram(key, readObjects(answer, 'the cryptogram'), data);
  if (signed?.cid !== cid) return false;
  data.set('9F26', signed.applicationCryptogram);
  data.set('9F4C', signed.iccDynamicNumber);
  return true;
}

async function refuseUnsigned(
  card: Card,
  data: TransactionData,
  list: '8C' | '8D',
  onError: KernelFailure,
): Promise<CryptogramType> {
  data.markTvr(TVR.cdaFailed, 'the signature of the cryptogram is wrong');
  data.cdaKey = undefined;
  const waits = list === '8C' && cryptogramType(data.require('9F27')[0] ?? 0) === 'ARQC';
  if (waits) await generateAc(card, data, '8D', 'AAC', onError);
  return 'AAC';
}

function takeCryptogram(bytes: Uint8Array, data: TransactionData): void {
  const nodes = readObjects(bytes, 'the cryptogram');
  const flat = findTlv(nodes, '80');
  if (flat === undefined) {
    for (const { tag, value } of primitives(nodes)) data.set(tag, value);
    return;
  }
  for (const [tag, from, to] of FLAT_PARTS) data.set(tag, flat.subarray(from, to));
}
