import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../kernel/store/store.js';
import { NO_TOTALS } from '../rules/day-totals.js';
import { ComparedLink, dueRow, sales } from './compared-link.test.support.js';
import { TOTALS_LIMITS } from './link-totals.js';

const [FIRST_PAUSE_MS, SECOND_PAUSE_MS, LAST_PAUSE_MS] = TOTALS_LIMITS.repeatPausesMs;
const REFUND = { transaction: 'refund' } as const;
const HOLD = { kind: 'authorization' } as const;

describe('the settlement day that is not over', () => {
  it('is the last one with a movement until an hour after midnight', async () => {
    const link = new ComparedLink('2026-11-24T00:59:59.999Z');
    await link.booked(20261122);
    await link.booked(20261123);
    await link.round();
    expect(await link.days()).toEqual(['20261122 different']);
    expect(link.host.questions).toMatchObject([{ kind: 'reconciliation', settlementDate: '20261122' }]);
  });

  it('is requested of the host an hour after midnight, with the last day that it named', async () => {
    const link = new ComparedLink('2026-11-24T01:00:00Z');
    link.host.day = '20261126';
    await link.booked(20261123);
    await link.round();
    expect(link.host.questions[0]).toEqual({ network: 'cut-over', settlementDate: '20261123' });
    expect(link.totals.lookedBefore).toBe(20261126);
    expect(await link.days()).toEqual(['20261123 different']);
  });

  it.each([
    ['refuses', { cutOverCode: '12', day: '20261126' }],
    ['approves, and names none,', {}],
    ['gives no answer', { isSilent: true }],
  ])('is that of the calendar where the host %s', async (_, host) => {
    const link = new ComparedLink('2026-11-24T01:00:00Z');
    Object.assign(link.host, host);
    await link.booked(20261123);
    await link.round();
    expect(link.totals.lookedBefore).toBe(20261124);
    expect((await link.rows()).map(({ day }) => day)).toEqual([20261123]);
  });

  it('is not requested where no movement waits for its end', async () => {
    const link = new ComparedLink('2026-11-24T09:00:00Z');
    await link.round();
    expect(link.host.questions).toEqual([]);
    await link.booked(20261123);
    link.host.totals.set('M1 EUR', { debits: sales(1) });
    await link.round();
    expect(await link.days()).toEqual(['20261123 equal']);
    link.host.questions.length = 0;
    await link.round('2026-11-25T09:00:00Z');
    expect(link.host.questions).toEqual([]);
  });

  it('may come of an announcement, and is not closed', async () => {
    const link = new ComparedLink('2026-11-23T21:00:00Z');
    await link.booked(20261123);
    await link.booked(20261124);
    await link.totals.announced('20261124');
    expect(await link.days()).toEqual(['20261123 different']);
    expect(link.host.questions).toHaveLength(1);
  });
});

