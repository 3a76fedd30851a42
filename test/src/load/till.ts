import { createPrivateKey, createPublicKey } from 'node:crypto';
import { closeSync, fsync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openSessionDriver } from '@tillbridge/agent/drivers/core/session-driver.js';
import { deviceTypeSpec } from '@tillbridge/agent/drivers/device-types.js';
import { BlobCipher } from '@tillbridge/agent/journal/blob-cipher.js';
import { SEALING_KEY_BYTES } from '@tillbridge/agent/journal/sealed-bytes.js';
import { SqliteJournal } from '@tillbridge/agent/journal/sqlite-journal.js';
import { supervisePort } from '@tillbridge/agent/ports/port-supervisor.js';
import { DEFAULT_POLICY } from '@tillbridge/agent/sale/machine/state/policy.js';
import { SaleRunner } from '@tillbridge/agent/sale/runner.js';
import { BridgeUplink } from '@tillbridge/agent/uplink/bridge-uplink.js';
import { memoryTrust } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { websocketConnector } from '@tillbridge/agent/uplink/websocket-connector.js';
import { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import { parseCardState } from '@tillbridge/hardware-sim/cards/core/card-state.js';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import { fileSlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import { AutoCardholder } from '@tillbridge/hardware-sim/terminals/core/auto-cardholder.js';
import { modelSpec } from '@tillbridge/hardware-sim/terminals/models.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { BenchChild } from './child.js';
import type { FleetAgent } from './fleet.js';
import { type LineMeter, pacedPipe } from './paced-pipe.js';

/** Sales of one agent with one simulated terminal, one after the other. */
export interface TillJob {
  readonly url: string;
  readonly identityKeys: readonly string[];
  readonly agent: FleetAgent;
  readonly model: DeviceType;
  /** The device's serial: its keys follow from it. */
  readonly serial: string;
  /** Where cards and device keep their counters: no gateway takes one twice. */
  readonly stateFolder: string;
  /** Of the line to the terminal; absent: bytes arrive at once. */
  readonly baud?: number;
  readonly sales: number;
  /** Sales before them that do not count. */
  readonly warmUps: number;
  /** A bare `ws` server that echoes; absent: no raw round trips are measured. */
  readonly echoUrl?: string;
}

/** One sale. */
export interface TillSale {
  /** From the call of the till to its answer. */
  readonly wholeMs: number;
  /** From the journal's write of the request to the journal's commit of the answer. */
  readonly bridgeMs: number;
  /** That passed over the line, both ways. */
  readonly lineBytes: number;
  /** A round trip over the bare socket, and five raw writes with a sync each; NaN where none were measured. */
  readonly rawMs: number;
}

/** Starts the agent in a separate process; it reports the list of its sales. */
export function startTill(job: TillJob): BenchChild {
  return BenchChild.start(SCRIPT, job);
}

const TERMINAL = '1';
const READY_ROUND_MS = 10;
/** About what a request is on the wire, and what one of the five commits writes. */
const MESSAGE_BYTES = 700;
const COMMIT_BYTES = 4 * 4_096;
/** Intent, ledger, result, and two writes of the journal. */
const SYNCS = 5;

/** Notes the times of the journal's writes of a sale. */
class JournalMeter {
  #startMs = Number.NaN;
  bridgeMs = Number.NaN;

  /** Stands before the journal's own `append`. */
  watch(journal: SqliteJournal): void {
    const append = journal.append.bind(journal);
    journal.append = async (write) => {
      const kinds = write.rows.map(({ kind }) => kind);
      if (kinds.includes('authorizing')) this.#startMs = performance.now();
      const rows = await append(write);
      if (kinds.includes('answered')) this.bridgeMs = performance.now() - this.#startMs;
      return rows;
    };
  }
}

/** The least that a sale needs: one round trip and the commits. */
class RawRoundTrip {
  readonly #file: number;
  readonly #socket: WebSocket;
  readonly #sync = promisify(fsync);

  constructor(home: string, url: string) {
    this.#file = openSync(join(home, 'raw'), 'w');
    this.#socket = new WebSocket(url, { perMessageDeflate: false });
  }

  opened(): Promise<void> {
    return new Promise((resolve) => this.#socket.once('open', () => resolve()));
  }

  async ms(): Promise<number> {
    const startMs = performance.now();
    const echoed = new Promise((resolve) => this.#socket.once('message', resolve));
    this.#socket.send(Buffer.alloc(MESSAGE_BYTES, 7));
    await echoed;
    for (let sync = 0; sync < SYNCS; sync += 1) {
      writeSync(this.#file, Buffer.alloc(COMMIT_BYTES, sync));
      await this.#sync(this.#file);
    }
    return performance.now() - startMs;
  }

  close(): void {
    this.#socket.terminate();
    closeSync(this.#file);
  }
}

async function sell(job: TillJob): Promise<readonly TillSale[]> {
  const home = mkdtempSync(join(tmpdir(), 'bench-till-'));
  const line: LineMeter = { bytes: 0 };
  const { ksnPin, ksnData } = defaultKsns(job.model, job.serial);
  const device = new (modelSpec(job.model).Device)({
    id: TERMINAL,
    serial: job.serial,
    transport: 'serial',
    clock,
    random,
    presentAheadMs: 10_000,
    ksnPin: Buffer.from(ksnPin, 'hex'),
    ksnData: Buffer.from(ksnData, 'hex'),
    pinKeyIndex: 1,
    dataKeyIndex: 1,
    slot: (name, parse) => fileSlot(join(job.stateFolder, job.serial, `${name}.json`), parse),
    onFault: (error) => {
      throw error;
    },
  });
  const box = new CardBox((name) => fileSlot(join(job.stateFolder, `${name}.json`), parseCardState));
  const cardholder = new AutoCardholder(device.ui, {
    clock,
    box,
    defaultCard: 'visa-credit-online',
    delayMs: 0,
  });
  const port = supervisePort({
    clock,
    open: async () => {
      const [host, end] = memoryPipe();
      const { baud } = job;
      device.attach(baud === undefined ? end : pacedPipe(end, baud, line));
      return baud === undefined ? host : pacedPipe(host, baud, line);
    },
  });
  const log = pino({ level: 'silent' });
  const place = {
    country: '276',
    currency: 'EUR',
    merchantCategory: '5999',
    merchantId: 'BENCH',
    terminalId: TERMINAL,
  };
  const { openMaker } = await deviceTypeSpec(job.model).load();
  const openLine = openMaker({ clock, transport: 'serial', idleText: '', place });
  const driver = openSessionDriver({ port, clock, log, openLine });
  const cipher = new BlobCipher(random.bytes(SEALING_KEY_BYTES), random);
  const journal = await SqliteJournal.open({ path: join(home, 'journal.db'), cipher, clock });
  const meter = new JournalMeter();
  meter.watch(journal);
  const profile = { id: TERMINAL, deviceType: job.model, deviceId: '1', pinEntryAvailable: true };
  const terminals = [{ profile, driver }];
  const runner = new SaleRunner({ journal, clock, random, policy: DEFAULT_POLICY, terminals });
  const privateKey = createPrivateKey(job.agent.privateKeyPem);
  const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  const identityKeys = job.identityKeys.map((key) => Buffer.from(key, 'base64'));
  const uplink = new BridgeUplink({
    speaker: {
      identity: { agentId: job.agent.agentId, privateKey, publicKeyPem },
      bootId: 'bench',
      generation: 1,
      software: 'bench',
    },
    connect: websocketConnector(job.url),
    trust: memoryTrust({ identityKeys, tlsPins: [], authorities: [] }),
    queue: runner.queue,
    terminals: () => [],
    clock,
    random,
    log,
  });
  await runner.start(uplink);
  uplink.start();
  while (driver.state !== 'ready' || uplink.state !== 'up')
    await new Promise((resolve) => setTimeout(resolve, READY_ROUND_MS));
  const raw = job.echoUrl === undefined ? undefined : new RawRoundTrip(home, job.echoUrl);
  await raw?.opened();
  const sales: TillSale[] = [];
  for (let at = 0; at < job.warmUps + job.sales; at += 1) {
    line.bytes = 0;
    const startMs = performance.now();
    const answer = await runner.service.request({
      // A reference is sold once for ever: another process of this agent begins with others.
      reference: `bench-${process.pid}-${at}`,
      type: 'sale',
      amount: { minor: 1_234, currency: 'EUR' },
    });
    const wholeMs = performance.now() - startMs;
    if (answer.outcome !== 'approved')
      throw new Error(`sale ${at} on ${job.model} came to ${answer.outcome}: ${answer.cashierText}`);
    const rawMs = (await raw?.ms()) ?? Number.NaN;
    if (at >= job.warmUps) sales.push({ wholeMs, bridgeMs: meter.bridgeMs, lineBytes: line.bytes, rawMs });
  }
  raw?.close();
  cardholder.stop();
  await uplink.close();
  await runner.close();
  await driver.close();
  await journal.close();
  rmSync(home, { recursive: true, force: true });
  return sales;
}

const SCRIPT = fileURLToPath(import.meta.url);

if (process.argv[1] === SCRIPT)
  process.once('message', async (job: TillJob) => process.send?.({ sales: await sell(job) }));
