import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { type CombinedAuthentication, verifyCombinedData } from '@tillbridge/wire/crypto/emv/oda.js';
import type { RsaPublicKey } from '@tillbridge/wire/crypto/emv/rsa-recovery.js';
import { encodeTlv, findTemplate, findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { TransactionData } from './transaction-data.js';

/**
 * Checks the signature of a GENERATE AC with CDA (EMV Book 2 §6.6.2) over the card's cryptogram and all data of the
 * transaction. `undefined`: there is none, or it is wrong.
 */
export function verifySignedCryptogram(
  key: RsaPublicKey,
  answer: readonly TlvNode[],
  data: TransactionData,
): CombinedAuthentication | undefined {
  const objects = findTemplate(answer, '77');
  const signature = objects && findTlv(objects, '9F4B');
  if (objects === undefined || signature === undefined) return undefined;
  const [pdolData = new Uint8Array(), ...cdolData] = data.signedInputs;
  try {
    return verifyCombinedData(key, signature, data.require('9F37'), {
      pdolData,
      cdolData: Buffer.concat(cdolData),
      genAcResponse: encodeTlv(objects.filter(({ tag }) => tag !== '9F4B')),
    });
  } catch (error) {
    if (error instanceof CryptoError) return undefined;
    throw error;
  }
}