describe('a day that is over', () => {
  it('has totals by merchant and currency, with those of reversals', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    await link.booked(20261122);
    await link.booked(20261122, { request: REFUND });
    await link.booked(20261122, { request: { amount: { minor: 100, currency: 'SEK' } } });
    await link.booked(20261122, { request: { merchantId: 'M2' } });
    await link.booked(20261121, { state: 'reversed', reversed: { day: 20261122, minor: 100 } });
    await link.booked(20261123);
    const own = { debits: sales(1), credits: sales(1), debitReversals: sales(1) };
    link.host.totals.set('M1 EUR', own);
    link.host.totals.set('M1 SEK', { debits: sales(1) });
    await link.round();
    const ofDay = (await link.rows()).filter(({ day }) => day === 20261122);
    expect(ofDay.map(({ acceptorId, currency, state }) => [acceptorId, currency, state])).toEqual([
      ['M1', 'EUR', 'equal'],
      ['M1', 'SEK', 'equal'],
      ['M2', 'EUR', 'different'],
    ]);
    expect(ofDay[0]).toEqual({
      acquirer: 'EXTERNAL',
      day: 20261122,
      acceptorId: 'M1',
      currency: 'EUR',
      state: 'equal',
      ours: JSON.stringify({ ...NO_TOTALS, ...own }),
      theirs: null,
      attempts: 1,
      dueAtMs: link.clock.nowMs() + FIRST_PAUSE_MS,
      createdAtMs: link.clock.nowMs(),
      version: 2,
    });
    expect(ofDay[2]?.theirs).toBe(JSON.stringify(NO_TOTALS));
    expect(link.host.questions.find(({ net }) => net?.currency === 'SEK')).toEqual({
      kind: 'reconciliation',
      isAdvice: false,
      merchantId: 'M1',
      settlementDate: '20261122',
      totals: { ...NO_TOTALS, debits: sales(1) },
      net: { minor: 100, currency: 'SEK' },
    });
  });

  it('is closed with each one before it, and once', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    for (const day of [20261118, 20261120, 20261121, 20261123]) await link.booked(day);
    link.host.isSilent = true;
    await link.round();
    // A merchant that was on the day before is compared on each one after it.
    const closed = ['20261118 due', '20261120 due', '20261121 due'];
    expect(await link.days()).toEqual(closed);
    await link.booked(20261119);
    await link.round();
    await link.another().round();
    expect(await link.days()).toEqual(closed);
  });

  it('has the merchants of the last day that was closed, too', async () => {
    const link = new ComparedLink('2026-11-21T12:00:00Z');
    await link.booked(20261120, { request: { merchantId: 'M2' } });
    await link.booked(20261121);
    await link.round();
    await link.booked(20261122);
    await link.round('2026-11-22T12:00:00Z');
    expect((await link.rows()).map(({ day, acceptorId }) => `${day} ${acceptorId}`)).toEqual([
      '20261120 M2',
      '20261121 M1',
      '20261121 M2',
    ]);
  });

  it.each(['20261231', '20260228', '20260930'])('may be the last one of a month, as %s', async (day) => {
    const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)];
    const link = new ComparedLink(`${year}-${month}-${date}T12:00:00Z`);
    const lastMs = link.clock.nowMs();
    const numberOf = (days: number) =>
      Number(new Date(lastMs + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''));
    for (const days of [-1, 0]) await link.booked(numberOf(days));
    await link.round();
    await link.booked(numberOf(1));
    link.host.isSilent = true;
    // The day after the one that was closed last is over only now.
    await link.round(new Date(lastMs + 86_400_000).toISOString());
    expect((await link.rows()).map((row) => row.day)).toEqual([numberOf(-1), numberOf(0)]);
  });

  it('is not that of another acquirer', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    const row = dueRow('OTHER', 20261122, 0);
    await link.store.commit([{ op: 'insert', table: 'linkTotals', row }]);
    await link.round();
    expect(link.host.questions).toEqual([]);
    expect(await link.rows()).toEqual([row]);
  });
});

