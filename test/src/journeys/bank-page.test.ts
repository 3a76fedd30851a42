import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayClient } from '../clients/gateway-client.js';
import { until } from '../clients/http.js';
import type { PartProcess } from '../stack/part-process.js';
import { type GatewayPart, type Seed, startBank, startGateway } from '../stack/parts.js';
import { copyPreparedHome } from '../stack/prepared-home.js';
import { clockAhead } from './fast-clock.js';
import { SETTLE_MS } from './test-stack.js';

const SHOP = 'https://shop.example/done?order=7';
const SEE_OTHER = 303;
/** A bank is waited for 30 minutes. A wait long over that could not be ended at once is tried again minutes later, one that is just over in seconds. */
const JUST_OVER_HOURS = 31 / 60;

let home: string;
let bank: PartProcess;
let seed: Seed;
let gateway: GatewayPart;
let port: number;

/** Starts the gateway, always on the same port, so that shoppers find it again. */
async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { url } = bank.listening as { url: string };
  gateway = await startGateway(home, port, { GATEWAY_SIMULATED_BANK_URL: url, ...env });
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-bank-'));
  port = await reservedPort();
  bank = await startBank(0);
  seed = await copyPreparedHome(home);
  await start();
}, SETTLE_MS);
afterAll(async () => {
  await gateway?.process.stop();
  await bank?.stop();
  rmSync(home, { recursive: true, force: true });
}, SETTLE_MS);

const merchant = (): GatewayClient => new GatewayClient(gateway.url, seed.merchant);
const codeOf = async (id: string): Promise<string> => (await merchant().get(id)).body.result.code;

/** A payment that waits, and the page of the bank that its shopper sees. */
async function begin(paymentBrand = 'PAYPAL', more: Readonly<Record<string, string>> = {}) {
  const { status, body } = await merchant().pay({
    amount: '12.34',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand,
    shopperResultUrl: SHOP,
    ...more,
  });
  expect([status, body.result.code]).toEqual([200, '000.200.000']);
  const { url, method, parameters } = body.redirect ?? { url: '', method: '', parameters: [] };
  expect(method).toBe('GET');
  const query = new URLSearchParams(parameters.map(({ name, value }) => [name, value] as [string, string]));
  return { id: body.id ?? '', page: `${url}?${query}` };
}

/** The shopper opens the page, presses a button, and follows the browser; returns where it ends. */
async function decide(page: string, decision: 'approve' | 'refuse' | 'leave'): Promise<string> {
  const html = await (await fetch(page)).text();
  expect(html).toContain('€12.34');
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
  const body = new URLSearchParams({ token, decision });
  const decided = await fetch(new URL('/pay', page), { method: 'POST', body, redirect: 'manual' });
  if (decided.status !== SEE_OTHER) return page;
  return follow(decided.headers.get('location') ?? '');
}

async function follow(address: string): Promise<string> {
  const { status, headers } = await fetch(address, { redirect: 'manual' });
  expect(status).toBe(SEE_OTHER);
  return headers.get('location') ?? '';
}

describe('a direct debit', () => {
  it(
    'that is due today and comes back is a chargeback, and cannot be refunded',
    async () => {
      const merchantTransactionId = 'debit-that-returns';
      const { body } = await merchant().pay({
        amount: '12.34',
        currency: 'EUR',
        paymentType: 'DB',
        paymentBrand: 'DIRECTDEBIT_SEPA',
        merchantTransactionId,
        'bankAccount.holder': 'Jane Jones',
        'bankAccount.iban': 'AT091904300000000104',
        transactionDueDate: new Date().toISOString().slice(0, 10),
      });
      expect(body.result.code).toBe('000.100.110');
      const chargeback = await until('the return', SETTLE_MS, async () =>
        (await merchant().query(merchantTransactionId)).find(({ paymentType }) => paymentType === 'CB'),
      );
      expect(chargeback).toMatchObject({ amount: '12.34', result: { code: '000.100.203' } });
      const refund = { paymentType: 'RF', amount: '12.34', currency: 'EUR' };
      expect((await merchant().followUp(body.id ?? '', refund)).body.result.code).toBe('700.300.600');
    },
    SETTLE_MS,
  );
});

describe('a payment at the bank’s page', () => {
  it.each([
    ['PAYPAL', { 'virtualAccount.accountId': 'jane@example.com' }],
    ['GIROPAY', { 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': 'DE14940593100000012346' }],
    ['IDEAL', {}],
  ])('of %s is approved, the shopper goes back to the shop, and it can be refunded', async (brand, more) => {
    const { id, page } = await begin(brand, more);
    expect(await codeOf(id)).toBe('000.200.000');
    const end = await decide(page, 'approve');
    expect(end).toBe(`${SHOP}&id=${id}&resourcePath=%2Fv1%2Fpayments%2F${id}`);
    expect(await codeOf(id)).toBe('000.100.110');
    const refund = { paymentType: 'RF', amount: '12.34', currency: 'EUR' };
    expect((await merchant().followUp(id, refund)).body.result.code).toBe('000.100.110');
    expect((await merchant().followUp(id, refund)).body.result.code).toBe('700.400.200');
  });

  it('is refused', async () => {
    const { id, page } = await begin();
    expect(await decide(page, 'refuse')).toContain(`id=${id}`);
    expect(await codeOf(id)).toBe('100.396.101');
    // The page shows what was decided, and decides nothing any more.
    expect(await (await fetch(page)).text()).toContain('The payment is refused.');
  });

  it('is left, and the next look finds it open; its shopper may come back', async () => {
    const { id, page } = await begin();
    expect(await decide(page, 'leave')).toBe(page);
    expect(await codeOf(id)).toBe('000.200.000');
    await decide(page, 'approve');
    expect(await codeOf(id)).toBe('000.100.110');
  });

  it('waits while the gateway is killed, and its shopper’s return ends it', async () => {
    const { id, page } = await begin();
    await gateway.process.kill();
    await start();
    expect(await codeOf(id)).toBe('000.200.000');
    expect(await decide(page, 'approve')).toContain(`id=${id}`);
    expect(await codeOf(id)).toBe('000.100.110');
  });

  it('that was approved while the gateway was down is found so', async () => {
    const { id, page } = await begin();
    await gateway.process.kill();
    await expect(decide(page, 'approve')).rejects.toThrow();
    await start();
    expect(await codeOf(id)).toBe('000.100.110');
  });

  it(
    'of a shopper who never comes back ends at its deadline, and the bank takes no approval after',
    async () => {
      const { id, page } = await begin();
      await gateway.process.stop();
      await start(clockAhead(JUST_OVER_HOURS));
      const code = await until('the deadline', SETTLE_MS, async () => {
        const now = await codeOf(id);
        return now === '000.200.000' ? undefined : now;
      });
      expect(code).toBe('100.396.103');
      expect(await (await fetch(page)).text()).toContain('The payment is cancelled.');
    },
    SETTLE_MS,
  );
});
