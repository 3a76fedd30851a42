import { expect, it } from 'vitest';
import { LINK_TEXT_KEYS, LINK_TEXT_ROWS } from './link-texts.js';

it.each(Object.entries(LINK_TEXT_ROWS))('the texts of a link in %s are complete', (_, row) => {
  const texts = row.split('|');
  expect(texts).toHaveLength(LINK_TEXT_KEYS.length);
  expect(texts.every((text) => text.trim() === text && text !== '')).toBe(true);
});
