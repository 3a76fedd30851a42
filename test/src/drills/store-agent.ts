import { createPrivateKey } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { StreamEnvelope } from '@tillbridge/agent/journal/forward-queue.js';
import { BridgeUplink } from '@tillbridge/agent/uplink/bridge-uplink.js';
import { memoryTrust } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { MemoryQueue } from '@tillbridge/agent/uplink/memory-queue.test.support.js';
import { websocketConnector } from '@tillbridge/agent/uplink/websocket-connector.js';
import { reversal, sale } from '@tillbridge/gateway/core/bridge/wire-examples.test.support.js';
import { VISA } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import {
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '@tillbridge/gateway/security/module/card-example.test.support.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import { Disposition, type GatewayPins, type Outcome } from '@tillbridge/wire/bridge/messages.js';
import { pino } from 'pino';
import { drainKsns } from '../load/drain.js';
import type { FleetAgent } from '../load/fleet.js';
import { type ReportedOutcomes, SALE_WITHOUT_ANSWER } from './reported-outcomes.js';

/** How long a store waits for the answer to a sale before it reverses it, in milliseconds. */
const ANSWER_MS = 3_000;
const TERMINAL = '1';
const TRACK_2 = track2Of(VISA, '4315');
/** The counter of the card that all stores take: each value is used once. */
let atc = 0;

/** A store and its gateway. */
interface StoreDeps {
  readonly agent: FleetAgent;
  /** Its number: the key serial numbers of its terminal follow from it. */
  readonly number: number;
  readonly port: number;
  readonly pins: GatewayPins;
  readonly reported: ReportedOutcomes;
}

/** A queue that reports when a message has been taken. */
class WatchedQueue extends MemoryQueue {
  readonly #waiting = new Map<string, (how: 'acknowledged' | 'parked') => void>();

  /** Adds a message; resolves when the gateway has taken or parked it. */
  sent(envelope: StreamEnvelope): Promise<'acknowledged' | 'parked'> {
    return new Promise((resolve) => {
      this.#waiting.set(envelope.id, resolve);
      this.put(envelope);
    });
  }

  override async acknowledged(messageId: string, outcome: Outcome): Promise<void> {
    await super.acknowledged(messageId, outcome);
    this.#ended(messageId, 'acknowledged');
  }

  override async parked(messageId: string, reason: Parameters<MemoryQueue['parked']>[1]): Promise<void> {
    await super.parked(messageId, reason);
    this.#ended(messageId, 'parked');
  }

  #ended(messageId: string, how: 'acknowledged' | 'parked'): void {
    this.#waiting.get(messageId)?.(how);
    this.#waiting.delete(messageId);
  }
}

/** A store with the uplink of a real agent: it sells with a chip card, and reverses what has no answer. */
export class StoreAgent {
  readonly #uplink: BridgeUplink;
  readonly #queue = new WatchedQueue();
  readonly #reported: ReportedOutcomes;
  readonly #number: number;
  readonly #nextKsn: () => Buffer;
  #sales = 0;
  #sequence = 0;

  constructor({ agent, number, port, pins, reported }: StoreDeps) {
    this.#reported = reported;
    this.#number = number;
    this.#nextKsn = drainKsns(number, Number(TERMINAL));
    const privateKey = createPrivateKey(agent.privateKeyPem);
    // The gateway counts the sockets of an address.
    const options: ConnectionOptions & { readonly localAddress: string } = {
      localAddress: `127.2.0.${1 + number}`,
    };
    this.#uplink = new BridgeUplink({
      speaker: {
        identity: { agentId: agent.agentId, privateKey, publicKeyPem: '' },
        bootId: `boot-${agent.agentId}`,
        generation: 1,
        software: 'drill',
      },
      connect: websocketConnector(`ws://127.0.0.1:${port}/bridge`, () => options),
      trust: memoryTrust(pins),
      queue: this.#queue,
      terminals: () => [],
      clock,
      random,
      log: pino({ level: 'silent' }),
    });
    this.#uplink.start();
  }

  /** Makes one sale; resolves when its outcome is known: the answer, or that it is reversed. */
  async sell(): Promise<void> {
    this.#sales += 1;
    atc += 1;
    const id = newMessageId(clock.nowMs(), random);
    const { pos, ...body } = sale(`D-${this.#number}-${this.#sales}`, { journaledAtMs: clock.nowMs() });
    if (!pos) throw new Error('the example has no terminal');
    const iccData = exampleIccData({ scheme: 'visa', pan: VISA, atc: atc.toString(16).padStart(4, '0') });
    const request = { ...body, pos: { ...pos, iccData, sred: encipheredTrack2(TRACK_2, this.#nextKsn()) } };
    const outcome = await this.#authorize(id, request);
    if (outcome) {
      const isApproved = outcome.disposition === Disposition.APPROVED;
      this.#reported.sales.set(id, isApproved ? 'approved' : 'declined');
      return;
    }
    this.#reported.fault(SALE_WITHOUT_ANSWER);
    this.#sequence += 1;
    const how = await this.#queue.sent({
      id: newMessageId(clock.nowMs(), random),
      terminalId: TERMINAL,
      sequence: this.#sequence,
      kind: 'reversal',
      body: { ...reversal(id), reference: request.reference },
    });
    this.#reported.sales.set(id, 'reversed');
    if (how === 'parked') this.#reported.breaches.push(`the reversal of ${id} was parked`);
  }

  close(): Promise<void> {
    return this.#uplink.close();
  }

  /** The answer; undefined where the link was lost, or it took too long. */
  async #authorize(id: string, body: ReturnType<typeof sale>): Promise<Outcome | undefined> {
    const uplink = this.#uplink;
    const envelope = { id, terminalId: '', sequence: 0, kind: 'authorizationRequest', body } as const;
    return new Promise((resolve) => {
      let isSent = false;
      const end = (outcome?: Outcome): void => {
        clearTimeout(timer);
        offAnswer();
        offState();
        resolve(outcome);
      };
      const send = (): void => {
        isSent = uplink.sendLive(envelope);
        if (isSent) timer = setTimeout(end, ANSWER_MS);
      };
      let timer: NodeJS.Timeout | undefined;
      const offAnswer = uplink.onAnswer((messageId, outcome) => {
        if (messageId === id) end(outcome);
      });
      const offState = uplink.onState((state) => {
        if (isSent && state !== 'up') end();
        else if (!isSent && state === 'up') send();
      });
      send();
      if (!isSent) uplink.nudge();
    });
  }
}
