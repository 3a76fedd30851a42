import { createPrivateKey } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { BridgeUplink } from '@tillbridge/agent/uplink/bridge-uplink.js';
import { memoryTrust } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { MemoryQueue } from '@tillbridge/agent/uplink/memory-queue.test.support.js';
import { websocketConnector } from '@tillbridge/agent/uplink/websocket-connector.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { pino } from 'pino';
import { BenchChild } from './child.js';
import { loopbackAddress } from './loopback-address.js';

/** Agents that are connected at once, each with its own key and the uplink of a real agent; their queues are in memory. */
interface FleetJob {
  readonly url: string;
  /** Identity keys of the gateway, as SPKI in base64. */
  readonly identityKeys: readonly string[];
  readonly agents: readonly FleetAgent[];
  /** Agents behind one loopback address: the gateway limits the sockets of a peer. */
  readonly perAddress: number;
}

/** One of them. */
export interface FleetAgent {
  readonly agentId: string;
  readonly privateKeyPem: string;
}

/** A report of the fleet. */
type FleetReport =
  /** All agents have a session again. */
  | { readonly kind: 'all-up'; readonly atMs: number }
  /** All messages are out of the queues; `repeated` were acknowledged more than once. */
  | { readonly kind: 'all-ended'; readonly atMs: number; readonly repeated: number };

/** Agents that begin to connect at once when the fleet starts; all others follow. */
const STEP = 200;

/** Starts a fleet in a separate process. */
export function startFleet(job: FleetJob): BenchChild {
  return BenchChild.start(SCRIPT, job);
}

/** The next report of the fleet of this kind. */
export async function fleetReport<K extends FleetReport['kind']>(
  fleet: BenchChild,
  kind: K,
): Promise<Extract<FleetReport, { kind: K }>> {
  for (;;) {
    const next = await fleet.next<FleetReport>();
    if (next.kind === kind) return next as Extract<FleetReport, { kind: K }>;
  }
}

class Fleet {
  readonly #queues: readonly MemoryQueue[];
  readonly #uplinks: readonly BridgeUplink[];
  #up = 0;
  #sequence = 0;

  constructor({ url, identityKeys, agents, perAddress }: FleetJob) {
    const pins = {
      identityKeys: identityKeys.map((key) => Buffer.from(key, 'base64')),
      tlsPins: [],
      authorities: [],
    };
    const log = pino({ level: 'silent' });
    this.#queues = agents.map(() => new MemoryQueue());
    this.#uplinks = agents.map(({ agentId, privateKeyPem }, at) => {
      const privateKey = createPrivateKey(privateKeyPem);
      const options: ConnectionOptions & { readonly localAddress: string } = {
        localAddress: loopbackAddress(Math.floor(at / perAddress)),
      };
      return new BridgeUplink({
        speaker: {
          identity: { agentId, privateKey, publicKeyPem: '' },
          bootId: `boot-${agentId}`,
          generation: 1,
          software: 'bench',
        },
        connect: websocketConnector(url, () => options),
        trust: memoryTrust(pins),
        queue: this.#queues[at] ?? new MemoryQueue(),
        terminals: () => [],
        clock,
        random,
        log,
      });
    });
    for (const uplink of this.#uplinks) {
      let isUp = false;
      uplink.onState((state) => {
        if ((state === 'up') === isUp) return;
        isUp = state === 'up';
        this.#up += isUp ? 1 : -1;
        if (this.#up === agents.length) send({ kind: 'all-up', atMs: Date.now() });
      });
    }
  }

  async start(): Promise<void> {
    for (const [at, uplink] of this.#uplinks.entries()) {
      uplink.start();
      if (at % STEP === STEP - 1) await new Promise((resolve) => setTimeout(resolve, STEP));
    }
  }

  /** Gives each agent the next message of its stream; reports when all have ended. */
  send(): void {
    this.#sequence += 1;
    for (const queue of this.#queues) queue.add('1', this.#sequence);
    const look = setInterval(() => {
      if (this.#queues.some((queue) => queue.depth() > 0)) return;
      clearInterval(look);
      const repeated = this.#queues.filter(({ ended }) => new Set(ended).size !== ended.length).length;
      send({ kind: 'all-ended', atMs: Date.now(), repeated });
    }, 50);
  }
}

function send(report: FleetReport): void {
  process.send?.(report);
}

const SCRIPT = fileURLToPath(import.meta.url);

if (process.argv[1] === SCRIPT) {
  process.once('message', (job: FleetJob) => {
    const fleet = new Fleet(job);
    process.on('message', () => fleet.send());
    void fleet.start();
  });
}
