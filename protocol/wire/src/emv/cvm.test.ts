import { describe, expect, it } from 'vitest';
import { fromHex } from '../bytes.js';
import {
  CVM,
  type CvmContext,
  type CvmList,
  cvmListNames,
  nextCvm,
  parseCvmList,
  supportedCvms,
} from './cvm.js';

const everything = supportedCvms(fromHex('E0F8C8'));
const context: CvmContext = {
  kind: 'purchase',
  amountMinor: 5000,
  inApplicationCurrency: true,
  supportedMethods: everything,
};

function list(hex: string): CvmList {
  const parsed = parseCvmList(fromHex(hex));
  if (parsed === undefined) throw new Error('no CVM list');
  return parsed;
}

describe('CVM list (EMV Book 3 §10.5)', () => {
  it('reads amounts and rules', () => {
    expect(list('000003E8000007D0420341031E031F00')).toEqual({
      amountX: 1000,
      amountY: 2000,
      rules: [
        { method: CVM.onlinePin, applyNext: true, condition: 3 },
        { method: CVM.plaintextPin, applyNext: true, condition: 3 },
        { method: CVM.signature, applyNext: false, condition: 3 },
        { method: CVM.noCvm, applyNext: false, condition: 0 },
      ],
    });
    for (const bad of ['', '0000000000000000', '000000000000000042', '00000000000000004203FF']) {
      expect(parseCvmList(fromHex(bad))).toBeUndefined();
    }
  });

  it('walks on from a failed method while the rule lets it', () => {
    const rules = list('00000000000000004403420341031F00');
    const first = nextCvm(rules, context);
    expect(first).toMatchObject({ kind: 'perform', method: CVM.encipheredPin, index: 0, applyNext: true });
    const second = nextCvm(rules, context, 1);
    expect(second).toMatchObject({ kind: 'perform', method: CVM.onlinePin, index: 1 });
  });

  it('passes over what the terminal does not support under condition 03', () => {
    const rules = list('000000000000000042031E031F00');
    const noPinPad = { ...context, supportedMethods: supportedCvms(fromHex('E02800')) };
    expect(nextCvm(rules, noPinPad)).toMatchObject({ kind: 'perform', method: CVM.signature });
  });

  it('ends at an unsupported method whose rule ends the list', () => {
    const rules = list('000000000000000002001F00');
    const noPinPad = { ...context, supportedMethods: supportedCvms(fromHex('E02800')) };
    expect(nextCvm(rules, noPinPad)).toEqual({
      kind: 'unsupported',
      method: CVM.onlinePin,
      condition: 0,
      index: 0,
      unrecognised: false,
    });
  });

  it('marks a method that it does not know', () => {
    expect(nextCvm(list('000000000000000060001F00'), context)).toMatchObject({
      kind: 'perform',
      method: CVM.noCvm,
    });
    expect(nextCvm(list('00000000000000006000'), context)).toEqual({ kind: 'exhausted', unrecognised: true });
    expect(nextCvm(list('00000000000000002000'), context)).toMatchObject({
      kind: 'unsupported',
      unrecognised: true,
    });
  });

  it.each([
    ['06', 999, true],
    ['06', 1000, false],
    ['07', 1000, false],
    ['07', 1001, true],
    ['08', 1999, true],
    ['08', 2000, false],
    ['09', 2000, false],
    ['09', 2001, true],
  ])('condition %s at %i: %s', (condition, amountMinor, met) => {
    const rules = list(`000003E8000007D01F${condition}`);
    const expected = met ? 'perform' : 'exhausted';
    expect(nextCvm(rules, { ...context, amountMinor }).kind).toBe(expected);
    expect(nextCvm(rules, { ...context, amountMinor, inApplicationCurrency: false }).kind).toBe('exhausted');
  });

  it.each([
    ['01', 'unattendedCash'],
    ['02', 'purchase'],
    ['04', 'manualCash'],
    ['05', 'purchaseWithCashback'],
  ] as const)('condition %s is met by %s alone', (condition, kind) => {
    const rules = list(`00000000000000001F${condition}`);
    for (const other of ['purchase', 'purchaseWithCashback', 'unattendedCash', 'manualCash'] as const) {
      expect(nextCvm(rules, { ...context, kind: other }).kind).toBe(other === kind ? 'perform' : 'exhausted');
    }
  });

  it('a rule "fail" is performed whatever the terminal supports', () => {
    const rules = list('00000000000000000000');
    expect(nextCvm(rules, { ...context, supportedMethods: new Set() })).toMatchObject({ method: CVM.fail });
  });

  it('derives combined methods from capabilities', () => {
    expect([...supportedCvms(fromHex('E0A000'))].sort((a, b) => a - b)).toEqual([1, 3, 30]);
    expect(cvmListNames(fromHex('00000000000000004203'))[1]).toMatch(/online.*supports.*apply next/i);
  });
});
