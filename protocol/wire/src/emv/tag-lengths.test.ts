import { describe, expect, it } from 'vitest';
import { lengthFault } from './tag-lengths.js';
import { EMV_TAGS } from './tags.js';

describe('lengthFault', () => {
  it.each([
    ['95', 5],
    ['9F26', 8],
    ['4F', 5],
    ['4F', 16],
    ['9F10', 32],
    ['DF01', 99],
  ])('has nothing against tag %s with %i bytes', (tag, length) => {
    expect(lengthFault(tag, length)).toBeUndefined();
  });

  it.each([
    ['95', 1, '1 byte, but tag 95 has 5; too short: a part is missing'],
    ['95', 6, '6 bytes, but tag 95 has 5; too long: it may be more than this value'],
    ['4F', 4, '4 bytes, but tag 4F has 5 to 16; too short: a part is missing'],
    ['9F10', 33, '33 bytes, but tag 9F10 has 0 to 32; too long: it may be more than this value'],
  ])('names length and rule of tag %s with %i bytes', (tag, length, fault) => {
    expect(lengthFault(tag, length)).toBe(fault);
  });

  it('knows tags of the dictionary alone', () => {
    const faulty = EMV_TAGS.filter(({ tag }) => lengthFault(tag, 10_000) !== undefined);
    // As many as there are rules: a slip in a tag leaves one out.
    expect(faulty).toHaveLength(86);
  });
});