describe('a day on which nothing is known to have moved', () => {
  it('is closed where a request without an answer began on it, or the day before', async () => {
    const link = new ComparedLink('2026-11-20T12:00:00Z');
    await link.booked(20261119);
    await link.booked(20261120);
    await link.round();
    expect(await link.days()).toEqual(['20261119 different']);
    await link.unanswered('2026-11-21T08:00:00Z', { merchantId: 'M3' });
    await link.booked(20261124);
    await link.round('2026-11-24T12:00:00Z');
    const found = (await link.rows()).map(({ day, acceptorId }) => `${day} ${acceptorId}`);
    expect(found.filter((text) => text.endsWith('M3'))).toEqual([
      '20261120 M3',
      '20261121 M3',
      '20261122 M3',
      '20261123 M3',
    ]);
  });

  it('is closed on a new link from the day on which its first request began', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    await link.unanswered('2026-11-21T01:00:00Z');
    await link.booked(20261123);
    await link.round();
    expect((await link.rows()).map(({ day }) => day)).toEqual([20261121, 20261122]);
  });

  it('is the one before where that request began before the host had to end its day', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    await link.unanswered('2026-11-21T00:59:59.900Z');
    await link.booked(20261123);
    await link.round();
    expect((await link.rows()).map(({ day }) => day)).toEqual([20261120, 20261121, 20261122]);
  });

  it('is passed over where every request has an answer', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    await link.booked(20261119);
    await link.booked(20261123);
    await link.round();
    expect((await link.rows()).map(({ day }) => day)).toEqual([20261119]);
  });

  it('is not looked for where the day before the current one is closed, or no day has begun', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    await link.round();
    expect(link.totals.lookedBefore).toBeUndefined();
    await link.wasEqual(20261122, Date.parse('2026-11-23T01:00:00Z'));
    await link.booked(20261123);
    await link.round();
    expect(link.totals.lookedBefore).toBeUndefined();
  });

  it('is looked for once: what begins later counts on the current day', async () => {
    const link = new ComparedLink('2026-11-23T12:00:00Z');
    await link.booked(20261119);
    await link.booked(20261123);
    await link.round();
    expect(link.totals.lookedBefore).toBe(20261123);
    await link.unanswered('2026-11-23T12:00:01Z', { merchantId: 'M3' });
    await link.round('2026-11-23T12:01:00Z');
    expect((await link.rows()).map(({ day }) => day)).toEqual([20261119]);
    // Another process does not know that, and finds the request.
    await link.another().round();
    const found = (await link.rows()).map(({ day, acceptorId }) => `${day} ${acceptorId}`);
    expect(found).toEqual(['20261119 M1', '20261122 M1', '20261122 M3']);
    await link.unanswered('2026-11-23T12:00:02Z', { merchantId: 'M4' });
    const third = link.another(20261123);
    expect(third.lookedBefore).toBe(20261123);
    await third.round();
    expect((await link.rows()).map(({ acceptorId }) => acceptorId)).not.toContain('M4');
  });
});

