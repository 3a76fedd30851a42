import {
  followUp,
  message,
  tillReversal,
  tillSale,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinkedGateway } from './linked-gateway.js';
import { type Ended, payingAt, settledCode } from './paying.js';

const APPROVED = '000.100.112';
const REVERSED = '900.100.301';
const NOT_REFUNDABLE = '700.400.200';
const EXPIRED = '100.396.103';
/** Time until an agent sends a message again. */
const AGENT_PAUSE_MS = 5_000;
const RESTARTS = ['none', 'gateway', 'host'] as const;

let gateway: LinkedGateway;
beforeEach(async () => {
  gateway = await LinkedGateway.open();
});
afterEach(() => gateway.close());

const { pay, follow } = payingAt(() => gateway);
const rows = () => gateway.host.database.transactions();

/** Restarts a side once the gateway has journaled a message that comes behind so many. */
async function restarted(which: (typeof RESTARTS)[number], known: number): Promise<void> {
  await gateway.until(async () => (await gateway.exchanges()).length > known);
  if (which === 'gateway') await gateway.restartGateway();
  if (which === 'host') await gateway.restartHost();
}

/** An authorization of 12.34 with captures of these amounts. */
async function captured(...minors: readonly number[]): Promise<string | undefined> {
  const { id } = await pay({ type: 'PA' });
  for (const minor of minors) {
    // Captures of one millisecond have no order.
    await gateway.harness.clock.advance(1);
    expect((await follow('CP', id, minor)).code).toBe(APPROVED);
  }
  return id;
}

describe('an incremental authorization', () => {
  it('raises what the host holds, and captures take of it', async () => {
    const { id } = await pay({ type: 'PA' });
    expect((await follow('INCREMENTAL_AUTH', id, 500)).code).toBe(APPROVED);
    const [authorization, increment] = await rows();
    expect(authorization).toMatchObject({ kind: 'authorization', amountMinor: 1_734, heldMinor: 1_734 });
    expect(increment).toMatchObject({
      kind: 'increment',
      amountMinor: 500,
      original: authorization?.message,
    });
    expect((await follow('CP', id, 1_600)).code).toBe(APPROVED);
    expect((await follow('RV', id)).code).toBe(APPROVED);
    expect((await rows())[0]).toMatchObject({ amountMinor: 1_734, reversedMinor: 134, heldMinor: 0 });
    expect((await gateway.host.database.accounts())[0]).toMatchObject({ heldMinor: 0 });
    expect(await gateway.differences()).toEqual([]);
  });

  it('is declined where the issuer declines it, and the authorization stays', async () => {
    const { id } = await pay({ type: 'PA' });
    gateway.host.replaceRules([{ amountMinor: 500, responseCode: '51' }]);
    expect((await follow('INCREMENTAL_AUTH', id, 500)).code).toBe('800.100.203');
    expect((await rows())[0]).toMatchObject({ amountMinor: 1_234, heldMinor: 1_234 });
    expect((await follow('RV', id)).code).toBe(APPROVED);
    expect(await gateway.differences()).toEqual([]);
  });
});

describe('a refund of more than each capture', () => {
  it('is one message for each, and stays within their sum', async () => {
    const id = await captured(500, 600);
    expect((await follow('RF', id, 800)).code).toBe(APPROVED);
    const [, first, second, ...refunds] = await rows();
    expect(refunds.map(({ original, amountMinor }) => [original, amountMinor])).toEqual([
      [first?.message, 500],
      [second?.message, 300],
    ]);
    expect((await follow('RF', id, 301)).code).toBe(NOT_REFUNDABLE);
    expect((await follow('RF', id, 300)).code).toBe(APPROVED);
    expect(await gateway.differences()).toEqual([]);
  });

  it('is reversed as a whole by the till that requested it', async () => {
    const id = await captured(500, 600);
    const refund = { ...followUp('RF', id, 900), origin: message('m1', 1) };
    expect((await settledCode(gateway, gateway.service.followUp(refund))).code).toBe(APPROVED);
    const reversal = gateway.service.followUp(tillReversal('m2', 'm1', 2));
    expect((await settledCode(gateway, reversal)).code).toBe(APPROVED);
    expect((await rows()).map(({ refundedMinor }) => refundedMinor)).toEqual([0, 0, 0, 0, 0]);
    expect(await gateway.differences()).toEqual([]);
  });

  it('is taken back as a whole where the host declines a part', async () => {
    const id = await captured(500, 600);
    const [, , second] = await rows();
    await gateway.host.chargeBack({ message: second?.message ?? '', amountMinor: 400, reason: '10.4' });
    expect((await follow('RF', id, 900)).code).not.toBe(APPROVED);
    expect((await rows()).map(({ refundedMinor }) => refundedMinor)).toEqual([0, 0, 0, 0, 0]);
    expect(await gateway.differences()).toEqual([]);
  });
});

