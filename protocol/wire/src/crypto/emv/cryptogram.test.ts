import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { tdesKcv } from '../ciphers/kcv.js';
import { hex, text, type Vector, vectorsOf } from '../vectors.test.support.js';
import {
  arpcMethod1,
  arpcMethod2,
  arqc,
  type CryptogramPadding,
  verifyArpcMethod1,
  verifyArpcMethod2,
  verifyArqc,
} from './cryptogram.js';
import {
  atcDiversifier,
  atcUnDiversifier,
  commonSessionKey,
  deriveIccMasterKey,
  type IccMasterKeyOption,
} from './emv-keys.js';

function optionalHex(vector: Vector, name: string): Buffer {
  return fromHex((vector.inputs[name] as string | undefined) ?? '');
}

function sessionKeyOf(vector: Vector, iccMk: Buffer): Buffer {
  if (vector.inputs.sessionKey === 'none') return iccMk;
  if (vector.inputs.r !== undefined) return commonSessionKey(iccMk, hex(vector, 'r'));
  if (vector.inputs.sessionKey === 'mastercardProprietary') {
    return commonSessionKey(iccMk, atcUnDiversifier(hex(vector, 'atc'), hex(vector, 'un')));
  }
  return commonSessionKey(iccMk, atcDiversifier(hex(vector, 'atc')));
}

describe('EMV cryptograms, published vectors', () => {
  it.each(vectorsOf('emv-arqc-arpc', 'arqcArpc').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const iccMk = deriveIccMasterKey(
      hex(vector, 'imkAc'),
      text(vector, 'pan'),
      text(vector, 'psn'),
      text(vector, 'iccMkOption') as IccMasterKeyOption,
    );
    const sk = sessionKeyOf(vector, iccMk);
    const padding = text(vector, 'padding') as CryptogramPadding;
    const cryptogram = arqc(sk, hex(vector, 'acData'), padding);
    expect(verifyArqc(sk, hex(vector, 'acData'), padding, cryptogram)).toBe(true);
    const arpcKey = vector.inputs.arpcKey === 'iccMasterKey' ? iccMk : sk;
    const actual: Record<string, string> = {
      iccMk: toHex(iccMk),
      iccMkKcv: toHex(tdesKcv(iccMk)),
      skAc: toHex(sk),
      skAcKcv: toHex(tdesKcv(sk)),
      arqc: toHex(cryptogram),
    };
    if (vector.inputs.arpcMethod === 'method1') {
      actual.arpc = toHex(arpcMethod1(arpcKey, cryptogram, hex(vector, 'arc')));
    }
    if (vector.inputs.arpcMethod === 'method2') {
      const proprietary = optionalHex(vector, 'proprietaryAuthData');
      actual.arpc = toHex(arpcMethod2(arpcKey, cryptogram, hex(vector, 'csu'), proprietary));
    }
    for (const [field, value] of Object.entries(vector.expected)) expect(actual[field], field).toBe(value);
  });
});

describe('cryptogram verification', () => {
  const key = fromHex('0123456789ABCDEFFEDCBA9876543210');
  const data = Buffer.from('amounts and unpredictable number');

  it('refuses a cryptogram with one bit changed, or cut short', () => {
    const good = arqc(key, data, 'iso9797Method2');
    for (let bit = 0; bit < 64; bit += 1) {
      const bad = Buffer.from(good);
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(verifyArqc(key, data, 'iso9797Method2', bad)).toBe(false);
    }
    expect(verifyArqc(key, data, 'iso9797Method2', good.subarray(0, 4))).toBe(false);
  });

  it('ties the ARPC to response code and status update', () => {
    const request = arqc(key, data, 'iso9797Method2');
    const one = arpcMethod1(key, request, Buffer.from('00'));
    expect(verifyArpcMethod1(key, request, Buffer.from('00'), one)).toBe(true);
    expect(verifyArpcMethod1(key, request, Buffer.from('05'), one)).toBe(false);
    const two = arpcMethod2(key, request, fromHex('00820000'));
    expect(verifyArpcMethod2(key, request, fromHex('00820000'), new Uint8Array(), two)).toBe(true);
    expect(verifyArpcMethod2(key, request, fromHex('00020000'), new Uint8Array(), two)).toBe(false);
  });

  it('names the argument of a wrong length', () => {
    expect(() => arpcMethod1(key, new Uint8Array(7), Buffer.from('00'))).toThrow(/ARQC has 7 bytes/);
    expect(() => arpcMethod1(key, new Uint8Array(8), Buffer.from('0'))).toThrow(/ARC has 1 bytes/);
    expect(() => arpcMethod2(key, new Uint8Array(8), new Uint8Array(3))).toThrow(/CSU has 3 bytes/);
    expect(() => deriveIccMasterKey(key, '4000000000000002', '1', 'optionA')).toThrow(/psn/);
  });
});