describe('totals', () => {
  it('wait for an outcome of what began before the end of their day, for an hour', async () => {
    const link = await closed();
    await link.began('2026-11-23T11:59:59.999Z');
    await link.round();
    await link.round(afterEnd(TOTALS_LIMITS.openMs - 1));
    expect(link.host.questions).toEqual([]);
    await link.round(afterEnd(TOTALS_LIMITS.openMs));
    expect(link.host.questions).toHaveLength(1);
  });

  it('wait for nothing that began at the end of their day', async () => {
    const link = await closed();
    await link.began('2026-11-23T12:00:00Z');
    await link.round();
    expect(link.host.questions).toHaveLength(1);
  });

  it('count the hour from when the first of their merchants was found', async () => {
    const link = await closed();
    link.host.isSilent = true;
    await link.round();
    await link.unanswered('2026-11-23T11:00:00Z', { merchantId: 'M3' });
    await link.round(afterEnd(60_000));
    await link.began('2026-11-23T11:59:00Z');
    expect((await link.rows()).map(({ createdAtMs }) => createdAtMs - END_MS)).toEqual([0, 60_000]);
    link.host.questions.length = 0;
    await link.round(afterEnd(TOTALS_LIMITS.openMs - 1));
    expect(link.host.questions).toEqual([]);
    await link.round(afterEnd(TOTALS_LIMITS.openMs));
    expect(link.host.questions).toHaveLength(2);
  });

  it('that differ are sent again as an advice after a minute, ten minutes and an hour, and then no more', async () => {
    const link = await closed();
    const moments: number[] = [];
    const question = link.host.question.bind(link.host);
    link.host.question = (sent) => {
      moments.push(link.clock.nowMs());
      return question(sent);
    };
    await link.round();
    for (const pauseMs of [FIRST_PAUSE_MS, SECOND_PAUSE_MS, LAST_PAUSE_MS, LAST_PAUSE_MS, LAST_PAUSE_MS])
      for (const stepMs of [pauseMs - 1, 1]) {
        await link.clock.advance(stepMs);
        await link.totals.announced('20261123');
      }
    expect(moments.map((ms, at) => ms - (moments[at - 1] ?? END_MS))).toEqual([
      0,
      FIRST_PAUSE_MS,
      SECOND_PAUSE_MS,
      LAST_PAUSE_MS,
    ]);
    expect(link.host.questions.map(({ isAdvice }) => isAdvice)).toEqual([false, true, true, true]);
    expect(await link.rows()).toMatchObject([{ state: 'different', attempts: 4 }]);
  });

  it('that came to agree are sent no more', async () => {
    const link = await closed();
    await link.round();
    link.host.totals.set('M1 EUR', { debits: sales(1) });
    await link.round(afterEnd(FIRST_PAUSE_MS));
    expect(await link.rows()).toMatchObject([{ state: 'equal', attempts: 2 }]);
    link.host.questions.length = 0;
    await link.round(afterEnd(10 * LAST_PAUSE_MS));
    expect(link.host.questions.filter(({ kind }) => kind === 'reconciliation')).toEqual([]);
  });

  it.each(['30', ''])('that the host compares not (response code %j) are sent once', async (code) => {
    const link = await closed();
    link.host.refusal = code;
    await link.unanswered('2026-11-23T11:00:00Z');
    await link.round();
    await link.round(afterEnd(FIRST_PAUSE_MS));
    expect(link.host.questions).toHaveLength(1);
    expect(await link.rows()).toMatchObject([{ state: 'refused', theirs: null, attempts: 1 }]);
    expect(link.reversed).toEqual([]);
  });

  it('stay due where the host gives no answer, or cannot be reached', async () => {
    const link = await closed();
    link.host.isSilent = true;
    await link.round();
    link.host.isSilent = false;
    link.host.isDown = true;
    await link.round();
    expect(await link.rows()).toMatchObject([{ state: 'due', attempts: 0, ours: null }]);
    link.host.isDown = false;
    await link.round();
    expect(await link.rows()).toMatchObject([{ state: 'different', attempts: 1 }]);
  });

  it('are in the store once, although two nodes compare them', async () => {
    const link = await closed();
    await Promise.all([link.totals.round(), link.another().round()]);
    expect(link.host.questions).toHaveLength(2);
    expect(await link.rows()).toMatchObject([{ state: 'different', attempts: 1, version: 2 }]);
  });
});

describe('a comparison', () => {
  it('begins when the one before has ended', async () => {
    const link = await closed();
    const first = link.totals.round();
    const second = link.totals.announced('20261123');
    const order: string[] = [];
    await Promise.all([
      link.totals.end().then(() => order.push('end')),
      second.then(() => order.push('second')),
      first.then(() => order.push('first')),
    ]);
    expect(order).toEqual(['first', 'second', 'end']);
    expect(link.host.questions).toHaveLength(1);
  });

  it('fails with any fault but that of a line that is down, and ends; the next one begins', async () => {
    const link = await closed();
    link.host.fault = new Error('no fault of the line');
    const failed = link.totals.round();
    const isEnded = link.totals.end();
    await expect(failed).rejects.toThrow('no fault of the line');
    await isEnded;
    link.host.fault = undefined;
    await link.totals.round();
    expect(await link.days()).toEqual(['20261122 different']);
  });

  it('fails where the store is gone before its result is kept', async () => {
    const link = await closed();
    const question = link.host.question.bind(link.host);
    link.host.question = async (sent) => {
      await link.store.close();
      return question(sent);
    };
    await expect(link.totals.round()).rejects.toThrow(StoreUnavailableError);
  });
});

