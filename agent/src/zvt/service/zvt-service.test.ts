import { tlv } from '@tillbridge/wire/emv/tlv.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StartOutcome } from '../../drivers/core/driver.js';
import { OFFLINE_POLICY } from '../../sale/sale.test.support.js';
import { tlvField } from '../messages/bitmaps.js';
import { decodeText } from '../messages/character-set.js';
import { RegistrationMemory } from '../server/registration-memory.js';
import {
  ACKNOWLEDGEMENT,
  authorization,
  CONFIG,
  hexOf,
  PASSWORD,
  REGISTRATION_MS,
  REPEAT_MS,
  refund,
  registration,
  reversal,
  withPassword,
  ZvtHarness,
} from './zvt-harness.test.support.js';

const APPROVED = { control: 0x060f };
const NOT_ISSUED = { control: 0x8466, data: Buffer.alloc(0) };
const never = () => new Promise<StartOutcome>(() => undefined);
const withReference = (text: string) => tlvField([tlv('E9', [tlv('1F63', Buffer.from(text))])]);

let agent: ZvtHarness;
beforeEach(async () => {
  agent = await new ZvtHarness({ policy: { ...OFFLINE_POLICY, unlinkedRefunds: true } }).boot();
});

const accepted = () => agent.sale.disk.rows.filter(({ kind }) => kind === 'accepted').length;
const controls = (messages: readonly { readonly control: number }[]) =>
  messages.map(({ control }) => control.toString(16).padStart(4, '0'));

