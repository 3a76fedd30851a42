import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { aesKcv, tdesKcv } from '../ciphers/kcv.js';
import { hasOddParity, withOddParity } from '../ciphers/tdes.js';
import { DEVELOPMENT_KEYS, developmentKey, isTestKey } from '../key-block/test-keys.js';
import { hex, text, vectorsOf } from '../vectors.test.support.js';
import { cvv, cvv2, icvv, pvv } from './card-values.js';

describe('card verification values, published vectors', () => {
  it.each(vectorsOf('cvv-pvv', 'cvv').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const pan = text(vector, 'pan');
    const expiry = text(vector, 'expiry');
    const key = hex(vector, 'cvk');
    const actual: Record<string, string> = {
      cvv: cvv(key, pan, expiry, text(vector, 'serviceCode')),
      cvv2: cvv2(key, pan, expiry),
      icvv: icvv(key, pan, expiry),
    };
    for (const [field, value] of Object.entries(vector.expected)) expect(actual[field], field).toBe(value);
  });

  it.each(vectorsOf('cvv-pvv', 'pvv').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const value = pvv(hex(vector, 'pvk'), text(vector, 'pvki'), text(vector, 'pan'), text(vector, 'pin'));
    expect(value).toBe(vector.expected.pvv);
  });
});

describe('PIN verification value', () => {
  const key = fromHex('0123456789ABCDEFFEDCBA9876543210');

  it('looks at the first four digits of a longer PIN', () => {
    expect(pvv(key, '1', '4000000000000002', '123456')).toBe(pvv(key, '1', '4000000000000002', '1234'));
    expect(() => pvv(key, '1', '4000000000000002', '123')).toThrow(/badPin/);
  });
});

describe('development keys', () => {
  it.each(Object.values(DEVELOPMENT_KEYS))(
    '$name has the parity of its kind and its listed check value',
    (entry) => {
      const key = developmentKey(entry.name);
      expect(entry.algorithm === 'aes128' || hasOddParity(key)).toBe(true);
      const check = entry.algorithm === 'aes128' ? aesKcv(key) : tdesKcv(key);
      expect(toHex(check)).toBe(entry.kcv);
      expect(isTestKey(developmentKey(entry.name))).toBe(true);
      expect(isTestKey(entry.kcv)).toBe(true);
    },
  );

  it('are recognised with other parity bits, also the printed ones', () => {
    const flipped = developmentKey('bdkPin').map((byte) => byte ^ 1);
    expect(isTestKey(flipped)).toBe(true);
    expect(isTestKey(withOddParity(fromHex('11111111111111112222222222222222')))).toBe(true);
    expect(isTestKey(fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1FEDCBA9876543210F1F1F1F1F1F1F1F1'))).toBe(true);
  });

  it('do not include a key of one’s own', () => {
    expect(isTestKey(fromHex('7A1C9E53D2B84F06E1357BD80246AC9F'))).toBe(false);
    expect(isTestKey('A1B2C3')).toBe(false);
    expect(isTestKey('')).toBe(false);
  });

  it('know every base derivation key of the published vectors', () => {
    const bdks = ['dukpt-tdes', 'dukpt-aes', 'sred'].flatMap((topic) =>
      vectorsOf(topic).flatMap(({ inputs }) => (typeof inputs.bdk === 'string' ? [inputs.bdk] : [])),
    );
    expect(bdks.length).toBeGreaterThan(60);
    for (const bdk of bdks) expect(isTestKey(fromHex(bdk)), bdk).toBe(true);
  });
});
