import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TillRegistry } from '../access/till-registry.js';
import { SESSION_LIMITS } from '../access/till-sessions.js';
import { RESULT_SHOWN_MS } from '../display/customer-display.js';
import type { SaleAnswer } from '../sale/machine/state/answer.js';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

const STORE_TOKEN = 'a-token-of-the-store-0123';
const PAGE = { 'x-tillbridge-page': 'display' };
const TILL_PAGE = { 'x-tillbridge-page': '1' };

let home: string;
let clock: VirtualClock;
let server: FastifyInstance;
let service: MemorySaleService;
let url: string;
let rows: number;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'displays-'));
  clock = new VirtualClock(Date.parse('2026-11-23T10:00:00Z'));
  service = new MemorySaleService();
  rows = 0;
  server = createTillServer({
    service,
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => undefined },
    lineProblem: () => undefined,
    token: STORE_TOKEN,
    tills: new TillRegistry(join(home, 'tills.json'), systemRandom),
    sessionsPath: join(home, 'till-sessions.json'),
    store: { name: 'Café am Markt', address: ['Markt 1'], timeZone: 'UTC', language: 'de' },
    clock,
    log: pino({ level: 'silent' }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  };
}

const store = (method: string, path: string, body?: object) =>
  send(method, path, { authorization: `Bearer ${STORE_TOKEN}` }, body);

const codePath = () => `/v1/terminals/${service.terminalId}/display-code`;

/** Makes a till, and a display of it; the headers of the display's page. */
async function display(id = 'front-1', more: object = {}): Promise<Record<string, string>> {
  const till = await store('POST', '/v1/tills', { id, rights: ['sell'], ...more });
  const made = await send('POST', codePath(), { authorization: `Bearer ${till.body.token}` });
  const { cookie } = await send('POST', '/v1/sign-in', PAGE, { code: made.body.code });
  return { ...PAGE, cookie };
}

const shown = async (page: Record<string, string>) => (await send('GET', '/v1/display', page)).body;

const SALE: SaleAnswer = {
  ...{ reference: 'till 7/order 1', terminalId: '10001', till: 'front-1', type: 'sale', state: 'accepted' },
  ...{ outcome: null, mode: null, amount: '18.70', currency: 'EUR', cashierText: 'Running.', timeline: [] },
};

function happens(change: Partial<SaleAnswer>): void {
  rows += 1;
  service.tell({ type: 'sale', id: rows, atMs: 0, step: 'step', sale: { ...SALE, ...change } });
}

function progresses(step: string, reference = SALE.reference): void {
  service.tell({ type: 'progress', atMs: 0, reference, terminalId: '10001', step, text: 'PLEASE WAIT' });
}

