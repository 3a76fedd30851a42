import { describe, expect, it } from 'vitest';
import { filler, refusalOf } from '../random.test.support.js';
import type { PinBlockFormat } from './pin-block.js';
import {
  decipherPin,
  encipherPin,
  isHostTranslationAllowed,
  isTranslationAllowed,
  type PinBlockProtection,
  translatePin,
} from './pin-translation.js';

const FORMATS: readonly PinBlockFormat[] = [0, 1, 2, 3, 4];
const PAN = '4111111111111111';
const OTHER_PAN = '4999999999999999';

/** PCI PIN Security v3.1, requirement 3-3: a row per source format, a column per target: `+` allowed, `n` not, `c` only to a chip. */
const CELLS: Readonly<Record<PinBlockFormat, string>> = {
  0: '+nc++',
  1: '++c++',
  2: 'nncnn',
  3: '+nc++',
  4: '+nc++',
};
const PAIRS = FORMATS.flatMap((from) => FORMATS.map((to) => [from, to, CELLS[from][to] ?? ''] as const));

function under(format: PinBlockFormat, seed: number): PinBlockProtection {
  return format === 4
    ? { format, cipher: 'aes', key: Buffer.alloc(16, seed) }
    : { format, cipher: 'tdes', key: Buffer.alloc(16, seed) };
}

describe('translation of PIN blocks', () => {
  it.each(PAIRS)('from format %i to format %i: %s', (from, to, cell) => {
    const [source, target] = [under(from, 0x31), under(to, 0x52)];
    const block = encipherPin(source, '12345', PAN, filler);
    const translate = () => translatePin(source, block, PAN, target, filler);
    expect(isTranslationAllowed(from, to)).toBe(cell !== 'n');
    expect(isHostTranslationAllowed(from, to)).toBe(cell === '+');
    if (cell === 'n') expect(refusalOf(translate)).toBe('notAllowed');
    else expect(decipherPin(target, translate(), PAN).toString()).toBe('12345');
  });

  it.each([0, 3, 4] as const)('binds format %i to its PAN: another one is refused', (format) => {
    const source = under(format, 0x31);
    const block = encipherPin(source, '12345', PAN, filler);
    for (const to of [0, 3, 4] as const) {
      const rule = refusalOf(() => translatePin(source, block, OTHER_PAN, under(to, 0x52), filler));
      expect(['badControl', 'badLength', 'badDigits', 'badPadding']).toContain(rule);
    }
  });
});