describe('a till', () => {
  it('sells, and receives amount, receipt number, terminal and masked card', async () => {
    const till = await agent.till();
    const messages = await till.request(authorization(1_234));
    expect(controls(messages)).toEqual(['8000', '040f', '060f']);
    const { fields, ...outcome } = await till.outcome(authorization(1_235));
    expect(outcome).toEqual({ ...APPROVED, receipt: 2 });
    expect(hexOf(fields, 0x27)).toBe('00');
    expect(hexOf(fields, 0x04)).toBe('000000001235');
    expect(hexOf(fields, 0x49)).toBe('0978');
    expect(hexOf(fields, 0x29)).toBe('00000011');
    expect(hexOf(fields, 0x22)).toMatch(/^e{12}\d{4}$/);
    expect(accepted()).toBe(2);
  });

  it('must register with the password before it sells', async () => {
    const till = await agent.till('unregistered');
    expect(controls(await till.request(authorization(100)))).toEqual(['846b']);
    expect(controls(await till.request(registration(CONFIG.silent, '123456')))).toEqual(['846b']);
    expect(agent.refusals).toEqual(['wrong-password']);
    expect(controls(await till.request(registration(CONFIG.silent)))).toEqual(['8000', '060f']);
    expect(controls(await till.request(authorization(100)))).toEqual(['8000', '040f', '060f']);
    expect(controls(await till.request({ control: 0x0602, data: Buffer.alloc(0) }, 100))).toEqual(['8000']);
    expect(controls(await till.request(authorization(100)))).toEqual(['846b']);
  });

  it('finds no password by trial', async () => {
    const till = await agent.till('unregistered');
    for (let trial = 1; trial <= 5; trial += 1)
      await till.request(registration(CONFIG.silent, `00000${trial}`));
    expect(controls(await till.request(registration(CONFIG.silent)))).toEqual(['846b']);
    await agent.sale.clock.advance(60_000);
    expect(controls(await till.request(registration(CONFIG.silent)))).toEqual(['8000', '060f']);
  });

  it.each([
    ['another currency at its registration', registration(CONFIG.silent, '000000', '0756'), '846f'],
    ['another currency for a sale', authorization(100, Buffer.from('490756', 'hex')), '846f'],
    ['an amount of zero', authorization(0), '84c8'],
    ['card data', authorization(100, Buffer.from('22f0f24711', 'hex')), '84a5'],
    ['an unknown bitmap', authorization(100, Buffer.from('ff', 'hex')), '849a'],
    ['an amount that is cut short', { control: 0x0601, data: Buffer.from('0400', 'hex') }, '849a'],
    ['a request that the agent does not have', { control: 0x0621, data: Buffer.alloc(0) }, '8483'],
    ['a reversal of a receipt that is not there', reversal(77), '84b5'],
  ])('is refused with %s', async (_name, apdu, code) => {
    const till = await agent.till();
    expect(controls(await till.request(apdu))).toEqual([code]);
    expect(accepted()).toBe(0);
  });

  it('does only what it has the right to', async () => {
    const till = await agent.till(CONFIG.silent, { rights: ['sell'] });
    expect(await till.outcome(authorization(100))).toMatchObject(APPROVED);
    for (const apdu of [refund(100), reversal(1), withPassword(0x0650)])
      expect(controls(await till.request(apdu))).toEqual(['8483']);
  });

  it('is shown how its sale goes on, where it requested that', async () => {
    const till = await agent.till(CONFIG.intermediate);
    agent.sale.driver().reads = () => never();
    const running = till.request(authorization(100), 20_000);
    await running;
    const shown = till.received.filter(({ control }) => control === 0x04ff).map(({ data }) => data[0]);
    expect(shown).toContain(0x0e);
    const silent = await agent.till();
    expect(silent.received).toEqual([]);
  });

  it('prints receipts of its sales, line by line or in blocks, only where it requested them', async () => {
    const lines = await (await agent.till(CONFIG.prints)).request(authorization(100));
    const printed = lines.filter(({ control }) => control === 0x06d1);
    expect(printed.filter(({ data }) => data[0] === 0x81)).toHaveLength(2);
    expect(printed.map(({ data }) => decodeText(data.subarray(1))).join('\n')).toContain('CUSTOMER COPY');
    const till = await agent.till('unregistered');
    till.send(registration(CONFIG.prints, '000000', '0978030006062604 0a0206d3'.replace(' ', '')));
    await agent.sale.clock.advance(0);
    const blocks = (await till.request(authorization(200))).filter(({ control }) => control === 0x06d3);
    expect(blocks).toHaveLength(2);
    expect(blocks.map(({ data }) => Buffer.from(data).toString('latin1')).join()).toContain('MERCHANT COPY');
  });

  it('aborts the sale that waits for a card', async () => {
    const till = await agent.till();
    agent.sale.driver().reads = () => never();
    const ended = till.outcome(authorization(100));
    await agent.sale.clock.advance(1_000);
    till.send({ control: 0x06b0, data: Buffer.alloc(0) });
    expect(await ended).toMatchObject({ control: 0x061e, code: 0x6c });
  });

  it('has a declined sale with the reason', async () => {
    agent.sale.driver().reads = () => ({ kind: 'cancelled', by: 'cardholder' });
    expect(await (await agent.till()).outcome(authorization(100))).toMatchObject({
      control: 0x061e,
      code: 0x6c,
    });
  });

  it('has a sale reversed whose goods it cannot issue', async () => {
    const till = await agent.till();
    till.answers = ({ control, data }) =>
      control === 0x040f && data[1] === 0 ? NOT_ISSUED : ACKNOWLEDGEMENT;
    expect(await till.outcome(authorization(100))).toMatchObject({ control: 0x061e, code: 0x6c });
    const [row] = agent.sale.disk.rows.filter(({ kind }) => kind === 'accepted');
    expect(agent.sale.ledger.standing(row?.reference ?? '')).toEqual([]);
  });

  it('reverses by receipt number, once', async () => {
    const till = await agent.till();
    const { receipt = 0 } = await till.outcome(authorization(100));
    expect(await till.outcome(reversal(receipt))).toMatchObject(APPROVED);
    expect(controls(await till.request(reversal(receipt)))).toEqual(['84b4']);
  });

  it('refunds to a card', async () => {
    expect(await (await agent.till()).outcome(refund(500))).toMatchObject(APPROVED);
  });

  it('repeats the last receipt with its result', async () => {
    const till = await agent.till(CONFIG.prints);
    expect(controls(await till.request(withPassword(0x0620)))).toEqual(['8483']);
    await till.request(authorization(100));
    const messages = await till.request(withPassword(0x0620));
    expect(controls(messages).filter((each) => each !== '06d1')).toEqual(['8000', '040f', '060f']);
    expect(messages.map(({ data }) => decodeText(data.subarray(1))).join('\n')).toContain('DUPLICATE');
  });

  it('gets no report of a refused reversal as done, by a repeated receipt either', async () => {
    const till = await agent.till();
    const { receipt = 0 } = await till.outcome(authorization(100));
    // The gateway has captured it, and reverses no more.
    for (const entry of agent.sale.ledger.entries.values()) entry.captured = entry.minor;
    expect(await till.outcome(reversal(receipt))).toMatchObject({ control: 0x061e, code: 0xb5 });
    expect(await till.outcome(withPassword(0x0620))).toMatchObject({ control: 0x061e, code: 0xb5 });
  });

  it('closes its day with totals', async () => {
    const till = await agent.till(CONFIG.prints);
    await till.request(authorization(100));
    await till.request(authorization(250));
    const { fields, control } = await till.outcome(withPassword(0x0650));
    expect(control).toBe(0x060f);
    expect(hexOf(fields, 0x04)).toBe('000000000350');
    expect(fields?.get(0x60)).toHaveLength(4 + 7 * 7);
  });

  it('requests state, diagnosis and a text on the display', async () => {
    const till = await agent.till();
    const [, status] = await till.request({ control: 0x0501, data: Buffer.alloc(0) });
    expect(Buffer.from(status?.data ?? []).toString('latin1')).toContain('tillbridge 1\0');
    expect(controls(await till.request({ control: 0x0670, data: Buffer.alloc(0) }))).toEqual([
      '8000',
      '060f',
    ]);
    expect(controls(await till.request(withPassword(0x0693)))).toEqual(['8000', '060f']);
    agent.sale.wire.set('down');
    expect(await till.outcome({ control: 0x0670, data: Buffer.alloc(0) })).toMatchObject({
      control: 0x061e,
      code: 0xa3,
    });
    const text = { control: 0x06e0, data: Buffer.from('f1f0f548454c4c4f', 'hex') };
    // PA00P015 13.08 §2.26: a Completion is not sent. The till goes on at once.
    expect(controls(await till.request(text, 1_000))).toEqual(['8000']);
    expect(agent.sale.driver().log).toContain('display HELLO');
    const without = { control: 0x06e0, data: Buffer.alloc(0) };
    expect(controls(await till.request(without, 1_000))).toEqual(['8000']);
    expect(controls(await till.request(withPassword(0x0693)))).toEqual(['8000', '060f']);
  });

  it('is sent the state of the terminal, with the version unless it wants none', async () => {
    const till = await agent.till();
    const state = async (hex: string) => {
      const [, end] = await till.request({ control: 0x0501, data: Buffer.from(hex, 'hex') });
      return Buffer.from(end?.data ?? []).toString('latin1');
    };
    expect(await state(PASSWORD)).toMatch(/^.{3}tillbridge 1\0$/);
    expect(await state(`${PASSWORD}0300`)).toContain('tillbridge 1');
    expect(await state(`${PASSWORD}0302`)).toBe('\0');
    agent.sale.driver().show('disconnected');
    expect(await state(`${PASSWORD}0302`)).toBe('\xdf');
  });

  it.each([
    ['', ['8000', '040f', '06d1', '060f']],
    ['0301', ['8000', '040f', '06d1', '060f']],
    ['0300', ['8000', '06d1', '060f']],
    ['0303', ['8000', '040f', '060f']],
    ['0302', ['8000', '060f']],
  ])('repeats of a receipt what the service byte wants: %s', async (more, expected) => {
    const till = await agent.till(CONFIG.prints);
    await till.request(authorization(100));
    const messages = await till.request({
      control: 0x0620,
      data: Buffer.from(`${PASSWORD}${more}`, 'hex'),
    });
    expect([...new Set(controls(messages))]).toEqual(expected);
  });
});

