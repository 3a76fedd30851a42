import { createDecipheriv, createSecretKey } from 'node:crypto';
import type { DeliverDeps } from '@tillbridge/gateway/features/webhooks/deliver.js';
import { WebhookKeys } from '@tillbridge/gateway/features/webhooks/webhook-keys.js';
import { EgressError } from '@tillbridge/gateway/kernel/egress/egress-error.js';
import type { WebhookEndpointRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import type { RareSituation } from '../situations/rare-situations.js';

type Sent = Parameters<DeliverDeps['egress']['send']>[0];
type Answer = Awaited<ReturnType<DeliverDeps['egress']['send']>>;

/** Key that keys of endpoints are sealed under. */
const TOKEN_KEY = createSecretKey(Buffer.alloc(32, 6));

const ON_ITS_WAY_MS = { min: 2, max: 400 } as const;
/** What becomes of a delivery while there are faults. */
const ENDS = { taken: 80, lost: 6, answerLost: 6, refused: 5, refusedAfterwards: 3 } as const;
/** A gateway waits so long for an answer. */
const TIMEOUT_MS = 10_000;

/** What a merchant's server got under one number. */
export interface Notification {
  readonly sequence: number;
  /** Id of the event. */
  readonly id: string;
  readonly type: string;
  readonly payload: {
    readonly id?: string;
    readonly result?: { readonly code?: string };
    readonly amount?: string;
    readonly currency?: string;
  };
}

/** An endpoint of a merchant, and what was received there, by number. */
export interface WebhookReceiver {
  readonly endpointId: string;
  readonly entityId: string;
  readonly received: ReadonlyMap<number, Notification>;
}

interface Receiver extends WebhookReceiver {
  readonly key: Buffer;
  readonly rows: readonly Change[];
  readonly received: Map<number, Notification>;
  readonly texts: Map<number, string>;
}

/** What servers of merchants are run with. */
interface WebhookReceiversDeps extends SimulationDeps {
  /** Merchants with an endpoint each. */
  readonly entityIds: readonly string[];
  readonly beginMs: number;
  /** Whether requests and answers may be lost. */
  readonly hasFaults: () => boolean;
  readonly saw: (situation: RareSituation) => void;
  readonly breach: (text: string) => void;
}

/** Servers of merchants that get notifications: they answer late, fail, or take what they answer nothing to. They record what they took. */
export class WebhookReceivers {
  readonly all: readonly WebhookReceiver[];
  /** What gateways open the keys of endpoints with. */
  readonly keys: WebhookKeys;
  readonly #with: WebhookReceiversDeps;
  readonly #receivers: readonly Receiver[];

  constructor(deps: WebhookReceiversDeps) {
    this.#with = deps;
    this.keys = new WebhookKeys(TOKEN_KEY, deps.random.branch('keys'));
    this.#receivers = deps.entityIds.map((entityId, at) => this.#receiver(entityId, at));
    this.all = this.#receivers;
  }

  /** The endpoints on the first day. */
  get rows(): readonly Change[] {
    return this.#receivers.flatMap(({ rows }) => rows);
  }

  /** A delivery arrives, or not. @throws EgressError where no answer comes back */
  async post({ url, headers = {}, body }: Sent): Promise<Answer> {
    const { random, hasFaults } = this.#with;
    const receiver = this.#receivers.find(({ endpointId }) => url.endsWith(endpointId));
    if (!receiver || !body) throw new Error(`a notification is sent to ${url}`);
    const end = hasFaults() ? random.weighted(ENDS) : 'taken';
    await this.#sleep(random.whole(ON_ITS_WAY_MS.min, ON_ITS_WAY_MS.max));
    if (end !== 'lost' && end !== 'refused') this.#take(receiver, headers, Buffer.from(body));
    if (end === 'lost' || end === 'answerLost') {
      await this.#sleep(TIMEOUT_MS);
      throw new EgressError('timed-out', 'the answer does not come');
    }
    await this.#sleep(random.whole(ON_ITS_WAY_MS.min, ON_ITS_WAY_MS.max));
    return { status: end === 'taken' ? 204 : 500, body: Buffer.alloc(0) };
  }

  #take(receiver: Receiver, headers: Readonly<Record<string, string>>, body: Buffer): void {
    const { breach, saw } = this.#with;
    const iv = Buffer.from(headers['X-Initialization-Vector'] ?? '', 'hex');
    const decipher = createDecipheriv('aes-256-gcm', receiver.key, iv);
    decipher.setAuthTag(Buffer.from(headers['X-Authentication-Tag'] ?? '', 'hex'));
    const clear = [decipher.update(Buffer.from(body.toString('latin1'), 'hex')), decipher.final()];
    const text = Buffer.concat(clear).toString('utf8');
    const notification = JSON.parse(text) as Notification;
    const before = receiver.texts.get(notification.sequence);
    if (before !== undefined) saw('notification received twice');
    if (before !== undefined && before !== text)
      breach(`notification ${notification.sequence} came again with another content`);
    receiver.texts.set(notification.sequence, text);
    receiver.received.set(notification.sequence, notification);
  }

  #receiver(entityId: string, at: number): Receiver {
    const { random, beginMs } = this.#with;
    const endpointId = String(at + 1).repeat(32);
    const key = Buffer.from(random.branch(`key ${at}`).bytes(32));
    const { stored } = this.keys.make(endpointId, beginMs, key.toString('hex'));
    const row: WebhookEndpointRow = {
      ...{ id: endpointId, entityId, url: `https://merchant.example/${endpointId}` },
      types: '["PAYMENT","REGISTRATION"]',
      scope: 'all',
      format: 'hex',
      state: 'active',
      ...{
        keys: JSON.stringify([stored]),
        note: null,
        testedAtMs: beginMs,
        createdAtMs: beginMs,
        version: 1,
      },
    };
    return {
      ...{ endpointId, entityId, key, received: new Map(), texts: new Map() },
      rows: [
        { op: 'insert', table: 'webhookEndpoints', row },
        { op: 'insert', table: 'deliveryCounters', row: { endpointId, lastSequence: 0, version: 1 } },
      ],
    };
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#with.clock.setTimer(ms, resolve);
    });
  }
}
