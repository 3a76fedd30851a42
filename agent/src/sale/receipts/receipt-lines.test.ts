import { expect, it } from 'vitest';
import type { ReceiptLine } from './compose-receipt.js';
import { receiptLines } from './receipt-lines.js';

const lines = (...groups: readonly (readonly ReceiptLine[])[]) =>
  receiptLines({ language: 'en', groups }, 32).map(({ text, bold }) => (bold ? `*${text}` : text));
const pair = (name: string, value: string): ReceiptLine => ({ key: 'reference', kind: 'pair', name, value });
const paragraph = (text: string): ReceiptLine => ({ key: 'notice', kind: 'paragraph', text });

it('parts groups by a blank line, and prints headings and verdicts bold', () => {
  expect(
    lines(
      [{ key: 'type', kind: 'heading', text: 'SALE' }],
      [pair('A', 'b')],
      [{ key: 'approved', kind: 'verdict', text: 'APPROVED' }],
    ),
  ).toEqual([`*${' '.repeat(14)}SALE`, '', `A${' '.repeat(30)}b`, '', `*${' '.repeat(12)}APPROVED`]);
});

it('sets a value apart from its name, or on lines of its own', () => {
  const value = (length: number) => 'v'.repeat(length);
  expect(lines([pair('Name', value(27))])).toEqual([`Name ${value(27)}`]);
  expect(lines([pair('Name', value(28))])).toEqual(['Name', `  ${value(28)}`]);
  expect(lines([pair('Name', value(60))])).toEqual(['Name', `  ${value(30)}`, `  ${value(30)}`]);
});

it('breaks a text between words, and a word that is too long', () => {
  expect(lines([paragraph('x'.repeat(32))])).toEqual(['', 'x'.repeat(32)]);
  expect(lines([paragraph(`${'x'.repeat(33)} y`)])).toEqual(['', 'x'.repeat(32), 'x y']);
  expect(lines([paragraph(`${'x'.repeat(30)} y z`)])).toEqual(['', `${'x'.repeat(30)} y`, 'z']);
});

it('leaves room for a signature', () => {
  expect(lines([{ key: 'signature', kind: 'signature', name: 'Signature' }])).toEqual([
    '',
    'Signature',
    '',
    '_'.repeat(32),
  ]);
});

it('prints no command to the printer', () => {
  expect(lines([pair('A\u001b', 'b\n')])).toEqual([`A?${' '.repeat(28)}b?`]);
});
