import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { filler, refusalOf } from '../random.test.support.js';
import { hex, isNegative, text, vectorsOf } from '../vectors.test.support.js';
import { unwrapKeyBlock, wrapKeyBlock } from './key-block.js';
import type { KeyBlockHeader } from './key-block-header.js';
import { importKeyBlock, requireKeyUse } from './key-block-policy.js';

const KBPK = fromHex('1D22BF32387C600AD97F9B97A51311AC');
const TDES_KEY = fromHex('0123456789ABCDEFFEDCBA9876543210');

const header = (more: Partial<KeyBlockHeader> = {}): KeyBlockHeader => ({
  version: 'D',
  usage: 'B0',
  algorithm: 'T',
  mode: 'X',
  keyVersion: '00',
  exportability: 'N',
  optionalBlocks: [],
  ...more,
});
const wrap = (head: KeyBlockHeader, key: Uint8Array = TDES_KEY) =>
  wrapKeyBlock(KBPK, head, key, { random: filler });

describe('key blocks, published vectors', () => {
  it.each(vectorsOf('tr31').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const run = () => {
      const options = vector.inputs.legacyVersions === 'accept' ? { legacyVersions: 'accept' as const } : {};
      const { header: head, key } = unwrapKeyBlock(hex(vector, 'kbpk'), text(vector, 'keyBlock'), options);
      return {
        version: head.version,
        usage: head.usage,
        algorithm: head.algorithm,
        mode: head.mode,
        key: toHex(key),
      };
    };
    if (isNegative(vector)) expect(refusalOf(run)).toBe(vector.expected.error);
    else expect(run()).toEqual(vector.expected);
  });
});

describe('versions A and C', () => {
  const legacy = vectorsOf('tr31').filter((v) => /^[AC]/.test(String(v.inputs.keyBlock)));

  it('are opened by the function only where that is requested, and never imported', () => {
    expect(legacy.length).toBeGreaterThan(0);
    for (const vector of legacy) {
      const block = text(vector, 'keyBlock');
      expect(refusalOf(() => unwrapKeyBlock(hex(vector, 'kbpk'), block))).toBe('notAllowed');
      expect(refusalOf(() => importKeyBlock(hex(vector, 'kbpk'), block, 'baseDerivation'))).toBe(
        'notAllowed',
      );
    }
    expect(refusalOf(() => wrap(header({ version: 'A' })))).toBe('notAllowed');
  });
});

describe('wrapKeyBlock', () => {
  it('hides the length of the key where requested', () => {
    const short = wrapKeyBlock(KBPK, header(), TDES_KEY, { random: filler, maskedKeyBytes: 32 });
    const long = wrapKeyBlock(KBPK, header({ algorithm: 'A' }), Buffer.alloc(32, 7), { random: filler });
    expect(short).toHaveLength(long.length);
    expect(toHex(unwrapKeyBlock(KBPK, short).key)).toBe(toHex(TDES_KEY));
  });

  it('fills optional blocks up to whole cipher blocks, also long ones', () => {
    const optionalBlocks = [
      { id: 'KS', data: '00604B120F9292800000' },
      { id: 'LB', data: 'X'.repeat(400) },
    ];
    const block = wrap(header({ optionalBlocks }));
    expect(block.length % 16).toBe(0);
    expect(block).toContain('PB');
    expect(unwrapKeyBlock(KBPK, block).header.optionalBlocks).toEqual(optionalBlocks);
  });

  it('names the field that is not of its form', () => {
    expect(() => wrap(header({ usage: 'b0' }))).toThrow(/badHeader.*usage/);
    expect(() => wrap(header({ optionalBlocks: [{ id: 'PB', data: '' }] }))).toThrow(/badHeader/);
    expect(refusalOf(() => wrapKeyBlock(new Uint8Array(8), header(), TDES_KEY, { random: filler }))).toBe(
      'badKbpk',
    );
    expect(refusalOf(() => wrap(header(), new Uint8Array(0)))).toBe('badKeyLength');
  });
});

describe('importKeyBlock', () => {
  it('takes a key for the use that its header allows and no other', () => {
    const block = wrap(header());
    expect(toHex(importKeyBlock(KBPK, block, 'baseDerivation').key)).toBe(toHex(TDES_KEY));
    expect(() => importKeyBlock(KBPK, block, 'pinDecipher')).toThrow(/notAllowed.*usage B0.*pinDecipher/);
    expect(() => importKeyBlock(KBPK, wrap(header({ mode: 'E' })), 'baseDerivation')).toThrow(/mode E/);
    expect(() => requireKeyUse(header({ algorithm: 'H' }), 'baseDerivation')).toThrow(/algorithm H/);
  });

  it('refuses a length that the algorithm has not, and even parity', () => {
    expect(refusalOf(() => importKeyBlock(KBPK, wrap(header(), Buffer.alloc(8, 1)), 'baseDerivation'))).toBe(
      'badKeyLength',
    );
    expect(refusalOf(() => importKeyBlock(KBPK, wrap(header(), Buffer.alloc(16)), 'baseDerivation'))).toBe(
      'badParity',
    );
  });
});

it('errors show neither key nor block', () => {
  const block = wrap(header());
  try {
    unwrapKeyBlock(Buffer.alloc(16, 9), block);
    expect.unreachable();
  } catch (error) {
    expect(String(error)).not.toContain(block.slice(16, 40));
  }
});
