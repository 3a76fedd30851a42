import { createPrivateKey } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { TestAgent } from '@tillbridge/gateway/core/bridge/test-agent.test.support.js';
import { offline, sale } from '@tillbridge/gateway/core/bridge/wire-examples.test.support.js';
import { VISA } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import type { DeviceRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { exampleDevice } from '@tillbridge/gateway/security/devices/device-example.test.support.js';
import {
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '@tillbridge/gateway/security/module/card-example.test.support.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import { Disposition, type PosData } from '@tillbridge/wire/bridge/messages.js';
import { advanceKsn } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { BenchChild } from './child.js';
import type { FleetAgent } from './fleet.js';

/** Agents with full queues, and agents that sell meanwhile. */
export interface DrainJob {
  readonly url: string;
  /** The first of them drain, the others sell. */
  readonly agents: readonly FleetAgent[];
  readonly draining: number;
  /** Terminals of each agent, and so streams. */
  readonly terminals: number;
  /** Records of all draining agents together. */
  readonly records: number;
  /** From one live sale of an agent to its next, and for how long they sell before the drain begins. */
  readonly saleEveryMs: number;
  readonly quietMs: number;
}

/** What a drain came to. */
export interface DrainResult {
  readonly drainMs: number;
  /** Records that were acknowledged as approved, each counted once. */
  readonly acknowledged: number;
  /** Answer times of live sales before the drain and during it. */
  readonly quietMs: readonly number[];
  readonly concurrentMs: readonly number[];
}

/** Starts the agents in a separate process. */
export function startDrain(job: DrainJob): BenchChild {
  return BenchChild.start(SCRIPT, job);
}

/** The initial KSN of a device: the key set of example devices, and the number of agent and terminal. */
function drainKsn(agent: number, terminal: number): string {
  const device = (agent * 16 + terminal).toString(16).padStart(4, '0');
  return `FFFF987700${device}000000`.toUpperCase();
}

/** The KSNs of a device, from its first transaction on; each call gives the next. */
export function drainKsns(agent: number, terminal: number): () => Buffer {
  let ksn: Buffer = Buffer.from(drainKsn(agent, terminal), 'hex');
  return () => {
    ksn = advanceKsn(ksn);
    return ksn;
  };
}

/** The devices of agents, one at each terminal, as the agents here use them. */
export function deviceRowsOf(agents: number, terminals: number): readonly DeviceRow[] {
  return Array.from({ length: agents }, (_agent, agent) =>
    Array.from({ length: terminals }, (_terminal, at) =>
      exampleDevice({
        serial: `DRAIN${agent}T${at + 1}`,
        accountKsn: drainKsn(agent, at + 1),
        pinKsn: null,
        agentId: `bench-${agent}`,
        terminalId: String(at + 1),
      }),
    ),
  ).flat();
}

/** When the records were decided: during the outage, before any of them comes. */
const DECIDED_MS = Date.now();

const TRACK_2 = track2Of(VISA, '4315');
/** Counters of the card: each is taken once, by whatever sale. */
let atc = 0;

/** Today, as chips write it: `YYMMDD`. */
const TODAY = new Date().toISOString().slice(2, 10).replaceAll('-', '');

function pos(base: PosData | undefined, type: 'ARQC' | 'TC', terminal: number, ksn: Buffer): PosData {
  if (!base) throw new Error('the example has no terminal');
  atc += 1;
  const chip = { scheme: 'visa', pan: VISA, type, atc: atc.toString(16).padStart(4, '0') } as const;
  return {
    ...base,
    terminalId: String(terminal),
    iccData: exampleIccData({ ...chip, date: TODAY }),
    sred: encipheredTrack2(TRACK_2, ksn),
  };
}

async function connected(url: string, agents: readonly FleetAgent[]): Promise<readonly TestAgent[]> {
  const all: TestAgent[] = [];
  for (const { agentId, privateKeyPem } of agents) {
    const agent = new TestAgent(url);
    await agent.hello({ agentId, bootId: agentId }, createPrivateKey(privateKeyPem));
    await agent.next('welcome');
    all.push(agent);
  }
  return all;
}

/** Sells at its pace until its end is requested; notes each answer's time in the list of the moment. */
async function sell(agent: TestAgent, number: number, job: DrainJob, times: () => number[] | undefined) {
  const nextKsn = drainKsns(number, 1);
  for (let at = 1; ; at += 1) {
    const startMs = performance.now();
    const list = times();
    if (!list) return;
    const body = sale(`live-${number}-${at}`);
    agent.say('authorizationRequest', { ...body, pos: pos(body.pos, 'ARQC', 1, nextKsn()) }, body.reference);
    await agent.next('authorizationAnswer');
    const tookMs = performance.now() - startMs;
    list.push(tookMs);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, job.saleEveryMs - tookMs)));
  }
}

/** Sends the records of an agent with as many on the way as the gateway allows; returns how many were approved. */
async function drain(
  agent: TestAgent,
  number: number,
  bodies: readonly ReturnType<typeof offline>[],
): Promise<number> {
  const approved = new Set<string>();
  const sequences = new Map<string, number>();
  let [sent, answered] = [0, 0];
  const send = (): void => {
    const body = bodies[sent];
    sent += 1;
    if (!body?.pos) return;
    const { terminalId } = body.pos;
    const sequence = (sequences.get(terminalId) ?? 0) + 1;
    sequences.set(terminalId, sequence);
    const id = `record-${number}-${sent}`;
    const decided = { decidedAtMs: DECIDED_MS, ageMs: Date.now() - DECIDED_MS };
    agent.stream('offlineRecord', sequence, id, { ...body, ...decided }, terminalId);
  };
  for (let credit = 0; credit < BRIDGE_LIMITS.backlogCredits; credit += 1) send();
  while (answered < bodies.length) {
    const { messageId, outcome } = await agent.next('acknowledgement');
    answered += 1;
    if (outcome?.disposition === Disposition.APPROVED) approved.add(messageId);
    send();
  }
  return approved.size;
}

async function run(job: DrainJob): Promise<DrainResult> {
  const { draining, terminals, records } = job;
  const each = draining === 0 ? 0 : records / draining;
  const bodies = Array.from({ length: draining }, (_agent, number) => {
    const nextKsns = Array.from({ length: terminals }, (_terminal, at) => drainKsns(number, at + 1));
    return Array.from({ length: each }, (_record, at) => {
      const ksn = nextKsns[at % terminals]?.() ?? Buffer.alloc(0);
      const body = offline(`R-${number}-${at}`);
      return { ...body, pos: pos(body.pos, 'TC', 1 + (at % terminals), ksn) };
    });
  });
  const agents = await connected(job.url, job.agents);
  const [quietMs, concurrentMs]: [number[], number[]] = [[], []];
  let times: number[] | undefined = quietMs;
  const selling = agents.slice(draining).map((agent, at) => sell(agent, draining + at, job, () => times));
  await new Promise((resolve) => setTimeout(resolve, job.quietMs));
  times = concurrentMs;
  const startMs = performance.now();
  const done = await Promise.all(
    agents.slice(0, draining).map((agent, number) => drain(agent, number, bodies[number] ?? [])),
  );
  const drainMs = performance.now() - startMs;
  times = undefined;
  await Promise.all(selling);
  for (const agent of agents) agent.socket.terminate();
  return { drainMs, acknowledged: done.reduce((sum, count) => sum + count, 0), quietMs, concurrentMs };
}

const SCRIPT = fileURLToPath(import.meta.url);

if (process.argv[1] === SCRIPT)
  process.once('message', async (job: DrainJob) => process.send?.(await run(job)));
