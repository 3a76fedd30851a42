import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { describe, expect, it } from 'vitest';
import type { OfflineDecision, PaymentRequest } from '../rules/requests.js';
import { evidenceFault } from './offline-evidence.js';

const DAY_MS = 86_400_000;
const MIDNIGHT_MS = Date.UTC(2026, 10, 20);

const TAGS = {
  ...{ '9F26': '0011223344556677', '9F27': '40', '9F02': '000000001234', '5F2A': '0978', '9A': '261120' },
};
type Tags = { readonly [Tag in keyof typeof TAGS]?: string | undefined };
const chipData = (changed: Tags = {}): Uint8Array =>
  encodeTlv(
    Object.entries({ ...TAGS, ...changed }).flatMap(([tag, hex]) =>
      hex === undefined ? [] : tlv(tag, fromHex(hex)),
    ),
  );

/** A card-approved record of EUR 12.34 with a TC, but for what differs. */
function record(
  more: {
    readonly tags?: Tags;
    readonly iccData?: Uint8Array | undefined;
    readonly entryMode?: NonNullable<PaymentRequest['pos']>['entryMode'];
    readonly offline?: Partial<OfflineDecision>;
  } = {},
): PaymentRequest {
  const { tags, entryMode = 'ICC', offline } = more;
  const iccData = 'iccData' in more ? more.iccData : chipData(tags);
  return {
    ...{ origin: { kind: 'rest', entityId: 'e' }, type: 'DB', amount: { minor: 1_234, currency: 'EUR' } },
    offline: { kind: 'card-approved', decidedAtMs: MIDNIGHT_MS, ...offline },
    pos: { terminalId: '1', deviceType: 'GERTEC_PPC930', entryMode, ...(iccData && { iccData }) },
  };
}
const NO_TC = 'there is no TC (tags 9F27, 9F26)';

describe('the evidence of an offline record', () => {
  it.each(['ICC', 'NFC_ICC'] as const)('is the TC of a chip that was read by %s', (entryMode) => {
    expect(evidenceFault(record({ entryMode }))).toBeUndefined();
  });

  it('is required of no other kind, and of no payment in the net', () => {
    expect(evidenceFault(record({ iccData: undefined, offline: { kind: 'deferred' } }))).toBeUndefined();
    const { offline: _, ...online } = record({ iccData: undefined });
    expect(evidenceFault(online)).toBeUndefined();
  });

  it('is none of a magstripe, nor of a card that was typed', () => {
    const fault = 'no chip was read: only a chip approves offline';
    for (const entryMode of ['MAGSTRIPE', 'NFC_MAGSTRIPE', 'MANUAL'] as const)
      expect(evidenceFault(record({ entryMode }))).toBe(fault);
    const { pos: _, ...typed } = record();
    expect(evidenceFault(typed)).toBe(fault);
  });

  it.each([undefined, fromHex('9F26'), fromHex('9F26FF00')])(
    'is none without data that can be read: %j',
    (iccData) => {
      expect(evidenceFault(record({ iccData }))).toBe('the data of the chip are missing or cannot be read');
    },
  );

  it.each<[Tags, string]>([
    [{ '9F27': undefined }, NO_TC],
    [{ '9F27': '80' }, NO_TC],
    [{ '9F27': '00' }, NO_TC],
    [{ '9F26': undefined }, NO_TC],
    [{ '9F26': '00112233445566' }, NO_TC],
    [{ '9F02': '000000001235' }, 'tag 9F02 has another amount'],
    [{ '9F02': undefined }, 'tag 9F02 has another amount'],
    [{ '5F2A': '0840' }, 'tag 5F2A has another currency'],
    [{ '5F2A': undefined }, 'tag 5F2A has another currency'],
    [{ '9A': undefined }, 'tag 9A has another day'],
    [{ '9A': '2611' }, 'tag 9A has another day'],
    [{ '9A': '26112001' }, 'tag 9A has another day'],
    [{ '9A': '00261120' }, 'tag 9A has another day'],
  ])('is none with the tags %j: %s', (tags, fault) => {
    expect(evidenceFault(record({ tags }))).toBe(fault);
  });

  it.each([
    [-DAY_MS - 1, 'tag 9A has another day'],
    [-DAY_MS, undefined],
    [2 * DAY_MS - 1, undefined],
    [2 * DAY_MS, 'tag 9A has another day'],
  ])('is of the day of the record, %i ms from its midnight, or an adjacent one: %s', (ms, fault) => {
    expect(evidenceFault(record({ offline: { decidedAtMs: MIDNIGHT_MS + ms } }))).toBe(fault);
  });
});
