import { describe, expect, it } from 'vitest';
import { fromHex } from '../../bytes.js';
import { requireLegalAesCounter } from './dukpt-aes.js';
import { requireLegalTdesCounter } from './dukpt-tdes.js';
import { isKsnOf, KEY_SET_FORM, ksnAt, ksnCount } from './ksn-sequence.js';

const TDES_SET = 'FFFF9A11E0';
const AES_SET = 'FFFF9A12';
/** Counters of a device number: 2^20 - 1 of 21 bits with at most ten ones; of 32 bits with at most 16. */
const TDES_COUNTERS = 1_048_575;
const AES_COUNTERS = 2_448_023_842;

describe.each([
  ['TDES', TDES_SET, requireLegalTdesCounter, TDES_COUNTERS],
  ['AES', AES_SET, requireLegalAesCounter, AES_COUNTERS],
])('key serial numbers of %s', (_, keySet, requireLegal, counters) => {
  it('are legal, another one at each place, and another one of each party', () => {
    const places = [0, 1, 1_022, 2_047, counters - 1, counters, 2 * counters - 1, 2 * counters];
    places.push(ksnCount(keySet) - 1);
    const all = (['acceptor', 'host'] as const).flatMap((party) =>
      places.map((at) => ksnAt(keySet, party, at)),
    );
    expect(new Set(all).size).toBe(all.length);
    for (const ksn of all) expect(requireLegal(fromHex(ksn))).toBeGreaterThan(0);
    expect(() => ksnAt(keySet, 'acceptor', ksnCount(keySet))).toThrow(/counterExhausted|used/);
  });

  it('are known by their party', () => {
    const [ours, theirs] = [ksnAt(keySet, 'acceptor', 5_000), ksnAt(keySet, 'host', 5_000)];
    expect([isKsnOf(ours, keySet, 'acceptor'), isKsnOf(ours, keySet, 'host')]).toEqual([true, false]);
    expect([isKsnOf(theirs, keySet, 'acceptor'), isKsnOf(theirs, keySet, 'host')]).toEqual([false, true]);
    const other = keySet === AES_SET ? TDES_SET : AES_SET;
    for (const wrong of [undefined, '', 'x'.repeat(ours.length), ours.toLowerCase(), `${ours}0`])
      expect(isKsnOf(wrong, keySet, 'acceptor')).toBe(false);
    expect(isKsnOf(ksnAt(other, 'acceptor', 1), keySet, 'acceptor')).toBe(false);
  });

  it('have every legal counter of a device number once, by size', () => {
    let last = 0;
    const step = Math.ceil(counters / 1_000);
    for (let at = 0; at < counters; at += step) {
      const counter =
        Number.parseInt(ksnAt(keySet, 'acceptor', at).slice(-8), 16) % 2 ** (keySet === AES_SET ? 32 : 21);
      expect(counter).toBeGreaterThan(last);
      last = counter;
    }
  });
});

it('begin with their key set, and go on with the next device number', () => {
  expect(ksnAt(TDES_SET, 'acceptor', 0)).toBe('FFFF9A11E00000000001');
  expect(ksnAt(TDES_SET, 'acceptor', TDES_COUNTERS - 1)).toBe('FFFF9A11E000001FF800');
  expect(ksnAt(TDES_SET, 'acceptor', TDES_COUNTERS)).toBe('FFFF9A11E00000200001');
  expect(ksnAt(AES_SET, 'acceptor', 0)).toBe('FFFF9A120000000000000001');
  expect(ksnAt(AES_SET, 'acceptor', AES_COUNTERS - 1)).toBe('FFFF9A1200000000FFFF0000');
  expect(ksnAt(AES_SET, 'acceptor', AES_COUNTERS)).toBe('FFFF9A120000000100000001');
  expect(ksnAt(AES_SET, 'host', 0)).toBe('FFFF9A128000000000000001');
  for (const [keySet, isOne] of [
    [TDES_SET, true],
    [AES_SET, true],
    ['FFFF9A121', false],
    ['ffff9a12', false],
  ] as const)
    expect(KEY_SET_FORM.test(keySet)).toBe(isOne);
});
