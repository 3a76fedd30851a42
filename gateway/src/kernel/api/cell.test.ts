import { expect, it } from 'vitest';
import { harmlessCell, textOfCell } from './cell.js';

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '\uff1d1', "'=1", "''+1", '='];
const TEXTS = ['', '12.34', 'Jane Doe', "O'Hara", "'Ndrina", "'", 'a=1', 'Smith-Jones', '\u00c4'];

it.each(FORMULAS)('marks %j', (text) => {
  expect(harmlessCell(text)).toBe(`'${text}`);
});

it.each(TEXTS)('leaves %j', (text) => {
  expect(harmlessCell(text)).toBe(text);
});

it.each([...FORMULAS, ...TEXTS])('is read back as %j', (text) => {
  expect(textOfCell(harmlessCell(text))).toBe(text);
});

it.each(FORMULAS.filter((text) => !text.startsWith("'")))('reads %j of another program as it is', (text) => {
  expect(textOfCell(text)).toBe(text);
});
