import { expect, it } from 'vitest';
import { PLAIN, styleFor } from './style.js';
import { textTable } from './text-table.js';

const ROWS = [
  ['1001', 'ready', '1.00'],
  ['22', 'disconnected', '10.00'],
];
const HEADS = ['TERMINAL', 'STATE', 'AMOUNT'];

/** What is seen: escape sequences have no width. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const seen = (text: string) => text.replace(/\u001b\[\d+m/g, '');

it('tables have aligned columns, numbers at the right', () => {
  expect(textTable(HEADS, ROWS, { numbers: ['AMOUNT'] })).toBe(
    'TERMINAL  STATE         AMOUNT\n1001      ready           1.00\n22        disconnected   10.00',
  );
});

it('a terminal gets bold heads, a rule and colours, in the same columns', () => {
  const style = styleFor({}, true);
  const table = textTable(HEADS, ROWS, { numbers: ['AMOUNT'], style });
  const [head, rule, ...rows] = seen(table).split('\n');
  expect([head, ...rows].join('\n')).toBe(textTable(HEADS, ROWS, { numbers: ['AMOUNT'] }));
  expect(rule).toMatch(/^─+$/);
  expect(rule).toHaveLength(head?.length ?? 0);
  expect(table).toContain('\u001b[32mready\u001b[0m');
  expect(table).toContain('\u001b[31mdisconnected\u001b[0m');
});

it('no other output gets a colour', () => {
  expect(styleFor({}, false)).toBe(PLAIN);
  expect(styleFor({}, undefined)).toBe(PLAIN);
  expect(styleFor({ NO_COLOR: '1' }, true)).toBe(PLAIN);
  expect(styleFor({ TERM: 'dumb' }, true)).toBe(PLAIN);
  expect(styleFor({ NO_COLOR: '' }, true)).not.toBe(PLAIN);
});
