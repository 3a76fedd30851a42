import type { CardData } from '@tillbridge/agent/drivers/core/driver.js';
import {
  encipheredTrack2,
  exampleIccData,
  nextKsn,
  track2Of,
} from '@tillbridge/gateway/security/module/card-example.test.support.js';
import type { Place } from './agent-state.js';

/** One for each terminal. */
const PANS = ['4200000000000000', '4200000000000018'] as const;

/** Data of the chip with a cryptogram; no cardholder verification was needed. */
function iccData(type: 'ARQC' | 'TC' | 'AAC', pan: string): Uint8Array {
  return exampleIccData({ scheme: 'visa', pan, psn: '01', type });
}

/** A chip with its first cryptogram, as far as an agent may know it: the rest is enciphered for the gateway. */
function chip(terminal: 1 | 2): CardData {
  const pan = PANS[terminal - 1] ?? PANS[0];
  return {
    facts: {
      ...{ entryMode: 'ICC', bin: pan.slice(0, 6), last4Digits: pan.slice(-4) },
      ...{ panSequenceNumber: '01', expiry: '3112' },
    },
    iccData: iccData('ARQC', pan),
    sred: encipheredTrack2(track2Of(pan, '1234'), nextKsn(terminal)),
  };
}

function place(terminal: 1 | 2, ids: string): Place {
  const card = chip(terminal);
  const pan = PANS[terminal - 1] ?? PANS[0];
  return {
    ...{ terminalId: String(terminal), reference: `R${terminal}`, ids, card },
    tcData: iccData('TC', pan),
    aacData: iccData('AAC', pan),
  };
}

/** The terminals of the store. */
export const PLACES: readonly [Place, Place] = [place(1, 'm'), place(2, 'n')];