describe('a till that issues goods before it answers the result', () => {
  const ONCE_MORE = { control: 0x849c, data: Buffer.alloc(0) };
  const standing = () => {
    const [row] = agent.sale.disk.rows.filter(({ kind }) => kind === 'accepted');
    return agent.sale.ledger.standing(row?.reference ?? '');
  };

  it.each([
    ['30 s', '', 29_000],
    ['the time of its bitmap 01', '0178', 119_000],
  ])('has %s to state that it could not', async (_, more, waitsMs) => {
    const till = await agent.till();
    till.answers = ({ control }) => (control === 0x040f ? undefined : ACKNOWLEDGEMENT);
    till.send({ control: 0x0601, data: Buffer.concat([authorization(100).data, Buffer.from(more, 'hex')]) });
    await agent.sale.clock.advance(1_000);
    await agent.sale.clock.advance(waitsMs);
    expect(till.isHungUp).toBe(false);
    till.answers = () => ACKNOWLEDGEMENT;
    till.send(NOT_ISSUED);
    await agent.sale.clock.advance(5_000);
    expect(till.end).toMatchObject({ control: 0x061e });
    expect(standing()).toEqual([]);
  });

  it('may have the result repeated for as long as it issues, unless its bitmap 02 bounds that', async () => {
    const till = await agent.till();
    let repeats = 0;
    till.answers = ({ control }) => {
      if (control !== 0x040f || repeats >= 40) return ACKNOWLEDGEMENT;
      repeats += 1;
      return ONCE_MORE;
    };
    expect(await till.outcome(authorization(100))).toMatchObject(APPROVED);
    expect([repeats, standing()]).toEqual([40, [expect.anything()]]);
  });
});

