import { createSecretKey } from 'node:crypto';
import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import { sendRequest } from '@tillbridge/platform/http/send-request.test.support.js';
import { MASKING_LOG_OPTIONS } from '@tillbridge/platform/log/log-options.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { present } from '@tillbridge/wire/present.js';
import { type Logger, pino } from 'pino';
import { Registry } from 'prom-client';
import type { Kernel } from '../../core/feature.js';
import { Chargebacks } from '../../core/payments/chargebacks/chargebacks.js';
import {
  ENTITY,
  type MakeStore,
  openPaymentHarness,
  type PaymentHarness,
} from '../../core/payments/payment-harness.test.support.js';
import { GatewayPaymentService } from '../../core/payments/service.js';
import { SHIPPED_BIN_TABLE } from '../../core/payments/shipped-bin-table.js';
import { APPROVED_CODES, Registrations } from '../../core/registrations/registrations.js';
import type { CardTestingLimits } from '../../features/checkouts/rules/checkout-limits.js';
import { reviewWork as reviewWorkOf, register as risk, riskFeature } from '../../features/risk/register.js';
import type { ReviewWork } from '../../features/risk/service.js';
import type { TokenRight } from '../../kernel/api/token-rights.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { Egress } from '../../kernel/egress/egress.js';
import { accessTokenHash } from '../../kernel/http/request/access-token-hash.js';
import {
  DEFAULT_THROTTLE_RATES,
  LocalThrottle,
  type ThrottleRates,
} from '../../kernel/http/throttle/throttle.js';
import type { Transport } from '../../kernel/http/transport/redirect.js';
import type { NodeLease } from '../../kernel/nodes/node-lease.js';
import type { MailConfig } from '../../kernel/outbox/smtp-mailer.js';
import type { Store } from '../../kernel/store/store.js';
import { loadConfig } from '../configuration/config.js';
import { FEATURES } from '../wiring/features.js';
import { buildServer, type ServerDeps } from './server.js';

export const TOKEN_KEY = createSecretKey(Buffer.alloc(32, 3));
export const TOKEN = 'tb_test-token-of-the-merchant';
export const RECORD_TOKEN = 'tb_test-token-for-the-record';
export const REVOKED_TOKEN = 'tb_test-token-that-was-revoked';

/** An answer as a client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
  /** As it came. */
  readonly text: string;
}

