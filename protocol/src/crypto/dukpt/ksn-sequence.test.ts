import { expect, it } from 'vitest';
import { fromHex } from '../../bytes.js';
import { requireLegalTdesCounter } from './dukpt-tdes.js';
import { isKsnOf, KSN_SEQUENCE_END, ksnAt } from './ksn-sequence.js';

const KEY_SET = 'FFFF9A11E0';

it('gives another legal number at each place, and another one to each party', () => {
  const places = [0, 1, 1_022, 2_047, 1_048_574, 1_048_575, 2_097_149, 2_097_150, KSN_SEQUENCE_END - 1];
  const all = (['acceptor', 'host'] as const).flatMap((party) =>
    places.map((at) => ksnAt(KEY_SET, party, at)),
  );
  expect(new Set(all).size).toBe(all.length);
  for (const ksn of all) expect(requireLegalTdesCounter(fromHex(ksn))).toBeGreaterThan(0);
  expect(all[0]).toBe('FFFF9A11E00000000001');
  // The last counter of a device number, and the first of the next one.
  expect([all[4], all[5]]).toEqual(['FFFF9A11E000001FF800', 'FFFF9A11E00000200001']);
  expect(() => ksnAt(KEY_SET, 'acceptor', KSN_SEQUENCE_END)).toThrow(/counterExhausted|used/);
});

it('knows whose a number is', () => {
  const [ours, theirs] = [ksnAt(KEY_SET, 'acceptor', 5_000), ksnAt(KEY_SET, 'host', 5_000)];
  expect([isKsnOf(ours, KEY_SET, 'acceptor'), isKsnOf(ours, KEY_SET, 'host')]).toEqual([true, false]);
  expect([isKsnOf(theirs, KEY_SET, 'acceptor'), isKsnOf(theirs, KEY_SET, 'host')]).toEqual([false, true]);
  for (const wrong of [undefined, '', 'x'.repeat(20), ours.toLowerCase(), ksnAt('FFFF9A11E1', 'acceptor', 1)])
    expect(isKsnOf(wrong, KEY_SET, 'acceptor')).toBe(false);
});

it('gives every legal counter of a device number once, by size', () => {
  let last = 0;
  for (let at = 0; at < 1_048_575; at += 997) {
    const counter = Number(BigInt(`0x${ksnAt(KEY_SET, 'acceptor', at).slice(10)}`));
    expect(counter).toBeGreaterThan(last);
    last = counter;
  }
});