/** Sends a message again, as its agent does, until it has an outcome; returns that. */
async function sentUntilDecided(sale: ReturnType<typeof tillSale>): Promise<Ended> {
  for (;;) {
    const end = await settledCode(gateway, gateway.service.authorize(sale));
    if (end.code !== 'later') return end;
    await gateway.pass(AGENT_PAUSE_MS);
  }
}

describe.each(HOST_FAULT_NAMES)('%s', (name) => {
  it('of an increment, with a restart of either side: gateway, journal and host agree', async () => {
    for (const restart of RESTARTS) {
      gateway.strike();
      const { id } = await pay({ type: 'PA' });
      const known = (await gateway.exchanges()).length;
      gateway.strike({ name, on: 'authorization' });
      const increment = follow('INCREMENTAL_AUTH', id, 500);
      await restarted(restart, known);
      expect([APPROVED, REVERSED, 'later']).toContain((await increment).code);
      expect(await gateway.differences()).toEqual([]);
    }
  });

  it('of a part of a refund, with a restart of either side', async () => {
    for (const [at, restart] of RESTARTS.entries()) {
      gateway.strike();
      const id = await captured(500, 600);
      const known = (await gateway.exchanges()).length;
      gateway.strike({ name, on: 'financial', skip: at % 2 }, { name, on: 'reversal' });
      const refund = follow('RF', id, 1_000);
      await restarted(restart, known + (at % 2));
      expect([APPROVED, REVERSED, 'later']).toContain((await refund).code);
      expect(await gateway.differences()).toEqual([]);
    }
  });

  it('of a deferred authorization: it is sent again until the issuer has decided', async () => {
    for (const [at, restart] of RESTARTS.entries()) {
      const sale = tillSale(`m${at}`, `R-${at}`, {
        testMode: 'EXTERNAL',
        offline: { kind: 'deferred', decidedAtMs: gateway.harness.clock.nowMs() },
      });
      const known = (await gateway.exchanges()).length;
      gateway.strike({ name, on: 'financial' });
      const first = settledCode(gateway, gateway.service.authorize(sale));
      await restarted(restart, known);
      expect([APPROVED, 'later']).toContain((await first).code);
      expect((await sentUntilDecided(sale)).code).toBe(APPROVED);
      expect(await gateway.differences()).toEqual([]);
      const taken = (await rows()).filter((row) => row.amountMinor > row.reversedMinor);
      expect(taken).toHaveLength(at + 1);
    }
  });
});

describe('a deferred authorization', () => {
  const deferred = (at = 0) =>
    tillSale(`m${at}`, `R-${at}`, {
      testMode: 'EXTERNAL',
      offline: {
        kind: 'deferred',
        decidedAtMs: gateway.harness.clock.nowMs(),
      },
    });

  it('that was sent again is refunded and reversed as any other', async () => {
    for (const [at, type] of (['RF', 'RV'] as const).entries()) {
      gateway.strike({ name: 'silent', on: 'financial' });
      const end = await sentUntilDecided(deferred(at));
      expect(end.code).toBe(APPROVED);
      expect((await follow(type, end.id, type === 'RF' ? 234 : undefined)).code).toBe(APPROVED);
    }
    expect(await gateway.differences()).toEqual([]);
  });

  it('that its agent has given up is reversed, and never sent again', async () => {
    gateway.strike({ name: 'silent', on: 'financial', times: 2 });
    const sale = deferred();
    expect((await settledCode(gateway, gateway.service.authorize(sale))).code).toBe('later');
    const given = { ...sale, offline: { ...sale.offline, expired: true } } as typeof sale;
    expect((await sentUntilDecided(given)).code).toBe(EXPIRED);
    expect(await gateway.differences()).toEqual([]);
    expect((await rows()).every((row) => row.amountMinor === row.reversedMinor)).toBe(true);
  });
});
