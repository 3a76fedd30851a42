import { generateKeyPairSync } from 'node:crypto';
import { Agent, request } from 'node:http';
import {
  CARD,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
} from '@tillbridge/gateway/app/http/http-harness.test.support.js';
import { attachBridge } from '@tillbridge/gateway/core/bridge/endpoint.js';
import {
  TEST_IDENTITY,
  TEST_PINS,
  TestAgent,
} from '@tillbridge/gateway/core/bridge/test-agent.test.support.js';
import { sale } from '@tillbridge/gateway/core/bridge/wire-examples.test.support.js';
import {
  ENTITY,
  exampleDevice,
  NOW_MS,
  QUIET,
  storeOf,
  VISA,
} from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { Alerts } from '@tillbridge/gateway/kernel/alerts/alerts.js';
import { everyRate } from '@tillbridge/gateway/kernel/http/throttle/testing/every-rate.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { newAgentRow } from '@tillbridge/gateway/security/agents/agent-row.js';
import {
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '@tillbridge/gateway/security/module/card-example.test.support.js';
import { MessageSeal } from '@tillbridge/gateway/security/vault/message-seal.js';
import { testKeyRing } from '@tillbridge/gateway/security/vault/testing/test-key-ring.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { type Bodies, Disposition } from '@tillbridge/wire/bridge/messages.js';
import { type BenchRow, median, round2 } from './rows/measure.js';

/** Stores that sell at once, one sale at a time each; as many REST clients pay. */
const AGENTS = 256;
/** Sales of each store and payments of each client in a round. */
const SALES = 4;
/** Rounds that count; bridge and REST take turns, so that a busy machine slows both sides of a round alike. */
const ROUNDS = 6;
/** Rounds before them that warm everything up. */
const WARM_UPS = 1;
/** What the bridge shall reach of the rate over REST, which checks no cryptogram and no account data. */
const GOAL = 1;
/** The rate of the throttle: it holds back no client here. */
const NO_THROTTLE = { perSecond: 1_000_000, burst: 1_000_000 };

type Sale = Bodies['authorizationRequest'];

/**
 * EMV authorizations a second over the bridge, compared with REST payments of the same run on the same gateway: SQLite with a sync
 * for each group of commits, the INTERNAL acquirer with its own file, and all clients in this process.
 */
export async function benchBridgeSales(): Promise<BenchRow[]> {
  const harness = await openHttpHarness(storeOf('sqlite'), {
    rates: everyRate(NO_THROTTLE),
  });
  const alerts = new Alerts({ ...harness, log: QUIET });
  const bridge = attachBridge({
    server: harness.server,
    service: harness.service,
    store: harness.store,
    clock: harness.clock,
    random: systemRandom,
    seal: new MessageSeal(testKeyRing()),
    log: QUIET,
    strangers: new StrangerLog({ log: QUIET, clock: harness.clock }),
    alerts,
    trust: { signingKey: TEST_IDENTITY, pins: () => TEST_PINS, alert: (raised) => void alerts.raise(raised) },
    // All agents come from one address, at once.
    limits: { maxUnprovenOfPeer: AGENTS, newSocketsBurst: AGENTS },
  });
  const agents = await joined(harness);
  const connections = new Agent({ keepAlive: true, maxSockets: AGENTS });
  const [own, base]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
      const batches = agents.map((_agent, at) => salesOf(at, round));
      const bridged = await rate(() =>
        Promise.all(agents.map((agent, at) => sell(agent, batches[at] ?? []))),
      );
      const paid = await rate(() => Promise.all(agents.map(() => pay(harness, connections))));
      if (round < WARM_UPS) continue;
      own.push(bridged);
      base.push(paid);
    }
  } finally {
    connections.destroy();
    for (const agent of agents) agent.socket.terminate();
    await bridge.close();
    await harness.dispose();
  }
  return [row(own, base)];
}

function row(own: readonly number[], base: readonly number[]): BenchRow {
  return {
    name: `bridge-sales: EMV authorizations over the bridge, ${AGENTS} agents, against REST payments`,
    value: Math.round(median(own)),
    unit: '1/s',
    baseline: Math.round(median(base)),
    ratio: round2(median(own.map((value, at) => value / (base[at] ?? Number.NaN)))),
    goal: GOAL,
  };
}

/** Sales or payments a second. */
async function rate(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (AGENTS * SALES * 1_000) / (performance.now() - startMs);
}

const agentId = (at: number): string => `bench-${at}`;

/** Registers the agents and connects them. */
async function joined(harness: HttpHarness): Promise<readonly TestAgent[]> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const numbers = Array.from({ length: AGENTS }, (_none, at) => at);
  await harness.store.commit(numbers.flatMap((at) => registration(at, pem)));
  const url = `${harness.url.replace('http', 'ws')}/bridge`;
  return Promise.all(
    numbers.map(async (at) => {
      const agent = new TestAgent(url);
      await agent.hello({ agentId: agentId(at) }, privateKey);
      await agent.next('welcome');
      return agent;
    }),
  );
}

/** An agent with its terminal and the device there. */
function registration(at: number, publicKey: string): readonly Change[] {
  const agent = newAgentRow({ id: agentId(at), entityId: ENTITY, publicKey, terminals: ['1'] }, NOW_MS);
  const device = exampleDevice(1, {
    serial: `bench-${at}`,
    accountKsn: Buffer.from(ksnOf(at, 0)).toString('hex').toUpperCase(),
    pinKsn: null,
    agentId: agentId(at),
  });
  return [
    { op: 'insert', table: 'agents', row: agent },
    { op: 'insert', table: 'devices', row: device },
  ];
}

/** The sales of a store's round, made before the clock runs: no counter of card or terminal comes twice. */
function salesOf(at: number, round: number): readonly Sale[] {
  return Array.from({ length: SALES }, (_none, number) => {
    const transaction = round * SALES + number + 1;
    const atc = (transaction * AGENTS + at).toString(16).padStart(4, '0');
    const { pos, ...body } = sale(`R-${transaction}`);
    if (!pos) throw new Error('the example has no terminal');
    const iccData = exampleIccData({ scheme: 'visa', pan: VISA, atc });
    return { ...body, pos: { ...pos, iccData, sred: encipheredTrack2(TRACK_2, ksnOf(at, transaction)) } };
  });
}

const TRACK_2 = track2Of(VISA, '4315');

/** Key set, device and counter (X9.24-1). */
function ksnOf(at: number, transaction: number): Uint8Array {
  const device = at.toString(16).padStart(4, '0');
  return Buffer.from(`FFFF987700${device}${transaction.toString(16).padStart(6, '0')}`, 'hex');
}

async function sell(agent: TestAgent, sales: readonly Sale[]): Promise<void> {
  for (const body of sales) {
    agent.say('authorizationRequest', body, body.reference);
    const { outcome } = await agent.next('authorizationAnswer');
    if (outcome?.disposition !== Disposition.APPROVED)
      throw new Error(`sale ${body.reference} came to ${outcome?.resultCode ?? 'no outcome'}`);
  }
}

const FORM = new URLSearchParams({ entityId: ENTITY, ...CARD }).toString();

async function pay(harness: HttpHarness, connections: Agent): Promise<void> {
  for (let number = 0; number < SALES; number += 1) {
    const status = await post(`${harness.url}/v1/payments`, connections);
    if (status !== 200) throw new Error(`a payment over REST came to ${status}`);
  }
}

function post(url: string, agent: Agent): Promise<number | undefined> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode))
        .on('error', reject);
    });
    sent.on('error', reject).end(FORM);
  });
}
