import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcquirerHostClient } from '../clients/acquirer-host-client.js';
import { until } from '../clients/http.js';
import { shownNumber } from '../clients/metrics.js';
import { PROGRAMS } from '../stack/layout.js';
import type { PartProcess } from '../stack/part-process.js';
import { startAcquirerHost } from '../stack/parts.js';
import { GatewayPair, type SendOptions } from './gateway-pair.js';

/** How soon another node has the outcome of a payment whose node was killed, on a machine with much else to do; the drills measure it. */
const RECOVERY_MS = 55_000;
const EQUAL_KEYS = 200;
/** The two, and a third one for the equal keys. */
const NODES = [0, 1, 2] as const;

const CARD = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2099',
};

/** Payments that are under way at the acquirer's host when their node is killed. */
const UNDER_WAY = 6;

let pair: GatewayPair;
let hostFolder: string;
let hostProcess: PartProcess;
let host: AcquirerHostClient;
beforeAll(async () => {
  hostFolder = mkdtempSync(join(tmpdir(), 'two-gateways-host-'));
  hostProcess = await startAcquirerHost(hostFolder, 0, 0);
  const { address: hosts, url } = hostProcess.listening as { address: string; url: string };
  host = new AcquirerHostClient(url);
  pair = await GatewayPair.start('two-gateways-', () => ({
    GATEWAY_RESOLVER_INTERVAL_MS: '200',
    GATEWAY_THROTTLE_PAYMENTS_PER_SECOND: '10000',
    GATEWAY_THROTTLE_PAYMENTS_BURST: '10000',
    GATEWAY_ACQUIRERS: JSON.stringify([{ name: 'EXTERNAL', hosts, zoneKeyHours: 1 }]),
  }));
});
afterAll(async () => {
  await pair?.stop();
  await hostProcess?.stop();
  rmSync(hostFolder, { recursive: true });
});

const send = (node: number, method: 'GET' | 'POST', path: string, options?: SendOptions) =>
  pair.send(node, method, path, options);
const recorded = (node: number, amount: string) => pair.recorded(node, amount);

