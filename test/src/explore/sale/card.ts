import type { CardData } from '@tillbridge/agent/drivers/core/driver.js';
import {
  encipheredTrack2,
  exampleIccData,
  nextKsn,
  track2Of,
} from '@tillbridge/gateway/security/module/card-example.test.support.js';

const PAN = '4200000000000000';

/** Data of the chip with a cryptogram; no cardholder verification was needed. */
function iccData(type: 'ARQC' | 'TC' | 'AAC'): Uint8Array {
  return exampleIccData({ scheme: 'visa', pan: PAN, psn: '01', type });
}

/** What the card gave with its last cryptogram. */
export const TC_DATA = iccData('TC');
export const AAC_DATA = iccData('AAC');

/** A chip with its first cryptogram, as far as an agent may know it: the rest is enciphered for the gateway. */
export const CARD: CardData = {
  facts: { entryMode: 'ICC', bin: '420000', last4Digits: '0000', panSequenceNumber: '01', expiry: '3112' },
  iccData: iccData('ARQC'),
  sred: encipheredTrack2(track2Of(PAN, '1234'), nextKsn(1)),
};

/** The same chip, which has approved by itself. */
export const TC_CARD: CardData = { ...CARD, iccData: TC_DATA };
