import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MoneyRequestKind } from '../../acquirer.js';
import type { ExchangeRecord } from './exchange-record.js';
import { answerOf, exchange } from './exchange-record.test.support.js';
import { refundParts, remainingMinor, wholeMinor } from './followed.js';

const euros = (minor: number) => ({ minor, currency: 'EUR' });

/** An exchange that the host approved: its trace number is that of its reference. */
function approved(
  operation: MoneyRequestKind,
  minor: number,
  { reference = operation, of, captureNow }: { reference?: string; of?: string; captureNow?: boolean } = {},
): ExchangeRecord {
  const original = of === undefined ? undefined : { stan: of, at: '20261123072200' };
  return exchange({
    reference,
    state: 'answered',
    purpose: { operation, ...(captureNow !== undefined && { captureNow }) },
    request: {
      stan: reference,
      amount: euros(minor),
      ...(original && { original: { type: { kind: 'financial', isAdvice: true }, ...original } }),
    },
    answer: answerOf('00'),
  });
}

describe('a refund of captures', () => {
  const captures = [
    approved('capture', 30, { reference: 'c1' }),
    approved('capture', 50, { reference: 'c2' }),
    approved('capture', 40, { reference: 'c3' }),
  ];

  it('is of the first one that has so much left', () => {
    expect(refundParts(30, captures)).toEqual([{ capture: 'c1', minor: 30 }]);
    expect(refundParts(31, captures)).toEqual([{ capture: 'c2', minor: 31 }]);
    expect(refundParts(50, captures)).toEqual([{ capture: 'c2', minor: 50 }]);
  });

  it('is of several, in their order, where none has so much left', () => {
    expect(refundParts(51, captures)).toEqual([
      { capture: 'c1', minor: 30 },
      { capture: 'c2', minor: 21 },
    ]);
    expect(refundParts(80, captures)).toEqual([
      { capture: 'c1', minor: 30 },
      { capture: 'c2', minor: 50 },
    ]);
    expect(refundParts(120, captures)).toHaveLength(3);
    expect(refundParts(121, captures)).toBeUndefined();
  });

  it('leaves what earlier refunds gave of each capture', () => {
    const refunds = [
      approved('refund', 30, { reference: 'f1', of: 'c1' }),
      approved('refund', 45, { reference: 'f2', of: 'c2' }),
      approved('refund', 5, { reference: 'f3', of: 'another' }),
      approved('increment', 5, { reference: 'i1', of: 'c3' }),
    ];
    expect(refundParts(6, [...captures, ...refunds])).toEqual([{ capture: 'c3', minor: 6 }]);
    expect(refundParts(45, [...captures, ...refunds])).toEqual([
      { capture: 'c2', minor: 5 },
      { capture: 'c3', minor: 40 },
    ]);
  });

  it('is of captures alone, by number and time', () => {
    expect(refundParts(1, [approved('authorization', 100)])).toBeUndefined();
    const atAnotherTime = approved('refund', 30, { reference: 'f1', of: 'c1' });
    const original = {
      type: { kind: 'financial', isAdvice: true },
      stan: 'c1',
      at: '20261124072200',
    } as const;
    const request = { ...exchange().request, amount: euros(30), original } as ExchangeRecord['request'];
    expect(refundParts(30, [...captures, { ...atAnotherTime, ...(request && { request }) }])).toEqual([
      { capture: 'c1', minor: 30 },
    ]);
  });

  it('gives back the amount, and of no capture more than it has left', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 60 })), {
          maxLength: 6,
        }),
        fc.integer({ min: 1, max: 200 }),
        (taken, minor) => {
          const followers = taken.flatMap(([captured, refunded], at) => [
            approved('capture', captured, { reference: `c${at}` }),
            ...(refunded === 0 ? [] : [approved('refund', refunded, { reference: `f${at}`, of: `c${at}` })]),
          ]);
          const left = taken.map(([captured, refunded]) => Math.max(0, captured - refunded));
          const parts = refundParts(minor, followers);
          const all = left.reduce((sum, each) => sum + each, 0);
          expect(parts === undefined).toBe(all < minor);
          if (!parts) return;
          expect(parts.reduce((sum, part) => sum + part.minor, 0)).toBe(minor);
          expect(new Set(parts.map(({ capture }) => capture)).size).toBe(parts.length);
          for (const part of parts) {
            expect(part.minor).toBeGreaterThan(0);
            expect(part.minor).toBeLessThanOrEqual(left[Number(part.capture.slice(1))] ?? 0);
          }
        },
      ),
      propertyRuns(200),
    );
  });
});

it('counts nothing of exchanges that were never sent, or have no purpose', () => {
  const { request: _, ...tombstone } = approved('refund', 30);
  const unknown = exchange({ state: 'answered', answer: answerOf('00') });
  const captures = [approved('capture', 30, { reference: 'c1' })];
  expect(refundParts(30, [...captures, tombstone, unknown])).toEqual([{ capture: 'c1', minor: 30 }]);
  expect(remainingMinor(unknown, [])).toBe(0);
  expect(wholeMinor(unknown, [approved('increment', 5)])).toBe(100);
  const { request: _request, ...never } = approved('capture', 30);
  expect(remainingMinor(never, captures)).toBe(0);
  expect(remainingMinor(never, [{ ...tombstone, state: 'reversed' }])).toBe(0);
  expect(remainingMinor(never, [approved('refund', 30, { reference: 'f1', of: 'c1' })])).toBe(0);
});

describe('what was approved in all', () => {
  const increments = [approved('increment', 20), approved('increment', 5), approved('capture', 90)];
  it.each(['authorization', 'advice'] as const)('of an %s has its increments', (operation) => {
    expect(wholeMinor(approved(operation, 100), increments)).toBe(125);
  });
  it('of a capture is its own amount', () => {
    expect(wholeMinor(approved('capture', 100), increments)).toBe(100);
  });
});

describe('what stays of a reversed amount', () => {
  it('is what was captured of an authorization, up to the whole', () => {
    const record = approved('authorization', 100);
    expect(remainingMinor(record, [])).toBe(0);
    expect(remainingMinor(record, [approved('capture', 30), approved('capture', 40)])).toBe(70);
    expect(remainingMinor(record, [approved('capture', 130)])).toBe(100);
    expect(remainingMinor(record, [approved('capture', 130), approved('increment', 20)])).toBe(120);
    expect(remainingMinor(record, [approved('refund', 30)])).toBe(0);
  });

  it('is what was refunded of a sale', () => {
    const record = approved('authorization', 100, { captureNow: true });
    expect(remainingMinor(record, [approved('refund', 30)])).toBe(30);
    expect(remainingMinor(record, [])).toBe(0);
  });

  it('is what was refunded of a capture', () => {
    const record = approved('capture', 100, { reference: 'c1' });
    const followers = [
      approved('refund', 30, { reference: 'f1', of: 'c1' }),
      approved('refund', 10, { reference: 'f2', of: 'c2' }),
    ];
    expect(remainingMinor(record, followers)).toBe(30);
  });

  it('is nothing of a credit', () => {
    expect(remainingMinor(approved('credit', 100), [approved('capture', 30)])).toBe(0);
  });
});