describe('two gateways on one PostgreSQL database', () => {
  it('answer for each other: any node reads a payment and follows it up', async () => {
    const paid = await send(0, 'POST', '/v1/payments', { form: { ...CARD, amount: '1.01' } });
    expect(paid.status).toBe(200);
    const read = await send(1, 'GET', `/v1/payments/${paid.body.id}`);
    expect(read).toMatchObject({ status: 200, body: { id: paid.body.id, result: paid.body.result } });
    const form = { paymentType: 'RF', amount: '1.01', currency: 'EUR' };
    expect((await send(1, 'POST', `/v1/payments/${paid.body.id}`, { form })).status).toBe(200);
    expect((await send(0, 'POST', `/v1/payments/${paid.body.id}`, { form })).status).toBe(400);
    const rows = await recorded(0, '1.01');
    expect(rows.map(({ kind }) => kind)).toEqual(['authorization', 'refund']);
    expect(await recorded(1, '1.01')).toEqual(rows);
  });

  it(`pay once for ${EQUAL_KEYS} requests with one Idempotency-Key at three gateways at once`, async () => {
    pair.gateways.add('third');
    pair.nodes.push(await pair.gateways.start('third'));
    const pay = (at: number) =>
      send(at % NODES.length, 'POST', '/v1/payments', {
        form: { ...CARD, amount: '2.02' },
        headers: { 'idempotency-key': 'order-2' },
      });
    const answers = await Promise.all(Array.from({ length: EQUAL_KEYS }, (_, at) => pay(at)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    for (const node of NODES) {
      expect(await pay(node)).toMatchObject({ status: 200, body: { id: [...ids][0] } });
      expect(await recorded(node, '2.02')).toHaveLength(1);
    }
  });

  it('authorize once for one proof of 3D Secure', async () => {
    const proof = {
      'threeDSecure.eci': '05',
      'threeDSecure.verificationId': 'AAECAwQFBgcICQoLDA0ODxAREhM=',
      'threeDSecure.dsTransactionId': '5d0a3f60-8e11-4c5f-b6a7-18f9e0d1c2b3',
    };
    const form = { ...CARD, ...proof, amount: '6.06' };
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, at) => send(at % 2, 'POST', '/v1/payments', { form })),
    );
    const codes = answers.map(({ body }) => body.result.code).sort();
    expect(codes).toEqual(['000.100.110', ...Array(31).fill('800.400.200')]);
    expect(await recorded(0, '6.06')).toHaveLength(1);
  });

  it('take up what a killed node has left, and no sooner', async () => {
    const form = { ...CARD, amount: '3.03', 'customParameters[unknownForSeconds]': '60' };
    const { body } = await send(0, 'POST', '/v1/payments', { form });
    expect(body.result.code).toBe('000.200.001');
    const look = () => send(1, 'GET', `/v1/payments/${body.id}`);
    expect((await look()).body.result.code).toBe('000.200.001');
    const killedMs = performance.now();
    await pair.nodes[0]?.kill();
    const approved = await until('the outcome at the other node', RECOVERY_MS, async () => {
      const { body: seen } = await look();
      return seen.result.code === '000.100.110' ? seen : undefined;
    });
    expect(approved.id).toBe(body.id);
    expect(performance.now() - killedMs).toBeLessThan(RECOVERY_MS);
    expect(await recorded(1, '3.03')).toHaveLength(1);
    pair.nodes[0] = await pair.gateways.start('a');
    expect((await send(0, 'GET', `/v1/payments/${body.id}`)).body.result.code).toBe('000.100.110');
  });

  it('share the acquirer’s host: no number twice, one exchange of keys, and reversals for a node that is killed', async () => {
    const { entityId } = pair.gateways.seed.externalMerchant;
    const pay = async (node: number, amount: string) =>
      (
        await send(node, 'POST', '/v1/payments', {
          form: { ...CARD, amount, entityId, testMode: 'EXTERNAL' },
        })
      ).body.result.code;
    const first = toHex(tdesKcv(developmentKey('zoneMacKey')));
    const exchanged = (await host.keys()).mac.current;
    expect(exchanged).not.toBe(first);
    // Both have a line then.
    expect(await Promise.all([pay(0, '4.04'), pay(1, '4.04')])).toEqual(Array(2).fill('000.100.112'));
    const paying = Promise.all(Array.from({ length: 38 }, (_, at) => pay(at % 2, '4.04')));
    await host.sendKey('mac');
    expect(new Set(await paying)).toEqual(new Set(['000.100.112']));
    expect([first, exchanged]).not.toContain((await host.keys()).mac.current);
    await host.strike([{ name: 'silent', on: 'financial', times: UNDER_WAY }]);
    const lost = Array.from({ length: UNDER_WAY }, () => pay(0, '5.05').catch(() => undefined));
    const carriedOut = async () =>
      (await host.transactions()).filter(({ amountMinor }) => amountMinor === 505);
    await until('the sales at the host', RECOVERY_MS, async () =>
      (await carriedOut()).length === UNDER_WAY ? true : undefined,
    );
    await pair.nodes[0]?.kill();
    await Promise.all(lost);
    await until('their reversals', RECOVERY_MS, async () =>
      (await carriedOut()).every(({ reversedMinor }) => reversedMinor === 505) ? true : undefined,
    );
    pair.nodes[0] = await pair.gateways.start('a');
    expect(await pay(0, '4.04')).toBe('000.100.112');
    const messages = [...(await host.transactions()), ...(await host.reversals())];
    const numbers = messages.map(({ message }) => message.split('/')[1]);
    expect(numbers).toHaveLength(41 + 2 * UNDER_WAY);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(await host.status()).toMatchObject({ badMessages: 0 });
    for (const node of [0, 1])
      for (const name of ['bad_messages', 'faults']) {
        const counter = `tillbridge_acquirer_link_${name}_total{acquirer="EXTERNAL"}`;
        expect(await shownNumber(pair.url(node), counter), name).toBeUndefined();
      }
  });

  it('let in no node with other keys, and say which', () => {
    const { gateways } = pair;
    const refusal = (name: string, ...files: readonly string[]): string => {
      cpSync(gateways.homeOf('a'), gateways.homeOf(name), {
        recursive: true,
        filter: (path) => !path.endsWith('/lock'),
      });
      for (const file of files)
        cpSync(join(gateways.homeOf('other'), 'keys', file), join(gateways.homeOf(name), 'keys', file));
      const { status, stderr } = spawnSync(process.execPath, [PROGRAMS.gateway, 'serve'], {
        env: gateways.environment(name),
        encoding: 'utf8',
      });
      expect(status).toBe(2);
      return stderr;
    };
    const { DATABASE_URL: _, ...env } = gateways.environment('other');
    execFileSync(process.execPath, [PROGRAMS.gateway, 'seed'], { env });
    expect(refusal('c', 'token.key')).toContain('token.key is not the key that this database was used with');
    expect(refusal('d', 'master.key', 'keystore.json')).toContain('key-encryption key');
  });
});
