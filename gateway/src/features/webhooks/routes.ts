import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WEBHOOK_PARAMETERS } from '../../kernel/api/catalogue/administration/webhooks.js';
import type { Parameter } from '../../kernel/api/catalogue/rows/parameter.js';
import { readAdministration, type Steps, type Values } from '../../kernel/http/request/administration.js';
import { callerOf } from '../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../kernel/http/request/deps.js';
import { done, invalidParameters, RequestRefused } from '../../kernel/http/request/envelope.js';
import { limitOf } from '../../kernel/http/request/list-page.js';
import { ADMINISTRATION, type WithId } from '../../kernel/http/request/route-kinds.js';
import { frameFaults, frameOf } from '../../kernel/http/request/time-frame.js';
import { needed } from '../../kernel/http/request/valid-values.js';
import type { WebhookEndpointRow } from '../../kernel/store/rows.js';
import { findEndpoint } from './change-endpoint.js';
import { acknowledge, deliveryLog, pendingDeliveries, type Resent, resend } from './deliveries.js';
import { type DeliveryTry, isTaken } from './rules/delivery-log.js';
import {
  createEndpoint,
  type KeyedEndpoint,
  listEndpoints,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateKey,
  testEndpoint,
} from './service.js';
import type { SharedWebhookDeps } from './shared-deps.js';
import type { WebhookDeps } from './webhook-deps.js';
import { WebhookError } from './webhook-error.js';
import { deliveryView, endpointView, tryView } from './webhook-view.js';

/** What the routes of webhooks work with. */
interface WebhookRouteDeps extends HttpDeps {
  readonly webhooks: SharedWebhookDeps;
}

/** The answer of each, inside the envelope. */
const STEPS: Steps<WebhookDeps, object> = {
  test: [
    WEBHOOK_PARAMETERS.endpoint,
    async (deps, id) => {
      const { endpoint, tried } = await testEndpoint(deps, id);
      if (tried && !isTaken(tried)) throw testRefused(tried);
      return { ...shown(endpoint), ...(tried && { test: tryView(tried) }) };
    },
  ],
  pause: [
    WEBHOOK_PARAMETERS.pause,
    async (deps, id, values) => shown(await pauseEndpoint(deps, id, needed(values, 'note'))),
  ],
  resumption: [WEBHOOK_PARAMETERS.endpoint, async (deps, id) => shown(await resumeEndpoint(deps, id))],
  rotation: [
    WEBHOOK_PARAMETERS.rotation,
    async (deps, id, values) =>
      keyed(await (values.get('atOnce') === 'true' ? rotateKey(deps, id, 0) : rotateKey(deps, id))),
  ],
  removal: [
    WEBHOOK_PARAMETERS.endpoint,
    async (deps, id) => {
      await removeEndpoint(deps, id);
      return {};
    },
  ],
  resend: [
    WEBHOOK_PARAMETERS.resend,
    async (deps, id, values) => ({ queued: await resend(deps, id, resentOf(values)) }),
  ],
  acknowledgement: [
    WEBHOOK_PARAMETERS.delivery,
    async (deps, id, values) => {
      await acknowledge(deps, id, Number(needed(values, 'sequence')));
      return {};
    },
  ],
};