describe('a customer display', () => {
  it('shows what the customer of its terminal does, the end, and then the name of the merchant', async () => {
    const page = await display();
    const steps: string[] = [];
    const look = async () => steps.push((await shown(page)).step);
    await look();
    happens({});
    await look();
    happens({ state: 'reading-card' });
    for (const step of ['waiting-for-card', 'reading-card', 'message', 'pin-entry']) {
      progresses(step);
      await look();
    }
    happens({ state: 'authorizing' });
    progresses('reading-card');
    await look();
    happens({ state: 'completing' });
    await look();
    happens({ state: 'done', outcome: 'approved', mode: 'online', card: { entryMode: 'ICC' } });
    const [terminal] = service.terminals();
    if (!terminal) throw new Error('the service has a terminal');
    // Not every maker reports that the card may be taken out.
    service.tell({ type: 'terminal', atMs: 0, terminal: { ...terminal, state: 'busy' } });
    expect(await shown(page)).toEqual({
      ...{ terminalId: '10001', step: 'approved', type: 'sale', amount: '18.70', currency: 'EUR' },
      ...{ removeCard: true, shownForMs: RESULT_SHOWN_MS },
      ...{ deviceType: 'PPC930', store: { name: 'Café am Markt', language: 'de' } },
    });
    expect(steps).toEqual([
      'idle',
      'preparing',
      'present-card',
      'leave-card',
      'leave-card',
      'enter-pin',
      'waiting',
      'waiting',
    ]);
    service.tell({ type: 'terminal', atMs: 0, terminal });
    expect(await shown(page)).not.toHaveProperty('removeCard');
    progresses('remove-card');
    expect(await shown(page)).toMatchObject({ removeCard: true });
    await clock.advance(RESULT_SHOWN_MS - 1);
    expect((await shown(page)).step).toBe('approved');
    await clock.advance(1);
    expect(await shown(page)).toEqual({
      ...{ terminalId: '10001', step: 'idle' },
      ...{ deviceType: 'PPC930', store: { name: 'Café am Markt', language: 'de' } },
    });
  });

  it.each<[string, Partial<SaleAnswer>]>([
    ['declined', { outcome: 'declined' }],
    ['cancelled', { outcome: 'cancelled' }],
    ['reversed', { outcome: 'reversed' }],
    ['not-completed', { outcome: 'failed' }],
    ['not-completed', { outcome: 'expired' }],
    ['refunded', { outcome: 'approved', type: 'refund' }],
    ['part-approved', { outcome: 'approved', approvedAmount: '8.70' }],
    ['ask-staff', { state: 'parked' }],
  ])('shows %s', async (step, change) => {
    const page = await display();
    happens({});
    happens({ state: 'done', ...change });
    expect(await shown(page)).toMatchObject({ step, shownForMs: RESULT_SHOWN_MS });
    if (step === 'part-approved') expect(await shown(page)).toMatchObject({ amount: '8.70', rest: '10.00' });
  });

  it('shows nothing of other terminals, of other sales, and of what becomes of a sale later', async () => {
    const page = await display();
    happens({ terminalId: '10002' });
    happens({ reference: 'yesterday', state: 'reversing' });
    progresses('waiting-for-card', 'yesterday');
    expect((await shown(page)).step).toBe('idle');
    happens({});
    progresses('pin-entry', 'yesterday');
    expect((await shown(page)).step).toBe('preparing');
    happens({ state: 'unknown' });
    expect((await shown(page)).step).toBe('finding-out');
    happens({ state: 'reversing' });
    expect((await shown(page)).step).toBe('reversing');
    happens({ state: 'done', outcome: 'approved' });
    happens({ state: 'reversing' });
    expect((await shown(page)).step).toBe('approved');
  });

  it('receives by its stream what it shows, and nothing of card, cashier and reference', async () => {
    const page = await display();
    const { body } = await send('POST', '/v1/events/token', page);
    const stream = await fetch(`${url}/v1/events?token=${body.token}`);
    happens({ card: { entryMode: 'ICC', bin: '411111', last4Digits: '1111' } });
    happens({ terminalId: '10002', reference: 'other' });
    progresses('waiting-for-card');
    service.tell({ type: 'gateway', atMs: 1, state: 'down' });
    await store('DELETE', '/v1/tills/front-1');
    const text = await stream.text();
    expect(text.match(/^event: .*$/gm)).toEqual(['event: display', 'event: display']);
    expect(text).toContain('"step":"present-card"');
    expect(text).not.toMatch(/411111|1111|order 1|PLEASE WAIT|Running|front-1|10002|^id:/m);
  });

  it('may do and read nothing else', async () => {
    const page = await display();
    for (const [method, path] of [
      ['GET', '/v1/caller'],
      ['GET', '/v1/status'],
      ['GET', '/v1/terminals'],
      ['GET', '/v1/sales'],
      ['GET', '/v1/sales/r-1'],
      ['POST', '/v1/sales'],
      ['POST', '/v1/sales/r-1/cancel'],
      ['POST', '/v1/sales/r-1/reversal'],
      ['GET', '/v1/queue'],
      ['GET', '/v1/totals'],
      ['GET', '/v1/tills'],
      ['POST', codePath()],
    ] as const)
      expect(await send(method, path, page), path).toMatchObject({
        status: 403,
        body: { error: { code: 'not-authorized', message: expect.stringContaining('customer display') } },
      });
    expect((await send('POST', '/v1/sign-in/pin', page, { pin: '4711' })).body.error.code).toBe(
      'not-authorized',
    );
  });

  it('is made by a till that may sell, for a terminal of the store', async () => {
    const till = await store('POST', '/v1/tills', { id: 'office', rights: ['report'] });
    const office = { authorization: `Bearer ${till.body.token}` };
    expect((await send('POST', codePath(), office)).body.error.message).toBe(
      'this till has not the right to sell',
    );
    expect((await store('POST', '/v1/terminals/9/display-code')).body.error.code).toBe('unknown-terminal');
    for (const page of ['agent.shop.example', 'https://agent.example/till', 'javascript:alert(1)'])
      expect((await store('POST', codePath(), { page })).body.error).toMatchObject({
        code: 'bad-request',
        field: 'page',
        message: expect.stringContaining('without a path'),
      });
    const { body } = await store('POST', codePath(), { page: 'https://agent.shop.example:8090/' });
    expect(body.address).toBe(`https://agent.shop.example:8090/display#code=${body.code}`);
    expect(body.picture).toMatch(/^data:image\/svg\+xml;base64,/);
    const svg = Buffer.from(body.picture.split(',')[1], 'base64').toString();
    expect(svg).toMatch(/^<svg .*<\/svg>\s*$/s);
  });

  it('has a code and a cookie of its own: a till is signed in by neither, in the same browser too', async () => {
    const { body } = await store('POST', codePath());
    const wrong = await send('POST', '/v1/sign-in', TILL_PAGE, { code: body.code });
    expect(wrong.body.error.message).toContain('open its address');
    await store('POST', '/v1/tills', { id: 'bar', rights: ['sell'] });
    const ofTill = await store('POST', '/v1/tills/bar/code');
    expect((await send('POST', '/v1/sign-in', PAGE, { code: ofTill.body.code })).status).toBe(403);
    expect((await send('POST', '/v1/sign-in', PAGE, { token: STORE_TOKEN })).status).toBe(403);

    const page = await display();
    expect(page.cookie).toMatch(/^tillbridge-display=/);
    const value = page.cookie?.split('=')[1] ?? '';
    expect(
      (await send('GET', '/v1/caller', { ...TILL_PAGE, cookie: `tillbridge-till=${value}` })).status,
    ).toBe(403);
    const again = await store('POST', '/v1/tills/bar/code');
    const both = await send(
      'POST',
      '/v1/sign-in',
      { ...TILL_PAGE, cookie: page.cookie ?? '' },
      {
        code: again.body.code,
      },
    );
    expect(both.status).toBe(200);
    expect((await send('GET', '/v1/display', page)).status).toBe(200);
  });

  it('stays signed in while its till is locked, and ends with the token of its till', async () => {
    const page = await display('bar', { pin: '4711' });
    await clock.advance(SESSION_LIMITS.idleMs);
    expect((await send('GET', '/v1/display', page)).status).toBe(200);
    expect((await store('GET', '/v1/display')).body.error.message).toContain('sign it in by its code');
    await store('DELETE', '/v1/tills/bar');
    expect((await send('GET', '/v1/display', page)).status).toBe(403);
  });
});
