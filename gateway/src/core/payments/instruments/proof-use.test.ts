import { expect, it } from 'vitest';
import { freeProof, freesProof, takeProof } from './proof-use.js';

const USE = { merchantId: 'e', proof: 'x' };
const STORED = { ...USE, paymentId: 'p', createdAtMs: 5, version: 3 };

it('takes a proof once', () => {
  const by = { paymentId: 'p', nowMs: 5 };
  expect(takeProof(undefined, USE, by)).toEqual({
    changes: [{ op: 'insert', table: 'usedProofs', row: { ...STORED, version: 1 } }],
  });
  expect(takeProof(STORED, USE, by)).toEqual({
    changes: [],
    refusal: expect.objectContaining({ resultCode: '800.400.200', responseCode: null }),
  });
  expect(takeProof(STORED, undefined, by)).toEqual({ changes: [] });
});

it('gives a proof free after a fault on the way, not after the word of an issuer', () => {
  expect(freesProof({ approved: false, resultCode: '900.100.301' })).toBe(true);
  expect(freesProof({ approved: false, resultCode: '800.100.152' })).toBe(false);
  expect(freesProof({ approved: true, resultCode: '900.100.301' })).toBe(false);
});

it('frees the proof of its own payment alone', () => {
  expect(freeProof(STORED, 'p')).toEqual([
    { op: 'delete', table: 'usedProofs', key: ['e', 'x'], version: 3 },
  ]);
  expect(freeProof(STORED, 'other')).toEqual([]);
  expect(freeProof(undefined, 'p')).toEqual([]);
});
