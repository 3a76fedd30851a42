import { type Bodies, OfflineKind, type PosData, SaleType } from '@tillbridge/wire/bridge/messages.js';
import {
  encipheredTrack2,
  exampleIccData,
  nextKsn,
  track2Of,
} from '../../security/module/card-example.test.support.js';
import { NOW_MS, VISA } from '../payments/payment-harness.test.support.js';

const ksns = new Map<string, Uint8Array>();

/** The KSN of a sale: the same for the same message again. */
function ksnOf(terminalId: string, sale: string): Uint8Array {
  const ksn = ksns.get(sale) ?? nextKsn(Number(terminalId));
  ksns.set(sale, ksn);
  return ksn;
}

/** What the chip of the example card and its terminal send, for a sale. */
export function chip(type: 'ARQC' | 'TC' = 'ARQC', terminalId = '1', reference = ''): PosData {
  return {
    terminalId,
    deviceType: 'GERTEC_PPC930',
    deviceId: '1',
    entryMode: 'ICC',
    panSequenceNumber: '01',
    transactionSequenceNumber: 1,
    pinEntryAvailable: true,
    iccData: exampleIccData({ scheme: 'visa', pan: VISA, type }),
    expiry: '3112',
    sred: encipheredTrack2(
      track2Of(VISA, '4315'),
      ksnOf(terminalId, [terminalId, type, reference].join('/')),
    ),
  };
}

/** A live sale of EUR 12.34. */
export function sale(
  reference: string,
  overrides: Partial<Bodies['authorizationRequest']> = {},
): Bodies['authorizationRequest'] {
  return {
    reference,
    type: SaleType.SALE,
    amount: { minor: 1_234, currency: 'EUR' },
    pos: chip('ARQC', '1', reference),
    originalMessageId: '',
    journaledAtMs: NOW_MS,
    partialAllowed: false,
    ...overrides,
  };
}

/** A sale of EUR 12.34 that the card approved offline. */
export function offline(
  reference: string,
  overrides: Partial<Bodies['offlineRecord']> = {},
): Bodies['offlineRecord'] {
  return {
    kind: OfflineKind.CARD_APPROVED,
    reference,
    type: SaleType.SALE,
    amount: { minor: 1_234, currency: 'EUR' },
    pos: chip('TC', '1', reference),
    decidedAtMs: NOW_MS,
    ageMs: 0,
    expired: false,
    ...overrides,
  };
}

/** The reversal of a sale of EUR 12.34. */
export function reversal(originalMessageId: string): Bodies['reversal'] {
  return {
    originalMessageId,
    reference: 'R',
    amount: { minor: 1_234, currency: 'EUR' },
    reason: 'no answer',
    iccData: new Uint8Array(),
  };
}

/** A heartbeat of a store with three waiting messages. */
export const BEAT: Bodies['heartbeat'] = {
  queueDepth: 3,
  parked: 0,
  oldestAgeSeconds: 0,
  exposure: [],
  terminals: [],
  timeMs: NOW_MS,
  journalRow: 0,
  journalHash: new Uint8Array(),
};
