import { expect, it } from 'vitest';
import { evadesChip, lacksAccountData, lacksChipData } from './instrument.js';
import type { PaymentRequest } from './requests.js';

const pos = (more: object) =>
  ({ type: 'DB', pos: { entryMode: 'ICC', ...more } }) as unknown as PaymentRequest;
const bytes = Uint8Array.of(1);

it.each([
  [{ iccData: bytes }, true],
  [{ pin: {} }, true],
  [{ iccData: bytes, sred: {} }, false],
  [{ pin: {}, sred: {} }, false],
  [{}, false],
])('account data of a terminal lacks in %o: %s', (more, lacks) => {
  expect(lacksAccountData(pos(more))).toBe(lacks);
});

it.each([
  ['ICC', {}, true],
  ['NFC_ICC', {}, true],
  ['ICC', { iccData: bytes }, false],
  ['MAGSTRIPE', {}, false],
])('chip data lacks in %s with %o: %s', (entryMode, more, lacks) => {
  expect(lacksChipData(pos({ entryMode, ...more }))).toBe(lacks);
});

it('demands nothing of a terminal where there is none, nor chip data of a credit', () => {
  expect([lacksAccountData({} as PaymentRequest), lacksChipData({ type: 'DB' } as PaymentRequest)]).toEqual([
    false,
    false,
  ]);
  expect(lacksChipData({ ...pos({}), type: 'CD' })).toBe(false);
});

it.each([
  ['MAGSTRIPE', '4200000000000000=31122010000', true],
  ['MANUAL', '4200000000000000D31126010000', true],
  ['MAGSTRIPE', '4200000000000000=31121010000', false],
  ['MAGSTRIPE', '4200000=31122010000', false],
  ['MAGSTRIPE', '42000000000000000000=31122010000', false],
  ['MAGSTRIPE', ';4200000000000000=31122010000', false],
  ['MAGSTRIPE', undefined, false],
  ['MAGSTRIPE_AS_FALLBACK', '4200000000000000=31122010000', false],
  ['NFC_MAGSTRIPE', '4200000000000000=31122010000', false],
])('%s of the track %s evades the chip: %s', (entryMode, track2, evades) => {
  expect(evadesChip(entryMode, track2)).toBe(evades);
});
