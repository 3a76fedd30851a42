import { describe, expect, it } from 'vitest';
import { answerOf, exchange } from './exchange-record.test.support.js';
import { bookedBy, dayNumber, isNearDay, reversedBy } from './host-movements.js';

const DAY_MS = 24 * 3_600_000;
const euros = (minor: number) => ({ minor, currency: 'EUR' });

describe('a settlement day', () => {
  const dayMs = Date.UTC(2026, 10, 23);
  it('is near for ten days before and after', () => {
    expect(isNearDay('20261123', dayMs)).toBe(true);
    expect(isNearDay('20261123', dayMs + 10 * DAY_MS)).toBe(true);
    expect(isNearDay('20261123', dayMs - 10 * DAY_MS)).toBe(true);
    expect(isNearDay('20261123', dayMs + 10 * DAY_MS + 1)).toBe(false);
    expect(isNearDay('20261123', dayMs - 10 * DAY_MS - 1)).toBe(false);
    expect(isNearDay('', dayMs)).toBe(false);
  });
  it('is a number', () => expect(dayNumber('20261123')).toBe(20_261_123));
});

describe('what an answer books', () => {
  const approval = answerOf('00', { settlementDate: '20261123' });

  it('is the amount of the request, or the one that it states', () => {
    expect(bookedBy(exchange(), approval)).toEqual({ booked: { day: 20_261_123, minor: 100 } });
    expect(bookedBy(exchange(), { ...approval, amount: euros(40) })).toEqual({
      booked: { day: 20_261_123, minor: 40 },
    });
  });

  it.each([
    ['it is booked', exchange({ booked: { day: 1, minor: 1 } }), approval],
    ['the answer has no settlement day', exchange(), answerOf('00')],
    ['it declines', exchange(), { ...approval, responseCode: '51' }],
    ['the request holds money alone', exchange({ request: { kind: 'authorization' } }), approval],
    ['nothing was sent or stated', { ...exchange(), request: undefined } as never, approval],
    ['nothing was sent', { ...exchange(), request: undefined } as never, { ...approval, amount: euros(1) }],
  ])('is nothing where %s', (_what, record, answer) => {
    expect(bookedBy(record, answer)).toEqual({});
  });

  it('is nothing without an amount', () => {
    const { amount: _, ...request } = exchange().request ?? {};
    expect(bookedBy({ ...exchange(), request } as never, approval)).toEqual({});
  });
});

describe('what an answer to a reversal gives back', () => {
  const answer = answerOf('00', { settlementDate: '20261124', captureDate: '20261123', amount: euros(60) });

  it('is its amount, which also shows what was booked', () => {
    expect(reversedBy(exchange(), answer)).toEqual({
      booked: { day: 20_261_123, minor: 60 },
      reversed: { day: 20_261_124, minor: 60 },
    });
    const { captureDate: _, ...onOneDay } = answer;
    expect(reversedBy(exchange(), onOneDay)).toMatchObject({ booked: { day: 20_261_124 } });
  });

  it('leaves what was booked by the answer to the request', () => {
    const booked = { day: 20_261_122, minor: 100 };
    expect(reversedBy(exchange({ booked }), answer)).toEqual({
      booked,
      reversed: { day: 20_261_124, minor: 60 },
    });
  });

  it('is what was booked where a second one gives nothing back, after a late approval', () => {
    const booked = { day: 20_261_122, minor: 100 };
    const nothing = { ...answer, amount: euros(0) };
    const { amount: _, ...unstated } = answer;
    for (const second of [nothing, unstated])
      expect(reversedBy(exchange({ booked, lateApprovals: 1 }), second)).toEqual({
        booked,
        reversed: { day: 20_261_124, minor: 100 },
      });
    expect(reversedBy(exchange({ booked }), nothing)).toEqual({});
    expect(reversedBy(exchange({ lateApprovals: 1 }), nothing)).toEqual({});
    expect(reversedBy(exchange({ booked, lateApprovals: 1 }), answer)).toMatchObject({
      reversed: { minor: 60 },
    });
  });

  it.each([
    ['it was reversed', exchange({ reversed: { day: 1, minor: 1 } }), answer],
    ['it is not acknowledged', exchange(), { ...answer, responseCode: '12' }],
    ['the answer has no settlement day', exchange(), { ...answer, settlementDate: undefined } as never],
    ['the request held money alone', exchange({ request: { kind: 'authorization' } }), answer],
  ])('is nothing where %s', (_what, record, reply) => {
    expect(reversedBy(record, reply)).toEqual({});
  });
});
