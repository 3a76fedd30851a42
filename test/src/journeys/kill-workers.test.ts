import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  decipher,
  openReceiver,
  type Receiver,
} from '@tillbridge/gateway/features/webhooks/webhook-harness.test.support.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { EXTERNAL_ACQUIRER } from '@tillbridge/gateway/security/development-keys.js';
import { dayOf } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/host-ledger.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcquirerHostClient } from '../clients/acquirer-host-client.js';
import { GatewayClient } from '../clients/gateway-client.js';
import { until } from '../clients/http.js';
import { compareWithHost, type Disagreement, untilPaid } from '../external/compare.js';
import { type Build, buildWithStore } from '../stack/changed-build.js';
import { GatewayNodes } from '../stack/gateway-nodes.js';
import { acquirerHostHome, PROGRAMS } from '../stack/layout.js';
import type { PartProcess } from '../stack/part-process.js';
import { startAcquirerHost } from '../stack/parts.js';
import { APPROVED_CODES, namedTestMode } from '../stack/test-mode.js';
import { expectEqual, SETTLE_MS } from './test-stack.js';

const DAY_MS = 24 * 3_600_000;
const AMOUNT = '7.77';
const MODE = namedTestMode();
const APPROVED = APPROVED_CODES[MODE];
/**
 * Where the gateway is killed: after each commit of a run and of the delivery of its event, and before those that record what another system
 * has done by then. The schedule is claimed (1), the payment begun (2), its outcome written with its event (3), the schedule given back (4) while the
 * delivery is claimed (5) and ended (6).
 */
const KILLS: readonly (readonly [commit: number, isWritten: boolean])[] = [
  [1, true],
  [2, true],
  [3, false],
  [3, true],
  [4, true],
  [5, true],
  [6, false],
  [6, true],
];

/** The same of a payment whose review is over: its deadline is claimed (1), the payment refused (2). */
const DEADLINE_KILLS: typeof KILLS = [
  [1, true],
  [2, false],
  [2, true],
];
const UNDER_REVIEW = '100.400.500';
const REVIEW_OVER = '100.380.501';
/** Longer than a review. */
const REVIEW_MS = 7 * DAY_MS + 1_000;
/** The days of the schedule come after those of the reviews. */
const FIRST_DAY = 1 + DEADLINE_KILLS.length * 8;

/**
 * Added to a gateway: on SIGUSR2 its clock goes to the time in a file, and from then on it counts the commits of its workers. It kills
 * itself by SIGKILL before or after the one that the file names.
 */
const killer = (folder: string): string => `
  {
    const { readFileSync } = require('node:fs');
    const orders = () => JSON.parse(readFileSync('${join(folder, 'orders.json')}', 'utf8'));
    const now = Date.now;
    let ahead = orders().toMs - now();
    let left = 0;
    let isAfter = false;
    Date.now = () => now() + ahead;
    process.on('SIGUSR2', () => {
      const { toMs, commit, isWritten } = orders();
      ahead = toMs - now();
      [left, isAfter] = [commit, isWritten];
    });
    const TABLES = ['schedules', 'scheduleRuns', 'intents', 'waits', 'deliveries'];
    const counts = (changes) => left > 0 && changes.some(({ table }) => TABLES.includes(table));
    const die = () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => undefined); };
    const { commit } = SqliteStore.prototype;
    SqliteStore.prototype.commit = async function (changes) {
      if (!counts(changes)) return commit.call(this, changes);
      left -= 1;
      const isLast = left === 0;
      if (isLast && !isAfter) await die();
      await commit.call(this, changes);
      if (isLast) await die();
    };
  }`;

let folder: string;
let gateways: GatewayNodes;
let build: Build;
let receiver: Receiver;
let node: PartProcess | undefined;
let host: PartProcess | undefined;
let key: string;
let endpoint: string;
let schedule: string;

/** Nine o'clock of a day of the schedule, from 0 on. */
const nine = (day: number) =>
  Math.ceil(Date.now() / DAY_MS) * DAY_MS + 9 * 3_600_000 + (FIRST_DAY + day) * DAY_MS;
const order = (toMs: number, commit = 0, isWritten = false) =>
  writeFileSync(join(folder, 'orders.json'), JSON.stringify({ toMs, commit, isWritten }));
const start = async (): Promise<void> => {
  node = await gateways.start('a', build);
};
/** What an answer may have; that one has it is for the caller to know. */
interface Answered {
  readonly id: string;
  readonly webhook: { readonly id: string };
  readonly key: string;
  readonly lastExecutions: readonly { readonly at: string; readonly paymentId: string }[];
  readonly retryAt?: string;
  readonly result: { readonly code: string };
  readonly deliveries: readonly { readonly state: string }[];
}

