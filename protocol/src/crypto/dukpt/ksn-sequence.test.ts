import { expect, it } from 'vitest';
import { fromHex } from '../../bytes.js';
import { requireLegalTdesCounter } from './dukpt-tdes.js';
import { isKsnOf, KSN_SEQUENCE_END, ksnAt } from './ksn-sequence.js';

const KEY_SET = 'FFFF9A11E0';

it('gives another legal number at each place, and another one to each party', () => {
  const places = [0, 1, 1_022, 1_023, 2_045, 2_046, 1_000_000, KSN_SEQUENCE_END - 1];
  const all = (['acceptor', 'host'] as const).flatMap((party) =>
    places.map((at) => ksnAt(KEY_SET, party, at)),
  );
  expect(new Set(all).size).toBe(all.length);
  for (const ksn of all) expect(requireLegalTdesCounter(fromHex(ksn))).toBeGreaterThan(0);
  expect(all[0]).toBe('FFFF9A11E00000000001');
  expect(() => ksnAt(KEY_SET, 'acceptor', KSN_SEQUENCE_END)).toThrow(/counterExhausted|used/);
});

it('knows whose a number is', () => {
  const [ours, theirs] = [ksnAt(KEY_SET, 'acceptor', 5_000), ksnAt(KEY_SET, 'host', 5_000)];
  expect([isKsnOf(ours, KEY_SET, 'acceptor'), isKsnOf(ours, KEY_SET, 'host')]).toEqual([true, false]);
  expect([isKsnOf(theirs, KEY_SET, 'acceptor'), isKsnOf(theirs, KEY_SET, 'host')]).toEqual([false, true]);
  for (const wrong of [undefined, '', 'x'.repeat(20), ours.toLowerCase(), ksnAt('FFFF9A11E1', 'acceptor', 1)])
    expect(isKsnOf(wrong, KEY_SET, 'acceptor')).toBe(false);
});
