import {
  encipheredPin,
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '@tillbridge/gateway/security/module/card-example.test.support.js';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';

/** Development cards with a PIN: one that is approved, one that its issuer declines. */
export const VISA = '4200000000000000';
export const DECLINED = '5200000000001013';
const PIN = '1234';

/** A payment with a typed card. */
export const TYPED = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': VISA,
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
} as const;

/** Chip data of a development card with a good cryptogram, hex. */
export function chipData(counter: number, pan = VISA): string {
  const scheme = pan === VISA ? 'visa' : 'mchip';
  return toHex(exampleIccData({ scheme, pan, atc: fourHex(counter) }));
}

/** Chip data of the Visa card by a forger: the cryptogram is not the card's. */
export function forgedChip(counter: number): string {
  const changed = { '9F26': '00'.repeat(8) };
  return toHex(exampleIccData({ scheme: 'visa', pan: VISA, atc: fourHex(counter), changed }));
}

/** Account data of a card under a key serial number, all hex. */
export function encipheredAccount(ksn: string, pan = VISA): string {
  return toHex(encipheredTrack2(track2Of(pan, PIN), fromHex(ksn)).data);
}

/** The PIN of the Visa card under a key serial number, all hex. */
export function encipheredPinOf(ksn: string): string {
  return toHex(encipheredPin(VISA, PIN, fromHex(ksn)).data);
}

const fourHex = (counter: number): string => counter.toString(16).padStart(4, '0');