/** Additions of ours: where a merchant's events are delivered to, and what was delivered. */
export function webhookRoutes(server: FastifyInstance, deps: WebhookRouteDeps): void {
  server.get('/v1/webhooks', ADMINISTRATION.read, (request) =>
    answer(deps, request, WEBHOOK_PARAMETERS.endpoint, async (webhooks) => {
      const found: WebhookEndpointRow[] = [];
      for (const owner of webhooks.owners ?? []) found.push(...(await listEndpoints(webhooks, owner)));
      return { webhooks: found.map(endpointView) };
    }),
  );
  server.post('/v1/webhooks', ADMINISTRATION.change, (request) =>
    answer(deps, request, WEBHOOK_PARAMETERS.creation, async (webhooks, values) => {
      // Absent: the entity of the token.
      const entityId = await callerOf(request).actsAs(values.get('entityId'));
      const about = present({ url: values.get('url'), types: values.get('types')?.split(',') });
      const [scope, format] = [values.get('scope'), values.get('format')];
      return keyed(
        await createEndpoint(webhooks, {
          entityId,
          ...about,
          // The rows of the parameters list the values.
          ...(scope !== undefined && { scope: scope as 'all' | 'reduced' }),
          ...(format !== undefined && { format: format as 'hex' | 'json' }),
        }),
      );
    }),
  );
  server.get<WithId>('/v1/webhooks/:id', ADMINISTRATION.read, (request) =>
    answer(deps, request, WEBHOOK_PARAMETERS.endpoint, async (webhooks) =>
      shown(await findEndpoint(webhooks, request.params.id)),
    ),
  );
  server.get<WithId>('/v1/webhooks/:id/deliveries', ADMINISTRATION.read, (request) =>
    answer(deps, request, WEBHOOK_PARAMETERS.log, async (webhooks, values) => {
      const after = Number(values.get('after') ?? 0);
      const rows = await deliveryLog(webhooks, request.params.id, after, limitOf(values));
      return { deliveries: rows.map(deliveryView) };
    }),
  );
  server.get<WithId>('/v1/webhooks/:id/pending', ADMINISTRATION.read, (request) =>
    answer(deps, request, WEBHOOK_PARAMETERS.pending, async (webhooks, values) => ({
      deliveries: await pendingDeliveries(webhooks, request.params.id, limitOf(values)),
    })),
  );
  for (const [name, [rows, step]] of Object.entries(STEPS))
    server.post<WithId>(`/v1/webhooks/:id/${name}`, ADMINISTRATION.change, (request) =>
      answer(deps, request, rows, (webhooks, values) => step(webhooks, request.params.id, values)),
    );
}

/** @throws RequestRefused; an endpoint of another merchant is one that is not there */
async function answer(
  deps: WebhookRouteDeps,
  request: FastifyRequest,
  rows: readonly Parameter[],
  work: (webhooks: WebhookDeps, values: Values) => Promise<object>,
): Promise<object> {
  const { values, ...caller } = await readAdministration(request, rows);
  try {
    return done(deps, await work({ ...deps.webhooks, ...caller }, values));
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    throw refusalOf(error, values);
  }
}

/** One delivery, or a time. @throws RequestRefused for both, and for neither */
function resentOf(values: Values): Resent {
  const [faults, frame] = [frameFaults(values), frameOf(values)];
  if (faults.length > 0) throw invalidParameters(faults);
  const names = ['date.from', 'date.to'].filter((name) => values.has(name));
  if (!values.has('sequence') && frame) return frame;
  if (names.length === 0) return { sequence: Number(needed(values, 'sequence')) };
  const message = 'must be sent with date.to, and without sequence';
  throw invalidParameters([{ name: 'date.from', value: values.get('date.from') ?? null, message }]);
}

function refusalOf({ code, message }: WebhookError, values: Values): RequestRefused {
  const name = code === 'refused-url' ? 'url' : code === 'wide-window' ? 'date.to' : undefined;
  if (name !== undefined) return invalidParameters([{ name, value: values.get(name) ?? null, message }]);
  const isUnknown = code === 'unknown-endpoint' || code === 'unknown-delivery' || code === 'unknown-entity';
  return new RequestRefused(isUnknown ? 'no-webhook' : 'webhook-refused');
}

/** The refusal of a test whose delivery the receiver did not take; the endpoint stays as it was. */
function testRefused({ status, fault }: DeliveryTry): RequestRefused {
  const message = `the receiver did not take the test delivery: ${status === undefined ? (fault ?? 'no answer') : `HTTP ${status}`}`;
  return new RequestRefused('webhook-test-refused', [{ name: 'url', value: null, message }]);
}

function shown(endpoint: WebhookEndpointRow): object {
  return { webhook: endpointView(endpoint) };
}

/** An endpoint with the key that is shown this once. */
function keyed({ endpoint, key }: KeyedEndpoint): object {
  return { ...shown(endpoint), key: key.key, keyId: key.id };
}