async function send(
  method: 'GET' | 'POST',
  path: string,
  form: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const { merchant } = gateways.seed;
  const sent = new URLSearchParams({ entityId: merchant.entityId, ...form });
  const url = `${node?.listening.url}${path}`;
  const response = await fetch(method === 'GET' ? `${url}?${sent}` : url, {
    method,
    headers: { authorization: `Bearer ${merchant.accessToken}`, connection: 'close' },
    ...(method === 'POST' && { body: sent }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer as Answered;
}
const numbers = () => new Set(receiver.received.map((one) => Number(decipher(one, key).sequence)));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kill-workers-'));
  build = buildWithStore(killer(folder));
  if (MODE === 'EXTERNAL') host = await startAcquirerHost(folder, 0, 0);
  const acquirers = host && [{ name: EXTERNAL_ACQUIRER, hosts: host.listening.address }];
  const env = {
    GATEWAY_EGRESS_ALLOW: '127.0.0.1',
    GATEWAY_RESOLVER_INTERVAL_MS: '200',
    ...(acquirers && { GATEWAY_ACQUIRERS: JSON.stringify(acquirers) }),
  };
  gateways = new GatewayNodes(folder, env, MODE);
  const rule = { name: 'much', kind: 'amount', currency: 'EUR', above: '50.00', action: 'review' };
  writeFileSync(join(folder, 'rules.json'), JSON.stringify({ rules: [rule] }));
  const words = ['entity', 'risk', gateways.seed.merchant.entityId, '--file', join(folder, 'rules.json')];
  execFileSync(process.execPath, [PROGRAMS.gateway, ...words], { env: gateways.environment('a') });
  receiver = await openReceiver();
  order(Date.now());
  await start();
  const made = await send('POST', '/v1/webhooks', { url: receiver.url, types: 'PAYMENT' });
  [endpoint, key] = [made.webhook.id, made.key];
  await send('POST', `/v1/webhooks/${endpoint}/test`);
  receiver.received.length = 0;
});
afterAll(async () => {
  try {
    if (host) expectEqual('kill-workers', await compared(host));
  } finally {
    await node?.stop();
    await host?.stop();
    await receiver?.close();
    build?.remove();
    rmSync(folder, { recursive: true });
  }
}, 4 * SETTLE_MS);

/** Starts a gateway once more: it may have things to end. */
async function compared({ listening }: PartProcess): Promise<Disagreement> {
  await start();
  const { externalMerchant } = gateways.seed;
  return compareWithHost({
    acquirer: EXTERNAL_ACQUIRER,
    database: gatewayFiles(gateways.homeOf('a')).database,
    hostHome: acquirerHostHome(folder),
    host: new AcquirerHostClient(String(listening.url)),
    untilLine: () => untilPaid(new GatewayClient(String(node?.listening.url), externalMerchant, 'EXTERNAL')),
    stopGateway: async () => node?.stop(),
  });
}

/** Ends days of the host until it is where the schedule begins: a gateway believes no settlement day that is far from its clock. */
function followClock({ listening }: PartProcess): Promise<true> {
  const client = new AcquirerHostClient(String(listening.url));
  return until('the day of the host', SETTLE_MS, async () => {
    if ((await client.status()).day >= dayOf(nine(0))) return true;
    await client.cutOver();
    return undefined;
  });
}

/** A payment with a card. */
const pay = (amount: string) =>
  send('POST', '/v1/payments', {
    amount,
    currency: 'EUR',
    'card.number': '4200000000000000',
    'card.expiryMonth': '12',
    'card.expiryYear': '2099',
    'card.cvv': '123',
    paymentType: 'DB',
    testMode: MODE,
  });

/** Begins the schedule of a payment that is paid by now. */
async function schedulePayment(): Promise<void> {
  const { id: referenceUuid } = await pay(AMOUNT);
  const job = {
    'job.expression': '0 0 9 * * ?',
    'job.startDate': new Date(nine(0) - 1_000).toISOString().slice(0, 19).replace('T', ' '),
  };
  const body = { amount: AMOUNT, currency: 'EUR', ...job, referenceUuid, paymentType: 'SD', testMode: MODE };
  ({ id: schedule } = await send('POST', '/v1/schedules', body));
  await until('the first delivery', SETTLE_MS, isAllDelivered);
}

/** Lets the review of a payment end, and kills the gateway around a commit; returns the payment once another process has ended it. */
async function killAtDeadline(nowMs: number, commit: number, isWritten: boolean): Promise<string> {
  const { id, result } = await pay('99.00');
  expect(result.code).toBe(UNDER_REVIEW);
  goOn(nowMs + REVIEW_MS, commit, isWritten);
  expect(await node?.ended).toBe('signal SIGKILL');
  // The process that starts anew has its home for itself: it waits for no lease.
  order(nowMs + REVIEW_MS + 1_000);
  await start();
  await until('the end of a review, and its delivery', SETTLE_MS, async () => {
    const { result: now } = await send('GET', `/v1/payments/${id}`);
    return now.code === REVIEW_OVER ? isAllDelivered() : undefined;
  });
  return id;
}

/** Lets a day's run begin, and kills the gateway around one of its commits; starts it again a second later. */
async function killAt(day: number, commit: number, isWritten: boolean): Promise<void> {
  goOn(nine(day) + 500, commit, isWritten);
  expect(await node?.ended).toBe('signal SIGKILL');
  order(nine(day) + 1_500);
  await start();
  let isLate = false;
  await until(`the run of day ${day}, and its delivery`, SETTLE_MS, async () => {
    const { lastExecutions, retryAt } = await send('GET', `/v1/schedules/${schedule}`);
    const [last] = lastExecutions;
    if (!last || Date.parse(isoOf(last.at)) !== nine(day)) return undefined;
    const { result } = await send('GET', `/v1/payments/${last.paymentId}`);
    // The acquirer never saw it: the run is made again after some minutes.
    if (retryAt !== undefined && !isLate) {
      isLate = true;
      goOn(Date.parse(isoOf(retryAt)) + 1_000);
    }
    return result.code === APPROVED ? isAllDelivered() : undefined;
  });
}

async function isAllDelivered(): Promise<true | undefined> {
  const { deliveries } = await send('GET', `/v1/webhooks/${endpoint}/deliveries`);
  const isWaiting = deliveries.length === 0 || deliveries.some(({ state }) => state !== 'delivered');
  return isWaiting ? undefined : true;
}

/** Lets the clock of the gateway go on. */
function goOn(toMs: number, commit = 0, isWritten = false): void {
  order(toMs, commit, isWritten);
  process.kill(node?.pid ?? 0, 'SIGUSR2');
}

const isoOf = (text = '') => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`;

describe('kill -9 of the gateway around each commit of its workers', () => {
  it(
    'ends a payment at the deadline of its review once',
    async () => {
      let nowMs = Date.now();
      const ids: string[] = [];
      for (const [commit, isWritten] of DEADLINE_KILLS) {
        ids.push(await killAtDeadline(nowMs, commit, isWritten));
        nowMs += REVIEW_MS + 1_000;
      }
      const notified = receiver.received.map((one) => decipher(one, key).payload.id);
      for (const id of ids) expect(notified).toContain(id);
      const sequences = [...numbers()].sort((one, other) => one - other);
      expect(sequences).toEqual(ids.map((_, at) => at + 1));
    },
    2 * SETTLE_MS,
  );

  it(
    'loses, doubles and skips no run and no number of a delivery',
    async () => {
      if (host) await followClock(host);
      await schedulePayment();
      for (const [day, [commit, isWritten]] of KILLS.entries()) await killAt(day, commit, isWritten);
      await node?.stop();
      const store = await SqliteStore.open(gatewayFiles(gateways.homeOf('a')).database);
      const runs = await store.findRange('scheduleRuns', 'time', { equals: [schedule] });
      const payments = await Promise.all(runs.map(({ paymentId }) => store.get('payments', [paymentId])));
      const taken = runs.filter((_, at) => payments[at]?.state === 'captured').map(({ runAtMs }) => runAtMs);
      const days = KILLS.map((_, at) => nine(at));
      // A run that was killed before the acquirer saw it has failed, and was made again for the same time.
      expect(taken.sort()).toEqual(days);
      expect(new Set(runs.map(({ runAtMs }) => runAtMs))).toEqual(new Set(days));
      const deliveries = await store.findRange('deliveries', 'primary', { equals: [endpoint], from: 0 });
      const expected = Array.from({ length: deliveries.length }, (_, at) => at + 1);
      expect(deliveries.map(({ sequence }) => sequence)).toEqual(expected);
      expect([...numbers()].sort((a, b) => a - b)).toEqual(expected);
      expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(deliveries.length);
      expect(deliveries.length).toBe(DEADLINE_KILLS.length + 1 + runs.length);
      await store.close();
    },
    4 * SETTLE_MS,
  );
});
