import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../bytes.js';
import { type ActionAnalysisInput, terminalActionAnalysis } from './action-analysis.js';
import {
  ADDITIONAL_TERMINAL_CAPABILITIES,
  AIP,
  AUC,
  CTQ,
  TERMINAL_CAPABILITIES,
  TSI,
  TSI_BYTES,
  TTQ,
  TVR,
  TVR_BYTES,
} from './bit-fields.js';
import { type Bit, type BitTable, bitNames, hasBit, setBit } from './bits.js';
import { cidNames, cryptogramType } from './cid.js';
import { cvmResultsNames, encodeCvmResults, readCvmResults } from './cvm-results.js';
import { readIad } from './iad.js';

describe('bit tables', () => {
  const tables: Record<string, readonly [BitTable, number]> = {
    TVR: [TVR, 5],
    TSI: [TSI, 2],
    AIP: [AIP, 2],
    AUC: [AUC, 2],
    'terminal capabilities': [TERMINAL_CAPABILITIES, 3],
    'additional terminal capabilities': [ADDITIONAL_TERMINAL_CAPABILITIES, 5],
    TTQ: [TTQ, 4],
    CTQ: [CTQ, 2],
  };

  it.each(Object.entries(tables))('%s names each bit once, inside its field', (_, [table, length]) => {
    const bits = Object.values<Bit>(table);
    expect(new Set(bits.map(({ byte, mask }) => `${byte}/${mask}`)).size).toBe(bits.length);
    for (const { byte, mask } of bits) {
      expect(byte).toBeGreaterThanOrEqual(1);
      expect(byte).toBeLessThanOrEqual(length);
      expect([1, 2, 4, 8, 16, 32, 64, 128]).toContain(mask);
    }
  });

  it('sets and reads; refuses a field that is too short', () => {
    const tvr = Buffer.alloc(TVR_BYTES);
    setBit(tvr, TVR.floorLimitExceeded);
    expect(TVR.floorLimitExceeded).toMatchObject({ byte: 4, mask: 0x80 });
    setBit(tvr, TVR.expiredApplication);
    expect(toHex(tvr)).toBe('0040008000');
    expect(hasBit(tvr, TVR.newCard)).toBe(false);
    expect(bitNames(tvr, TVR)).toEqual(['Expired application', 'Transaction exceeds floor limit']);
    expect(() => setBit(Buffer.alloc(1), TVR.newCard)).toThrow(RangeError);
    expect(hasBit(Buffer.alloc(1), TVR.newCard)).toBe(false);
  });

  it('every constant that a kernel sets is in the table', () => {
    for (const bit of Object.values(TVR)) {
      const field = Buffer.alloc(TVR_BYTES);
      setBit(field, bit);
      expect(bitNames(field, TVR)).toHaveLength(1);
    }
    for (const bit of Object.values(TSI)) {
      const field = Buffer.alloc(TSI_BYTES);
      setBit(field, bit);
      expect(bitNames(field, TSI)).toHaveLength(1);
    }
    expect(bitNames(fromHex('1C00'), AIP)).toEqual([
      'Cardholder verification is supported',
      'Terminal risk management is to be performed',
      'Issuer authentication is supported',
    ]);
  });
});