describe('a request without an answer that may stand after its reversal', () => {
  it('is reversed again where the host has more, as a repeat, and then anew', async () => {
    const link = await closed();
    const { reference } = await link.unanswered('2026-11-23T11:00:00Z');
    link.host.totals.set('M1 EUR', { debits: sales(2) });
    await link.round();
    expect(link.reversed).toEqual([`${reference} as-repeat`]);
    await link.round(afterEnd(FIRST_PAUSE_MS));
    expect(link.reversed.slice(1)).toEqual([`${reference} anew`]);
  });

  it('is reversed again where the host does not state how its totals differ', async () => {
    const link = await closed();
    const { reference } = await link.unanswered('2026-11-23T11:00:00Z');
    link.host.hidesTotals = true;
    await link.round();
    expect(link.reversed).toEqual([`${reference} as-repeat`]);
  });

  it.each([
    ['as many debits, of another sum', { debits: { number: 1, minor: 900 } }],
    ['fewer debits', {}],
    ['more credits', { debits: sales(1), credits: sales(1) }],
    ['the same totals', { debits: sales(1) }],
  ])('stays as it is where the host has %s', async (_, own) => {
    const link = await closed();
    await link.unanswered('2026-11-23T11:00:00Z');
    link.host.totals.set('M1 EUR', own);
    await link.round();
    expect(link.host.questions).toHaveLength(1);
    expect(link.reversed).toEqual([]);
  });

  it('counts on the side of its transaction', async () => {
    const link = await closed();
    const { reference } = await link.unanswered('2026-11-23T11:00:00Z', REFUND);
    link.host.totals.set('M1 EUR', { debits: sales(1), credits: sales(1) });
    await link.round();
    expect(link.reversed).toEqual([`${reference} as-repeat`]);
  });

  it('counts for its merchant and currency', async () => {
    const link = await closed();
    const amount = { minor: 100, currency: 'SEK' };
    await link.booked(20261122, { request: { amount } });
    await link.booked(20261122, { request: { merchantId: 'M2' } });
    const { reference } = await link.unanswered('2026-11-23T11:00:00Z', { amount });
    for (const key of ['M1 EUR', 'M1 SEK', 'M2 EUR']) link.host.totals.set(key, { debits: sales(2) });
    await link.round();
    await link.round(afterEnd(FIRST_PAUSE_MS));
    expect(link.host.questions).toHaveLength(6);
    expect(link.reversed).toEqual([`${reference} as-repeat`, `${reference} anew`]);
  });

  it('is compared where it is the first of its merchant, although it was found after the day was closed', async () => {
    const link = await closed();
    link.host.isSilent = true;
    await link.round();
    link.host.isSilent = false;
    const { reference } = await link.unanswered('2026-11-23T11:00:00Z', { merchantId: 'M3' });
    await link.booked(20261122, { request: { merchantId: 'M4' } });
    link.host.totals.set('M3 EUR', { debits: sales(1) });
    link.host.totals.set('M4 EUR', { debits: sales(1) });
    await link.round();
    expect((await link.rows()).map(({ acceptorId }) => acceptorId)).toEqual(['M1', 'M3', 'M4']);
    await link.round();
    expect(link.reversed).toEqual([`${reference} as-repeat`]);
    expect((await link.rows())[2]).toMatchObject({ acceptorId: 'M4', state: 'equal' });
  });

  it('is a hold, which stands in no totals: it is reversed again once for each day', async () => {
    const link = await closed();
    const { reference } = await link.unanswered('2026-11-23T11:00:00Z', HOLD);
    await link.round();
    expect(link.reversed).toEqual([`${reference} anew`]);
    await link.round(afterEnd(FIRST_PAUSE_MS));
    expect(link.host.questions).toHaveLength(2);
    expect(link.reversed).toHaveLength(1);
  });

  it('is none that has no reversal', async () => {
    const link = await closed();
    for (const request of [{}, HOLD])
      await link.began('2026-11-23T11:00:00Z', { state: 'reversed', request });
    link.host.totals.set('M1 EUR', { debits: sales(2) });
    await link.round();
    expect(await link.days()).toEqual(['20261122 different']);
    expect(link.reversed).toEqual([]);
  });

  it('began before the end of its day, and no more than a day before the end of the one before', async () => {
    const link = await closed();
    const dayBeforeMs = END_MS - 24 * 3_600_000;
    const { reference: first } = await link.unanswered(at(dayBeforeMs - TOTALS_LIMITS.overlapMs));
    await link.unanswered(at(dayBeforeMs - TOTALS_LIMITS.overlapMs - 1));
    const { reference: last } = await link.unanswered(at(END_MS - 1));
    await link.unanswered(at(END_MS));
    for (const [day, endedAtMs] of [
      [20261121, dayBeforeMs],
      [20261120, dayBeforeMs - 1_000],
    ] as const)
      await link.wasEqual(day, endedAtMs);
    link.host.totals.set('M1 EUR', { debits: sales(3) });
    await link.round();
    expect(link.reversed).toEqual([`${first} as-repeat`, `${last} as-repeat`]);
  });

  it('may have begun long before where its day and the one before were found to be over at once', async () => {
    const link = await closed();
    await link.wasEqual(20261121, END_MS);
    await link.wasEqual(20261120, END_MS - 48 * 3_600_000);
    const { reference } = await link.unanswered(at(END_MS - 72 * 3_600_000));
    link.host.totals.set('M1 EUR', { debits: sales(2) });
    await link.round();
    expect(link.reversed).toEqual([`${reference} as-repeat`]);
  });
});