describe('a till that connects again without a registration', () => {
  const PEER = { peer: '10.0.0.21' };
  const again = () => agent.till('unregistered', PEER);

  it('goes on as it registered before, from the same address', async () => {
    (await agent.till(CONFIG.prints, PEER)).disconnect();
    const messages = await (await again()).request(authorization(100));
    expect(controls(messages)).toContain('06d1');
    expect(messages.at(-1)?.control).toBe(0x060f);
    const other = await agent.till('unregistered', { peer: '10.0.0.22' });
    expect(controls(await other.request(authorization(100)))).toEqual(['846b']);
  });

  it('has the answer that it lost with the line', async () => {
    const first = await agent.till(CONFIG.silent, PEER);
    first.answers = () => undefined;
    first.send(authorization(100));
    await agent.sale.clock.advance(60_000);
    expect(first.isHungUp).toBe(true);
    expect(await (await again()).outcome(authorization(100))).toMatchObject({ ...APPROVED, receipt: 1 });
    expect(accepted()).toBe(1);
  });

  it('must register after its log-off, after a restart of the agent, and after a long time', async () => {
    const refused = async () => controls(await (await again()).request(authorization(100)));
    const till = await agent.till(CONFIG.silent, PEER);
    await till.request({ control: 0x0602, data: Buffer.alloc(0) }, 100);
    till.disconnect();
    expect(await refused()).toEqual(['846b']);
    (await agent.till(CONFIG.silent, PEER)).disconnect();
    await agent.crash();
    expect(await refused()).toEqual(['846b']);
    (await agent.till(CONFIG.silent, PEER)).disconnect();
    await agent.sale.clock.advance(REGISTRATION_MS - 1);
    (await again()).disconnect();
    await agent.sale.clock.advance(REGISTRATION_MS - 1);
    expect(await (await again()).outcome(authorization(100))).toMatchObject(APPROVED);
    const { registrations } = agent;
    expect(registrations.recall(PEER.peer)).toBeDefined();
    await agent.sale.clock.advance(2 * REGISTRATION_MS);
    expect(await refused()).toEqual(['846b']);
  });

  it('still needs the password where a request has one, and after a wrong registration', async () => {
    (await agent.till(CONFIG.silent, PEER)).disconnect();
    const till = await again();
    expect(controls(await till.request(withPassword(0x0650, '123456')))).toEqual(['846b']);
    expect(controls(await till.request(registration(CONFIG.silent, '123456')))).toEqual(['846b']);
    expect(agent.refusals).toEqual(['wrong-password', 'wrong-password']);
  });

  it('is not remembered where that is turned off, and at most sixteen addresses are', async () => {
    const { clock } = agent.sale;
    const wish = { printsPayments: true, printsTotals: true, wantsIntermediate: true, takesTextBlocks: true };
    const off = new RegistrationMemory(clock, 0);
    off.keep('a', wish);
    expect(off.recall('a')).toBeUndefined();
    const memory = new RegistrationMemory(clock, REGISTRATION_MS);
    for (let peer = 0; peer <= 16; peer += 1) memory.keep(`${peer}`, wish);
    expect(memory.recall('0')).toBeUndefined();
    expect(memory.recall('1')).toEqual(wish);
    expect(memory.recall('16')).toEqual(wish);
  });
});