describe('CVM results, CID, IAD', () => {
  it('round trips CVM results and refuses other forms', () => {
    const results = readCvmResults(fromHex('420302'));
    expect(results).toEqual({ code: 0x42, condition: 3, outcome: 'successful' });
    expect(results && toHex(encodeCvmResults(results))).toBe('420302');
    expect(readCvmResults(fromHex('420303'))).toBeUndefined();
    expect(readCvmResults(fromHex('4203'))).toBeUndefined();
    expect(cvmResultsNames(fromHex('1F0000'))).toEqual(['No CVM required', 'Always', 'Result: unknown']);
  });

  it('reads the cryptogram type', () => {
    expect([0x00, 0x40, 0x80].map(cryptogramType)).toEqual(['AAC', 'TC', 'ARQC']);
    expect(cidNames(fromHex('8A'))).toEqual([
      'Cryptogram: ARQC',
      'Advice required',
      'Reason: PIN try limit exceeded',
    ]);
  });

  it('distinguishes the layouts of issuer application data', () => {
    const visa = readIad(fromHex('06010A03A0B800'));
    expect(visa).toMatchObject({ format: 'visa', cryptogramVersion: 10, derivationKeyIndex: 1 });
    expect(visa && toHex(visa.cvr)).toBe('03A0B800');
    const format2 = readIad(fromHex(`1F2201${'A0'.repeat(5)}${'00'.repeat(24)}`));
    expect(format2).toMatchObject({ format: 'visaFormat2', cryptogramVersion: 0x22, derivationKeyIndex: 1 });
    const mchip = readIad(fromHex(`0110A00003220000${'AABB'}${'00'.repeat(8)}`));
    expect(mchip).toMatchObject({ format: 'mchip', cryptogramVersion: 16, derivationKeyIndex: 1 });
    expect(mchip?.dac && toHex(mchip.dac)).toBe('AABB');
    const ccd = readIad(fromHex(`0FA501${'11'.repeat(5)}${'22'.repeat(8)}0F${'33'.repeat(15)}`));
    expect(ccd).toMatchObject({ format: 'ccd', cryptogramVersion: 0xa5, derivationKeyIndex: 1 });
    const interac = readIad(fromHex('1501850440B100000000B00000000000000000000000'));
    expect(interac).toMatchObject({ format: 'interac', cryptogramVersion: 133, derivationKeyIndex: 1 });
    expect(readIad(fromHex('010203'))).toBeUndefined();
  });
});

describe('terminal action analysis (EMV Book 3 §10.7)', () => {
  const zeros = new Uint8Array(5);
  const base: ActionAnalysisInput = {
    tvr: zeros,
    terminal: { denial: zeros, online: zeros, default: zeros },
    issuer: { denial: zeros, online: zeros, default: zeros },
    ability: 'online-capable',
  };
  const floor = fromHex('0000008000');

  it('requests a TC when nothing matches', () => {
    expect(terminalActionAnalysis({ ...base, tvr: floor })).toMatchObject({
      request: 'TC',
      responseCode: 'Y1',
    });
  });

  it('goes online on either party’s online code, and names the bits', () => {
    const byTerminal = { ...base, tvr: floor, terminal: { ...base.terminal, online: floor } };
    const byIssuer = { ...base, tvr: floor, issuer: { ...base.issuer, online: floor } };
    for (const input of [byTerminal, byIssuer]) {
      const result = terminalActionAnalysis(input);
      expect(result).toMatchObject({ request: 'ARQC', matched: 'online', responseCode: undefined });
      expect(bitNames(result.reasons, TVR)).toEqual(['Transaction exceeds floor limit']);
    }
  });

  it('denial wins over online', () => {
    const input = {
      ...base,
      tvr: floor,
      terminal: { denial: floor, online: floor, default: floor },
    };
    expect(terminalActionAnalysis(input)).toMatchObject({
      request: 'AAC',
      matched: 'denial',
      responseCode: 'Z1',
    });
  });

  it('an offline-only terminal looks at denial and default codes', () => {
    const input = {
      ...base,
      ability: 'offline-only',
      tvr: floor,
      terminal: { ...base.terminal, online: floor },
    } as const;
    expect(terminalActionAnalysis(input)).toMatchObject({ request: 'TC', responseCode: 'Y1' });
    const declined = { ...input, terminal: { ...base.terminal, default: floor } };
    expect(terminalActionAnalysis(declined)).toMatchObject({
      request: 'AAC',
      matched: 'default',
      responseCode: 'Z1',
    });
  });

  it('after a failed attempt to go online only the default codes decide, never an ARQC', () => {
    const input = {
      ...base,
      ability: 'unable-to-go-online',
      tvr: floor,
      terminal: { denial: zeros, online: floor, default: zeros },
    } as const;
    expect(terminalActionAnalysis(input)).toMatchObject({ request: 'TC', responseCode: 'Y3' });
    const declined = { ...input, issuer: { ...base.issuer, default: floor } };
    expect(terminalActionAnalysis(declined)).toMatchObject({ request: 'AAC', responseCode: 'Z3' });
  });

  it('a card without issuer codes goes online for any bit, and is declined when that fails', () => {
    const input = { ...base, issuer: {}, tvr: floor };
    expect(terminalActionAnalysis(input).request).toBe('ARQC');
    expect(terminalActionAnalysis({ ...input, ability: 'unable-to-go-online' }).request).toBe('AAC');
  });
});
