import { expect, it } from 'vitest';
import { valueText } from './value-text.js';

const AGENTS = [
  { id: 'store-1', terminals: ['1', '2'], state: 'active', revokedAt: null },
  { id: 'store-22', terminals: [], state: 'revoked', revokedAt: '2026-11-20' },
];

it('a list is a table, with a column for each member that any row has', () => {
  expect(valueText(AGENTS)).toBe(
    [
      'id        terminals  state    revokedAt',
      'store-1   1, 2       active',
      'store-22             revoked  2026-11-20',
    ].join('\n'),
  );
  expect(valueText([])).toBe('(none)');
});

it('a table that is wider than the terminal becomes a block for each row', () => {
  expect(valueText(AGENTS, { width: 30 })).toBe(
    [
      ...['id         store-1', 'terminals  1, 2', 'state      active', ''],
      ...['id         store-22', 'state      revoked', 'revokedAt  2026-11-20'],
    ].join('\n'),
  );
});

it('an object is a line for each member, and its lists are tables after it', () => {
  expect(valueText({ id: 'a', steps: [{ at: 1, step: 'x' }], detail: { b: 1 }, note: undefined })).toBe(
    ['id      a', 'detail  {"b":1}', '', 'steps', 'at  step', '1   x'].join('\n'),
  );
});