describe('a request whose answer was lost', () => {
  it('joins the running sale', async () => {
    const first = await agent.till();
    agent.sale.driver().reads = () => never();
    first.send(authorization(100));
    await agent.sale.clock.advance(1_000);
    first.disconnect();
    const second = await agent.till();
    const joined = second.outcome(authorization(100));
    await agent.sale.clock.advance(1_000);
    second.send({ control: 0x06b0, data: Buffer.alloc(0) });
    expect(await joined).toMatchObject({ control: 0x061e, code: 0x6c });
    expect(accepted()).toBe(1);
  });

  it('has the same answer once more, also after a restart, until the till has acknowledged it', async () => {
    const first = await agent.till();
    first.answers = () => undefined;
    first.send(authorization(100));
    await agent.sale.clock.advance(60_000);
    expect(first.isHungUp).toBe(true);
    await agent.crash();
    const second = await agent.till();
    expect(await second.outcome(authorization(100))).toMatchObject({ ...APPROVED, receipt: 1 });
    expect(accepted()).toBe(1);
    expect(await second.outcome(authorization(100))).toMatchObject({ ...APPROVED, receipt: 2 });
    expect(accepted()).toBe(2);
  });

  it('is a new one where the amount is another, or too much time has passed', async () => {
    const lost = async (minor: number) => {
      const till = await agent.till();
      till.answers = () => undefined;
      till.send(authorization(minor));
      await agent.sale.clock.advance(60_000);
    };
    await lost(100);
    await lost(200);
    expect(accepted()).toBe(2);
    await agent.sale.clock.advance(REPEAT_MS);
    await lost(200);
    expect(accepted()).toBe(3);
  });

  it('is known for 48 hours by the reference of the till, acknowledged or not', async () => {
    const till = await agent.till();
    const sale = (minor: number, reference: string) =>
      till.outcome(authorization(minor, withReference(reference)));
    expect(await sale(100, 'A-1')).toMatchObject({ ...APPROVED, receipt: 1 });
    expect(await sale(100, 'A-2')).toMatchObject({ ...APPROVED, receipt: 2 });
    await agent.crash();
    const again = await agent.till();
    expect(await again.outcome(authorization(100, withReference('A-1')))).toMatchObject({
      ...APPROVED,
      receipt: 1,
    });
    expect(controls(await again.request(authorization(101, withReference('A-1'))))).toEqual(['849a']);
    expect(accepted()).toBe(2);
  });

  it('does not take the sale of another till', async () => {
    const first = await agent.till();
    first.answers = () => undefined;
    first.send(authorization(100));
    await agent.sale.clock.advance(60_000);
    const other = await agent.till(CONFIG.silent, { till: 'till-2' });
    expect(await other.outcome(authorization(100))).toMatchObject({ ...APPROVED, receipt: 2 });
    expect(controls(await other.request(reversal(1)))).toEqual(['84b5']);
    expect(accepted()).toBe(2);
  });

  it('is refused as busy while another sale runs, and nothing of it is journaled', async () => {
    const first = await agent.till();
    agent.sale.driver().reads = () => never();
    first.send(authorization(100));
    await agent.sale.clock.advance(1_000);
    const other = await agent.till(CONFIG.silent, { till: 'till-2' });
    expect(controls(await other.request(authorization(100)))).toEqual(['84a0']);
    expect(controls(await first.request(authorization(100), 100))).toEqual(['84a0']);
    expect(agent.sale.disk.rows.filter(({ kind }) => kind === 'zvt-request')).toHaveLength(1);
  });
});
