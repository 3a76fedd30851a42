import { describe, expect, it } from 'vitest';
import { answerOf, exchange } from './exchange-record.test.support.js';
import { isFurtherPart, mayAskAgain, mayHaveParts, partReference, wholeReference } from './parts.js';

it('gives each part a reference, the first one that of the whole', () => {
  expect([0, 1, 12].map((part) => partReference('r', part))).toEqual(['r', 'r.1', 'r.12']);
  expect(['r', 'r.1', 'r.12.3'].map(wholeReference)).toEqual(['r', 'r', 'r']);
  expect(['r', 'r.1'].map((reference) => isFurtherPart({ reference }))).toEqual([false, true]);
});

describe('further parts', () => {
  it.each([
    [{ operation: 'refund', split: [] }, 'r', true],
    [{ operation: 'authorization', deferred: true }, 'r', true],
    [{ operation: 'authorization', deferred: false }, 'r', false],
    [{ operation: 'authorization' }, 'r', false],
    [{ operation: 'authorization', deferred: true }, 'r.1', false],
    [{ operation: 'refund', split: [] }, 'r.1', false],
    [undefined, 'r', false],
  ] as const)('of %o with the reference %s may be: %s', (purpose, reference, may) => {
    expect(mayHaveParts({ ...(purpose && { purpose }), reference })).toBe(may);
  });
});

describe('a deferred authorization', () => {
  const PROGRESS = { stan: '000009', at: '20261123072300', attempts: 1, nextAtMs: 0 };
  const reversed = exchange({
    state: 'reversed',
    purpose: { operation: 'authorization', deferred: true },
    reversal: PROGRESS,
  });

  it('may be sent again when its reversal without an answer is acknowledged', () => {
    expect(mayAskAgain(reversed)).toBe(true);
  });

  it.each([
    ['the reversal is on its way', { state: 'reversing' }],
    ['the host has answered', { answer: answerOf('51') }],
    ['the gateway requested the reversal', { reversal: { ...PROGRESS, reference: 'v' } }],
    ['it is no deferred one', { purpose: { operation: 'authorization' } }],
    ['it was never reversed', { reversal: undefined }],
    ['nothing was sent', { request: undefined }],
    ['it has no purpose', { purpose: undefined }],
  ])('may not where %s', (_what, more) => {
    expect(mayAskAgain({ ...reversed, ...more } as never)).toBe(false);
  });
});