describe('of any movements', () => {
  it('totals are those of the host, and nothing is reversed again where each answer arrived', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            day: fc.constantFrom(20261120, 20261121, 20261122),
            minor: fc.integer({ min: 1, max: 1_000_000 }),
            currency: fc.constantFrom('EUR', 'SEK'),
            merchantId: fc.constantFrom('M1', 'M2'),
            transaction: fc.constantFrom('purchase' as const, 'refund' as const),
            back: fc.option(fc.constantFrom(20261121, 20261122), { nil: undefined }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (moved) => {
          const link = new ComparedLink('2026-11-23T12:00:00Z');
          await link.booked(20261123, { request: { merchantId: 'M9' } });
          const net = new Map<string, number>();
          const count = (day: number, key: string, minor: number) =>
            net.set(`${day} ${key}`, (net.get(`${day} ${key}`) ?? 0) + minor);
          for (const { day, minor, currency, merchantId, transaction, back } of moved) {
            const reversed = back === undefined ? undefined : { day: Math.max(day, back), minor };
            const request = { merchantId, transaction, amount: { minor, currency } };
            const state = reversed ? 'reversed' : 'answered';
            await link.booked(day, {
              state,
              booked: { day, minor },
              ...(reversed && { reversed }),
              request,
            });
            const sign = transaction === 'purchase' ? 1 : -1;
            count(day, `${merchantId} ${currency}`, sign * minor);
            if (reversed) count(reversed.day, `${merchantId} ${currency}`, -sign * minor);
          }
          await link.round();
          const sent = new Map(
            link.host.questions.map(({ settlementDate, merchantId, net: sum }) => [
              `${settlementDate} ${merchantId} ${sum?.currency}`,
              sum?.minor,
            ]),
          );
          for (const [key, minor] of net) expect([key, sent.get(key)]).toEqual([key, minor]);
          // A merchant that moved nothing on a day has totals of nothing.
          for (const [key, minor] of sent) expect([key, minor]).toEqual([key, net.get(key) ?? 0]);
          expect(link.reversed).toEqual([]);
        },
      ),
      propertyRuns(40),
    ));
});

/** When the day of {@link closed} ends. */
const END_MS = Date.parse('2026-11-23T12:00:00Z');
const at = (ms: number) => new Date(ms).toISOString();
const afterEnd = (ms: number) => at(END_MS + ms);

/** A link whose next comparison closes 2026-11-22, with one sale of that day. */
async function closed(): Promise<ComparedLink> {
  const link = new ComparedLink(at(END_MS));
  await link.booked(20261122);
  await link.booked(20261123);
  return link;
}
