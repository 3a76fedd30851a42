import { beforeEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../sale/wire.test.support.js';
import type { Apdu } from '../messages/apdu.js';
import { decodeText } from '../messages/character-set.js';
import {
  authorization,
  CONFIG,
  hexOf,
  type Outcome,
  ofReservation,
  reservation,
  reversal,
  type TestTill,
  withPassword,
  ZvtHarness,
} from './zvt-harness.test.support.js';

// Reservations of tills (06 22), and how they end: booked (06 24, 06 23) or reversed (06 25).

const [PARTIAL_REVERSAL, BOOK_TOTAL, REVERSAL] = [0x0623, 0x0624, 0x0625] as const;
const OK = { control: 0x060f };
const ANY = { control: PARTIAL_REVERSAL, data: Buffer.from('87ffff', 'hex') };

let agent: ZvtHarness;
let till: TestTill;
beforeEach(async () => {
  agent = await new ZvtHarness().boot();
  till = await agent.till();
});

const refusalOf = async (apdu: Apdu) => (await till.outcome(apdu)).control.toString(16);
const amountOf = ({ fields }: Outcome) => Number(hexOf(fields, 0x04));
const held = () =>
  [...agent.sale.ledger.entries.values()].map(({ minor, captured, reversed }) => ({
    minor,
    captured,
    reversed,
  }));

async function reserve(minor: number): Promise<number> {
  const { control, receipt = 0 } = await till.outcome(reservation(minor));
  expect(control).toBe(OK.control);
  return receipt;
}

/** A till that loses the answer to a request. */
async function lose(apdu: Apdu): Promise<void> {
  const deaf = await agent.till();
  deaf.answers = () => undefined;
  deaf.send(apdu);
  await agent.sale.clock.advance(60_000);
  expect(deaf.isHungUp).toBe(true);
}

describe('a reservation', () => {
  it('holds its amount and takes nothing', async () => {
    const outcome = await till.outcome(reservation(5_000));
    expect(outcome).toMatchObject({ ...OK, receipt: 1 });
    expect(amountOf(outcome)).toBe(5_000);
    expect(held()).toEqual([{ minor: 5_000, captured: 0, reversed: false }]);
  });

  it.each([
    ['an amount of it', ofReservation(BOOK_TOTAL, 1, 4_200), 4_200],
    ['all of it', ofReservation(BOOK_TOTAL, 1), 5_000],
    ['what is left when a part goes back', ofReservation(PARTIAL_REVERSAL, 1, 800), 4_200],
    ['all of it when nothing goes back', ofReservation(PARTIAL_REVERSAL, 1, 0), 5_000],
  ])('is booked: %s', async (_name, apdu, booked) => {
    await reserve(5_000);
    const outcome = await till.outcome(apdu);
    expect(outcome).toMatchObject({ ...OK, receipt: 2 });
    expect(amountOf(outcome)).toBe(booked);
    expect(held()).toEqual([{ minor: 5_000, captured: booked, reversed: false }]);
    // Once.
    for (const again of [apdu, ofReservation(BOOK_TOTAL, 1, 100), ofReservation(PARTIAL_REVERSAL, 1, 100)])
      expect(await refusalOf(again)).toBe('84b8');
    for (const back of [ofReservation(REVERSAL, 1), reversal(1), reversal(2)])
      expect(await refusalOf(back)).toBe('84b5');
    expect(held()).toEqual([{ minor: 5_000, captured: booked, reversed: false }]);
  });

  it.each([
    ['its reversal', ofReservation(REVERSAL, 1)],
    ['a reversal by its receipt number', reversal(1)],
    ['a partial reversal of all of it', ofReservation(PARTIAL_REVERSAL, 1, 5_000)],
  ])('is released by %s', async (_name, apdu) => {
    await reserve(5_000);
    expect(await till.outcome(apdu)).toMatchObject({ ...OK, receipt: 2 });
    expect(held()).toEqual([{ minor: 5_000, captured: 0, reversed: true }]);
    expect(await refusalOf(ofReservation(REVERSAL, 1))).toBe('84b4');
    expect(await refusalOf(ofReservation(BOOK_TOTAL, 1, 100))).toBe('84b4');
    expect(held()).toEqual([{ minor: 5_000, captured: 0, reversed: true }]);
  });

  it('is booked whole by a partial reversal without an amount (PA00P015 13.08 §2.10)', async () => {
    await reserve(5_000);
    expect(
      await till.outcome({ control: PARTIAL_REVERSAL, data: Buffer.from('870001', 'hex') }),
    ).toMatchObject(OK);
    expect(held()).toMatchObject([{ captured: 5_000, reversed: false }]);
  });

  it.each([
    ['more than it holds', ofReservation(BOOK_TOTAL, 1, 5_001), '84b7'],
    ['more back than it holds', ofReservation(PARTIAL_REVERSAL, 1, 5_001), '84b7'],
    ['nothing', ofReservation(BOOK_TOTAL, 1, 0), '84c8'],
    ['a receipt that is not there', ofReservation(BOOK_TOTAL, 77, 100), '84b8'],
    ['a receipt of a sale', ofReservation(BOOK_TOTAL, 2, 100), '84b8'],
    ['a reversal of a sale as a reservation', ofReservation(REVERSAL, 2), '84b8'],
    ['no receipt', { control: BOOK_TOTAL, data: Buffer.from('04000000000100', 'hex') }, '849a'],
    ['another currency', { control: BOOK_TOTAL, data: Buffer.from('870001490756', 'hex') }, '846f'],
    ['card data', { control: REVERSAL, data: Buffer.from('87000122f0f24711', 'hex') }, '84a5'],
  ])('is not booked by %s', async (_name, apdu, code) => {
    await reserve(5_000);
    await till.outcome(authorization(100));
    expect(await refusalOf(apdu)).toBe(code);
    expect(held().map(({ captured, reversed }) => captured > 0 || reversed)).toEqual([false, false]);
  });

  it('belongs to the till that made it', async () => {
    await reserve(5_000);
    till = await agent.till(CONFIG.silent, { till: 'till-2' });
    for (const apdu of [ofReservation(BOOK_TOTAL, 1), ofReservation(REVERSAL, 1)])
      expect(await refusalOf(apdu)).toBe('84b8');
    expect(await till.outcome(ANY)).toMatchObject({ control: 0x061e, code: 0xb8 });
    expect(Buffer.from(till.received.at(-1)?.data ?? []).toString('hex')).toBe('b887ffff');
  });

  it('needs the rights of its requests', async () => {
    await reserve(5_000);
    till = await agent.till(CONFIG.silent, { rights: ['sell'] });
    expect(await refusalOf(ofReservation(REVERSAL, 1))).toBe('8483');
    expect(await refusalOf(ofReservation(PARTIAL_REVERSAL, 1, 5_000))).toBe('8483');
    expect(await till.outcome(ofReservation(BOOK_TOTAL, 1))).toMatchObject(OK);
    till = await agent.till(CONFIG.silent, { rights: ['refund', 'report'] });
    for (const apdu of [reservation(100), ofReservation(BOOK_TOTAL, 1), ANY])
      expect(await refusalOf(apdu)).toBe('8483');
  });

  it('is found while it is open, the oldest first', async () => {
    const [first, second] = [await reserve(5_000), await reserve(6_000)];
    const open = async () => {
      expect(await till.outcome(ANY)).toMatchObject({ control: 0x061e, code: 0xb8 });
      return Buffer.from(till.received.at(-1)?.data ?? []).toString('hex');
    };
    expect(await open()).toBe('b8870001');
    await till.outcome(ofReservation(BOOK_TOTAL, first));
    await agent.crash();
    till = await agent.till();
    expect(await open()).toBe('b8870002');
    await till.outcome(ofReservation(REVERSAL, second));
    expect(await open()).toBe('b887ffff');
  });

  it('prints a sale of what is booked', async () => {
    till = await agent.till(CONFIG.prints);
    await reserve(5_000);
    const messages = await till.request(ofReservation(BOOK_TOTAL, 1, 4_200));
    const text = messages.map(({ data }) => decodeText(data.subarray(1))).join('\n');
    expect(text).toContain('EUR 42.00');
    expect(text).not.toContain('50.00');
  });

  it('is reversed where the till cannot go on', async () => {
    till.answers = ({ control, data }) => ({
      control: control === 0x040f && data[1] === 0 ? 0x8466 : 0x8000,
      data: Buffer.alloc(0),
    });
    expect(await till.outcome(reservation(100))).toMatchObject({ control: 0x061e, code: 0x6c });
    expect(held()).toEqual([{ minor: 100, captured: 0, reversed: true }]);
  });
});

describe('a request about a reservation whose answer was lost', () => {
  it.each([
    ['the reservation', reservation(5_000), { captured: 0, reversed: false }],
    ['the booking', ofReservation(BOOK_TOTAL, 1, 4_200), { captured: 4_200, reversed: false }],
    ['the partial reversal', ofReservation(PARTIAL_REVERSAL, 1, 800), { captured: 4_200, reversed: false }],
    ['the reversal', ofReservation(REVERSAL, 1), { captured: 0, reversed: true }],
  ])('has the same answer once more, also after a restart: %s', async (_name, apdu, end) => {
    if (apdu.control !== 0x0622) await reserve(5_000);
    await lose(apdu);
    const receipt = apdu.control === 0x0622 ? 1 : 2;
    await agent.crash();
    till = await agent.till();
    expect(await till.outcome(apdu)).toMatchObject({ ...OK, receipt });
    expect(held()).toEqual([{ minor: 5_000, ...end }]);
  });

  it('is not known to be booked until the gateway has taken it, and then is, once', async () => {
    await reserve(5_000);
    agent.sale.wire.set('down');
    const booking = ofReservation(BOOK_TOTAL, 1, 4_200);
    expect(await till.outcome(booking)).toMatchObject({ control: 0x061e, code: 0x9c });
    // For longer than a request is remembered that nothing keeps open.
    await agent.sale.clock.advance(20 * 60_000);
    expect(await till.outcome(booking)).toMatchObject({ control: 0x061e, code: 0x9c, receipt: 2 });
    agent.sale.wire.set('up');
    await agent.sale.clock.advance(60_000);
    expect(await till.outcome(booking)).toMatchObject({ ...OK, receipt: 2 });
    expect(held()).toEqual([{ minor: 5_000, captured: 4_200, reversed: false }]);
  });

  it('is refused where the gateway refuses the booking, and the reservation stays open', async () => {
    await reserve(5_000);
    agent.sale.ledger.takesCaptures = false;
    expect(await till.outcome(ofReservation(BOOK_TOTAL, 1))).toMatchObject({ control: 0x061e, code: 0xb8 });
    expect(await till.outcome(withPassword(0x0620))).toMatchObject({ control: 0x061e, code: 0xb8 });
    agent.sale.ledger.takesCaptures = true;
    expect(await till.outcome(ofReservation(BOOK_TOTAL, 1))).toMatchObject(OK);
    expect(held()).toEqual([{ minor: 5_000, captured: 5_000, reversed: false }]);
  });

  it('reports nothing of a booking that never began', async () => {
    await reserve(5_000);
    agent.sale.wire.faultRates = NO_FAULTS;
    const { requests } = agent;
    const { reference = '' } = (await requests.ofReceipt('11', 1)) ?? {};
    const line = { till: 'till-1', terminalId: '11', currency: 'EUR' } as const;
    await requests.begin({ ...line, category: 'booking', minor: 4_200, original: reference });
    expect(await till.outcome(withPassword(0x0620))).toMatchObject({ control: 0x061e, code: 0x9b });
    expect(await till.outcome(ofReservation(BOOK_TOTAL, 1, 4_200))).toMatchObject({ ...OK, receipt: 2 });
  });
});
