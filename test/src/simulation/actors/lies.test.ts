import type { ForwardQueue, StreamEnvelope } from '@tillbridge/agent/journal/forward-queue.js';
import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import { OfflineKind, SaleType } from '@tillbridge/wire/bridge/messages.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { expect, test } from 'vitest';
import { LIES, lyingQueue } from './lies.js';

const ICC_DATA = encodeTlv([tlv('9F27', Buffer.from([0x40])), tlv('9F26', Buffer.alloc(8, 1))]);

/** A true record; the end of its id selects the lie. */
function record(number: number): Envelope<'offlineRecord'> {
  return {
    id: `01a1f7f9-7de0-77bc-9d4b-${number.toString(16).padStart(12, '0')}`,
    terminalId: '901',
    sequence: 1,
    kind: 'offlineRecord',
    body: {
      kind: OfflineKind.CARD_APPROVED,
      reference: `H-${number}`,
      type: SaleType.SALE,
      amount: { minor: 100, currency: 'EUR' },
      decidedAtMs: Date.UTC(2026, 10, 20),
      expired: false,
      ageMs: 0,
      pos: {
        terminalId: '901',
        deviceType: 'GERTEC_PPC930',
        deviceId: '901',
        entryMode: 'ICC',
        panSequenceNumber: '01',
        transactionSequenceNumber: 1,
        pinEntryAvailable: true,
        iccData: ICC_DATA,
        expiry: '',
      },
    },
  };
}

test('every record of a hostile agent leaves with one lie, the same each time', async () => {
  const sent = new Map<string, string>();
  for (let number = 0; number < Object.keys(LIES).length; number += 1) {
    const truth = record(number);
    const next = async (): Promise<StreamEnvelope> => truth;
    const queue = lyingQueue({ next } as unknown as ForwardQueue, (reference, lie) =>
      sent.set(reference, lie),
    );
    const [first, again] = [await queue.next('901', 0), await queue.next('901', 0)];
    expect(first).not.toEqual(truth);
    expect({ ...first, body: truth.body }).toEqual(truth);
    expect(again).toEqual(first);
  }
  expect(new Set(sent.values())).toEqual(new Set(Object.keys(LIES)));
});

test('a hostile agent sends everything else as it is', async () => {
  const reversal = { ...record(1), kind: 'reversal' } as unknown as StreamEnvelope;
  const queue = lyingQueue({ next: async () => reversal } as unknown as ForwardQueue, () => {
    throw new Error('a lie about a message that is no offline record');
  });
  expect(await queue.next('901', 0)).toBe(reversal);
});
