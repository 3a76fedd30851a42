import { fromHex } from '@tillbridge/wire/bytes.js';
import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { ENCRYPTION_TYPES } from '@tillbridge/wire/terminals/magtek/encryption-type.js';
import {
  encodeAuthenticated,
  encodeEnciphered,
  encodeTransactionObject,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';

/** Key serial number of the examples. */
export const EXAMPLE_KSN = fromHex('FFFF9879543210E00001');

/** F8 of the examples; no test deciphers it. */
export function exampleEnciphered(): TlvNode {
  const encryptionType = ENCRYPTION_TYPES.tdesData;
  return encodeEnciphered({ data: Buffer.alloc(16, 7), ksn: EXAMPLE_KSN, encryptionType, paddingBytes: 0 });
}

/** An object of a device; no test checks its MAC. */
export function exampleObject(generic: readonly TlvNode[], unprotected: readonly TlvNode[] = []): Buffer {
  const body = {
    macKsn: EXAMPLE_KSN,
    macType: ENCRYPTION_TYPES.tdesMac,
    serial: Buffer.from('B613783'),
    generic,
    furtherObjects: unprotected,
  };
  return encodeTransactionObject(encodeAuthenticated(body), Buffer.alloc(8, 9));
}

/** An ARQC object: what stands in it, how the card was read, and the enciphered part. */
export function exampleRequest(cardType: number, fallback: number, objects: readonly TlvNode[]): Buffer {
  const nodes = [tlv('DFDF53', Buffer.of(fallback)), ...objects, tlv('DFDF52', Buffer.of(cardType))];
  return exampleObject([tlv('70', [...nodes, exampleEnciphered()])]);
}
