import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
} from '../../app/http/http-harness.test.support.js';
import {
  AGENT,
  ENTITY,
  exampleDevice,
  OTHER_ENTITY,
} from '../../core/payments/payment-harness.test.support.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const authorization = `Bearer ${ADMINISTRATOR}`;

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, ADMINISTRATOR, ['administration']);
  const stock = { agentId: null, terminalId: null, state: 'inStock' } as const;
  for (const row of [exampleDevice(3, stock), exampleDevice(4, { ...stock, entityId: OTHER_ENTITY })])
    await harness.store.commit([{ op: 'insert', table: 'devices', row }]);
});
afterEach(() => harness.dispose());

const get = (path: string) => harness.send('GET', path, { authorization });
const post = (path: string, form: Readonly<Record<string, string>> = {}) =>
  harness.send('POST', path, { authorization, body: new URLSearchParams(form).toString() });
const stateOf = async (serial: string) => (await harness.store.get('devices', [serial]))?.state;

describe('GET /v1/devices', () => {
  it('lists the devices of the token’s entities page by page, and no other', async () => {
    const serials: string[] = [];
    let next = '';
    do {
      const { status, body } = await get(`/v1/devices?limit=2${next && `&after=${next}`}`);
      expect(status).toBe(200);
      const page = body as unknown as { devices: { serial: string }[]; next?: string };
      serials.push(...page.devices.map(({ serial }) => serial));
      next = page.next ?? '';
    } while (next !== '');
    expect(serials).toEqual(['S1', 'S2', 'S3', 'S9']);
    expect((await get(`/v1/devices?entityId=${OTHER_ENTITY}`)).status).toBe(403);
    expect((await get('/v1/devices?limit=0')).body.result.parameterErrors).toMatchObject([{ name: 'limit' }]);
  });

  it('shows one with its failures', async () => {
    const row = {
      kind: 'device',
      subject: 'S1',
      failures: 10,
      sinceMs: harness.clock.nowMs(),
      version: 1,
    } as const;
    await harness.store.commit([{ op: 'insert', table: 'accountFailures', row }]);
    expect((await get('/v1/devices/S1')).body).toMatchObject({
      device: { serial: 'S1', state: 'active', agentId: AGENT, failures: 10, isLocked: true },
    });
  });
});

describe('a device', () => {
  it('is put to use, suspended, resumed and ended', async () => {
    expect((await post('/v1/devices/S3/assignment', { terminalId: '7' })).body).toMatchObject({
      device: { serial: 'S3', state: 'active', terminalId: '7' },
    });
    for (const [step, state] of [
      ['suspension', 'suspended'],
      ['resumption', 'active'],
      ['decommission', 'decommissioned'],
    ]) {
      expect((await post(`/v1/devices/S3/${step}`)).status).toBe(200);
      expect(await stateOf('S3')).toBe(state);
    }
    const [token] = (await harness.store.findAfter('tokens', undefined)).filter(({ rights }) =>
      rights.includes('administration'),
    );
    const records = await harness.store.findAfter('audit', undefined);
    expect(new Set(records.map(({ action }) => action))).toEqual(
      new Set(['assign', 'suspend', 'resume', 'decommission'].map((step) => `devices ${step}`)),
    );
    expect(new Set(records.map(({ actor }) => actor))).toEqual(new Set([`token ${token?.id}`]));
    const again = await post('/v1/devices/S3/resumption');
    expect(again).toMatchObject({ status: 409, body: { result: { code: '200.300.404' } } });
  });

  it('gives its place to one in stock', async () => {
    expect((await post('/v1/devices/S1/swap')).body.result.parameterErrors).toMatchObject([
      { name: 'replacement' },
    ]);
    expect((await post('/v1/devices/S1/swap', { replacement: 'S3' })).body).toMatchObject({
      device: { serial: 'S3', state: 'active', agentId: AGENT, terminalId: '1' },
    });
    expect(await stateOf('S1')).toBe('decommissioned');
    await post('/v1/devices/S2/suspension', { tampered: 'true' });
    expect(await stateOf('S2')).toBe('tampered');
  });

  it('of another merchant gets the same answer as none', async () => {
    const paths = ['', '/assignment', '/suspension', '/resumption', '/decommission'];
    for (const path of paths) {
      const ask = (serial: string) =>
        path === '' ? get(`/v1/devices/${serial}`) : post(`/v1/devices/${serial}${path}`);
      const [unknown, foreign] = [await ask('S8'), await ask('S4')];
      expect(foreign.status).toBe(404);
      expect([foreign.status, foreign.body.result]).toEqual([unknown.status, unknown.body.result]);
    }
    const swapped = await post('/v1/devices/S1/swap', { replacement: 'S4' });
    expect(swapped.status).toBe(404);
    expect(await stateOf('S4')).toBe('inStock');
  });

  it('needs the right to administration', async () => {
    const withoutRight = { authorization: `Bearer ${TOKEN}` };
    expect((await harness.send('GET', `/v1/devices?entityId=${ENTITY}`, withoutRight)).status).toBe(403);
    expect(
      (await harness.send('POST', '/v1/devices/S1/suspension', { ...withoutRight, body: '' })).status,
    ).toBe(403);
    expect((await harness.send('GET', '/v1/devices/S1', { authorization: null })).status).toBe(401);
    expect(await stateOf('S1')).toBe('active');
  });
});
