import { padBit } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { DES_BLOCK_BYTES } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { compressedNumeric } from '@tillbridge/wire/emv/compressed-numeric.js';
import { encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { CardAccount } from './card-account.js';

/** The objects 5A, 57 and 5F24 of an account, as far as it has them. */
export function accountObjects({ pan, track2, expiry }: CardAccount): TlvNode[] {
  return [
    tlv('5A', compressedNumeric(pan)),
    ...(track2 === undefined ? [] : [tlv('57', compressedNumeric(track2.replace('=', 'D')))]),
    ...(expiry === undefined ? [] : [tlv('5F24', Buffer.from(`${expiry}31`, 'hex'))]),
  ];
}

/** An account as BER-TLV in whole cipher blocks, padded by a one bit and zeros. */
export function accountContainer(account: CardAccount, blockBytes = DES_BLOCK_BYTES): Buffer {
  return padBit(encodeTlv(accountObjects(account)), blockBytes);
}