/** What answers may hold; that one holds it is for its test to say. */
export interface AnswerBody {
  readonly id: string;
  readonly ndc: string;
  readonly registrationId: string;
  readonly result: {
    readonly code: string;
    readonly description: string;
    readonly parameterErrors: readonly ParameterError[];
  };
  readonly amount: string;
  readonly paymentBrand: string;
  readonly descriptor: string;
  readonly merchantTransactionId: string;
  readonly resultDetails: Readonly<Record<string, string>>;
  readonly redirect: {
    readonly url: string;
    readonly method: string;
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
  };
  readonly risk: { readonly score: string };
  readonly card: Readonly<Record<string, string>>;
  readonly pos: Readonly<Record<string, string>>;
  /** Of queries. */
  readonly records: readonly AnswerBody[];
  readonly pages: number;
  readonly payments: readonly AnswerBody[];
  readonly resultCodes: readonly { readonly code: string; readonly description: string }[];
  /** Of the API docs. */
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The REST server on a real socket, with a service and the acquirer behind it. */
export interface HttpHarness extends PaymentHarness {
  readonly url: string;
  /** The HTTP server behind the routes. */
  readonly server: Server;
  /** Everything that was logged. */
  readonly log: string[];
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** POST of a form; the entity is added unless given. */
  post(path: string, form: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

interface SendOptions {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What may differ from the usual. */
export interface HttpHarnessOptions {
  readonly rates?: ThrottleRates;
  readonly transport?: Transport;
  /** Of the gateway; `transport` decides how requests must come. */
  readonly mode?: 'test' | 'live';
  readonly limits?: NonNullable<ServerDeps['limits']>;
  readonly cardTesting?: Partial<CardTestingLimits>;
  readonly mail?: MailConfig;
  readonly threeDSecureActive?: NonNullable<ServerDeps['threeDSecureActive']>;
  /** Makes the node that the server is, where there are several. */
  readonly startNode?: (parts: Pick<PaymentHarness, 'store' | 'clock'>) => Promise<NodeLease>;
}

/** Opens the harness and listens on a free port. */
export async function openHttpHarness(
  makeStore?: MakeStore,
  options: HttpHarnessOptions = {},
): Promise<HttpHarness> {
  const harness = await openPaymentHarness(makeStore);
  await addToken(harness.store, TOKEN, ['pay', 'refund', 'credit', 'read']);
  await addToken(harness.store, RECORD_TOKEN, ['simulator']);
  await addToken(harness.store, REVOKED_TOKEN, ['pay', 'refund', 'read'], { revokedAtMs: 1 });
  const node = await options.startNode?.(harness);
  if (node) harness.service = new GatewayPaymentService({ ...harness.context, node });
  const log: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      log.push(String(chunk));
      done();
    },
  });
  const logger = pino(MASKING_LOG_OPTIONS, sink);
  const kernel = kernelOf(harness, logger, { ...present({ node }), ...options });
  const loaded = loadConfig(undefined, { GATEWAY_HOME: harness.home });
  const config = {
    ...loaded,
    cardTesting: { ...loaded.cardTesting, ...options.cardTesting },
    ...present({ mail: options.mail }),
  };
  const features = FEATURES.map((register) =>
    register === risk ? riskFeature(kernel, harness.risk) : register(kernel, config),
  );
  const server = buildServer({
    ...kernel,
    features,
    throttle: new LocalThrottle(options.rates ?? DEFAULT_THROTTLE_RATES, harness.clock),
    ...(options.limits && { limits: options.limits }),
    metrics: new Registry(),
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  harness.shopper.origin = url;
  const send = async (method: string, path: string, options: SendOptions = {}): Promise<Answer> => {
    const { authorization = `Bearer ${TOKEN}`, type = 'application/x-www-form-urlencoded; charset=UTF-8' } =
      options;
    const { status, headers, body } = await sendRequest(url + path, {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(options.body !== undefined && { 'content-type': type }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: options.body }),
    });
    return { status, headers, body: /^[{[]/.test(body) ? JSON.parse(body) : undefined, text: body };
  };
  return Object.assign(harness, {
    url,
    server: server.server,
    log,
    send,
    post: (path: string, form: Readonly<Record<string, string>>) =>
      send('POST', path, { body: new URLSearchParams({ entityId: ENTITY, ...form }).toString() }),
    get: (path: string) => send('GET', path),
    dispose: ((dispose) => async () => {
      await server.close();
      await dispose();
    })(harness.dispose),
  });
}

/** What the features of a harness work with. */
function kernelOf(
  harness: PaymentHarness,
  logger: Logger,
  {
    node,
    mode = 'test',
    transport = { mode: 'test', proxies: peersOf([]) },
    threeDSecureActive,
  }: HttpHarnessOptions & { readonly node?: NodeLease },
): Kernel {
  const { store, clock, context, alerts, events, record, shopper } = harness;
  const { fingerprint, registrationSeal: rowSeal, waitSeal, random, onFault } = context;
  const egressRules = { allowed: peersOf(['127.0.0.1']), plainHttp: true };
  return {
    ...{ store, tokenKey: TOKEN_KEY, clock, random, mode, buildNumber: 'test', logger, transport, onFault },
    ...{ fingerprint, rowSeal, waitSeal, shopper, alerts, events, egressRules },
    ...present({ node, threeDSecureActive }),
    files: gatewayFiles(harness.home),
    binTable: SHIPPED_BIN_TABLE,
    egress: new Egress({ ...egressRules, clock }),
    strangers: new StrangerLog({ log: logger, clock }),
    service: harness.service,
    registrations: new Registrations({
      ...context,
      events,
      buildNumber: 'test',
      approvedCode: APPROVED_CODES[mode],
    }),
    chargebacks: new Chargebacks({ feed: record, context, alerts }),
    ...(mode === 'test' && { record, balances: record, simulator: record }),
  };
}

/** Makes a token known. */
export async function addToken(
  store: Store,
  token: string,
  rights: TokenRight[],
  options: { readonly entityId?: string; readonly merchantId?: string; readonly revokedAtMs?: number } = {},
): Promise<void> {
  const { entityId = ENTITY, merchantId = ENTITY, revokedAtMs = null } = options;
  const row = {
    id: token,
    hash: accessTokenHash(TOKEN_KEY, token),
    entityId,
    merchantId,
    label: 'test',
    rights: JSON.stringify(rights),
    createdAtMs: 1,
    lastUsedAtMs: null,
    sealed: null,
    revokedAtMs,
    version: 1,
  };
  await store.commit([{ op: 'insert', table: 'tokens', row }]);
}

/** A good card payment. */
export const CARD = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'PA',
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.cvv': '123',
  'card.holder': 'Jane Jones',
};

/** What carries out the decisions of persons on the payments of a harness. */
export function reviewWork({ store, alerts, context, service }: PaymentHarness): ReviewWork {
  const { fingerprint, onFault } = context;
  return reviewWorkOf({ store, alerts, fingerprint, service, onFault });
}
