import { answerCryptogram, readCardCryptogram } from '@tillbridge/wire/crypto/emv/card-cryptogram.js';
import { IssuerEngine } from '@tillbridge/wire/crypto/emv/issuer-engine.js';
import { decodeTlv, TlvError, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { type KeyStore, requireKey } from '../keys/key-store.js';
import { type ArqcRequest, type ArqcVerdict, SecurityModuleError } from './security-module.js';

/**
 * Checks the application cryptogram of a card and, for an ARQC, makes the issuer's answer. What a terminal sent wrongly (a missing tag, another
 * cryptogram type, an unknown version) is an invalid cryptogram, not an error: the issuer declines it.
 * @throws SecurityModuleError bad-data (no BER-TLV, a bad sequence number or response code); KeyStoreError noKey
 */
export function checkCryptogram(store: KeyStore, request: ArqcRequest): ArqcVerdict {
  if (!/^\d{2}$/.test(request.panSequenceNumber))
    throw new SecurityModuleError('bad-data', 'the PAN sequence number is not two digits');
  if (!/^[0-9A-Z]{2}$/.test(request.responseCode))
    throw new SecurityModuleError('bad-data', 'the response code is not two letters or digits');
  const expected = request.expect ?? 'ARQC';
  const card = readCardCryptogram(decode(request.iccData), expected);
  if (typeof card === 'string') return { valid: false, reason: card };
  // The master key makes the card's key wherever it is; the card's key lives for this transaction.
  const iccDataResponse = store.operate(requireKey(store, 'imk-ac', request.pan), (imk) =>
    answerCryptogram(new IssuerEngine(imk.encrypt), request, card),
  );
  if (!iccDataResponse) return { valid: false, reason: 'the cryptogram is not the card’s' };
  return expected === 'TC' ? { valid: true } : { valid: true, iccDataResponse };
}

function decode(iccData: Uint8Array): readonly TlvNode[] {
  try {
    return decodeTlv(iccData);
  } catch (error) {
    if (error instanceof TlvError) throw new SecurityModuleError('bad-data', `iccData: ${error.message}`);
    throw error;
  }
}
