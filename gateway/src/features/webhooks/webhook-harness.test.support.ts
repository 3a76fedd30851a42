import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gcm } from '@noble/ciphers/aes.js';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { type HttpHarness, openHttpHarness, TOKEN_KEY } from '../../app/http/http-harness.test.support.js';
import type { MakeStore } from '../../core/payments/payment-harness.test.support.js';
import { Egress, type EgressDeps } from '../../kernel/egress/egress.js';
import type { WebhookDeps } from './webhook-deps.js';
import { WebhookKeys } from './webhook-keys.js';
import { Dispatcher } from './worker.js';

/** What a receiver got. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver answers; `undefined`: not at all. */
type Answering = (response: ServerResponse, received: Received) => void;

/** A receiver on this machine. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  answer: Answering;
  /** Resolves when so many deliveries have come in all. */
  has(count: number): Promise<void>;
  close(): Promise<void>;
}

export const TAKES: Answering = (response) => response.writeHead(204).end();
export const FAILS: Answering = (response) => response.writeHead(500).end('no');

/** Opens a receiver that takes what comes. */
export async function openReceiver(): Promise<Receiver> {
  let waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const received = { headers: request.headers, body };
    receiver.received.push(received);
    receiver.answer(response, received);
    for (const { count, resolve } of waiting) if (receiver.received.length >= count) resolve();
    waiting = waiting.filter(({ count }) => receiver.received.length < count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received: [],
    answer: TAKES,
    has: (count) =>
      receiver.received.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** The content of a delivery, deciphered by code that is not the gateway's. */
export function decipher(
  { headers, body }: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string },
  key: string,
): Record<string, unknown> & { readonly payload: Record<string, unknown> } {
  const header = (name: string) => {
    const [, value] = Object.entries(headers).find(([known]) => known.toLowerCase() === name) ?? [];
    return String(value);
  };
  const hex = body.startsWith('{') ? (JSON.parse(body) as { encryptedBody: string }).encryptedBody : body;
  const sealed = Buffer.from(hex + header('x-authentication-tag'), 'hex');
  const iv = Buffer.from(header('x-initialization-vector'), 'hex');
  return JSON.parse(Buffer.from(gcm(Buffer.from(key, 'hex'), iv).decrypt(sealed)).toString('utf8'));
}

/** The REST server with webhooks. */
export interface WebhookHarness extends HttpHarness {
  readonly webhooks: WebhookDeps;
  readonly dispatcher: Dispatcher;
  readonly workFaults: unknown[];
}

/** Opens the harness; receivers on this machine are allowed unless `egress` forbids it. */
export async function openWebhookHarness(
  makeStore?: MakeStore,
  egress: Partial<EgressDeps> = {},
): Promise<WebhookHarness> {
  const harness = await openHttpHarness(makeStore);
  const { store, clock } = harness;
  const rules = { allowed: peersOf(['127.0.0.1']), plainHttp: true, ...egress };
  const workFaults: unknown[] = [];
  const webhooks: WebhookDeps = {
    store,
    clock,
    random: systemRandom,
    keys: new WebhookKeys(TOKEN_KEY, systemRandom),
    egress: new Egress({ ...rules, clock }),
    rules,
    actor: 'tester',
  };
  const dispatcher = new Dispatcher({ ...webhooks, clock, onFault: (error) => workFaults.push(error) });
  return Object.assign(harness, {
    webhooks,
    dispatcher,
    workFaults,
    dispose: ((dispose) => async () => {
      await dispatcher.stop();
      await dispose();
    })(harness.dispose),
  });
}
