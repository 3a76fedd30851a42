import { clearAlert, raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { auditOf } from '../../kernel/audit/audit.js';
import { EgressError } from '../../kernel/egress/egress-error.js';
import { readUrl } from '../../kernel/egress/target.js';
import { EVENT_TYPES } from '../../kernel/events/event-kinds.js';
import { findAll } from '../../kernel/store/all-rows.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import { newId } from '../../kernel/store/new-id.js';
import type { WebhookEndpointRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import { changeEndpoint, findEndpoint } from './change-endpoint.js';
import { deliverTest } from './deliver.js';
import { type DeliveryTry, isTaken } from './rules/delivery-log.js';
import type { WebhookDeps } from './webhook-deps.js';
import { WebhookError } from './webhook-error.js';
import { rotated, type ShownWebhookKey, type StoredWebhookKey } from './webhook-keys.js';

export const ENDPOINT_LIMITS = {
  /** Endpoints of an entity. */
  perEntity: 10,
  /** How long the former key stays in use after a rotation by default, in milliseconds. */
  overlapMs: 24 * 3_600_000,
} as const;

/** What a new endpoint is to be. */
export interface EndpointAbout extends Partial<Pick<WebhookEndpointRow, 'scope' | 'format'>> {
  readonly entityId: string;
  /** Absent: its deliveries are fetched by `listen`. */
  readonly url?: string;
  /** Absent: all. */
  readonly types?: readonly string[];
}

/** An endpoint, and the key that is shown this once. */
export interface KeyedEndpoint {
  readonly endpoint: WebhookEndpointRow;
  readonly key: ShownWebhookKey;
}

/** Makes an endpoint. One with a URL is inactive until a test delivery succeeds. @throws WebhookError */
export async function createEndpoint(deps: WebhookDeps, about: EndpointAbout): Promise<KeyedEndpoint> {
  const { store, clock, random, keys, rules, actor } = deps;
  const { entityId, url } = about;
  const round = async (): Promise<KeyedEndpoint> => {
    const entity = await store.get('entities', [entityId]);
    if (!entity) throw new WebhookError('unknown-entity', `there is no entity ${entityId}`);
    if (url !== undefined) checkUrl(url, rules);
    const others = await listEndpoints(deps, entityId);
    if (others.length >= ENDPOINT_LIMITS.perEntity)
      throw new WebhookError('too-many', `${entityId} has ${ENDPOINT_LIMITS.perEntity} endpoints, the most`);
    const nowMs = clock.nowMs();
    const id = newId(random);
    const { stored, shown } = keys.make(id, nowMs);
    const endpoint = endpointRow(about, id, stored, url === undefined ? 'active' : 'inactive', nowMs);
    await store.commit([
      ...newEndpointChanges(endpoint),
      // One that is made at the same moment conflicts: together they would be too many.
      { op: 'update', table: 'entities', row: entity },
      auditOf(deps, { actor, action: 'webhooks create', subject: id, detail: { entityId } }),
    ]);
    return { endpoint, key: shown };
  };
  return decideAgain(deps, round, { key: `webhook endpoints ${entityId}` });
}

/** A new endpoint. Pure. */
export function endpointRow(
  { entityId, url, types = EVENT_TYPES, scope = 'all', format = 'hex' }: EndpointAbout,
  id: string,
  key: StoredWebhookKey,
  state: WebhookEndpointRow['state'],
  nowMs: number,
): WebhookEndpointRow {
  return {
    id,
    entityId,
    url: url ?? null,
    types: JSON.stringify(types),
    scope,
    format,
    state,
    keys: JSON.stringify([key]),
    note: null,
    testedAtMs: null,
    createdAtMs: nowMs,
    version: 1,
  };
}

/** The rows of a new endpoint: itself, and the counter of its deliveries. Pure. */
export function newEndpointChanges(endpoint: WebhookEndpointRow): readonly Change[] {
  return [
    { op: 'insert', table: 'webhookEndpoints', row: endpoint },
    {
      op: 'insert',
      table: 'deliveryCounters',
      row: { endpointId: endpoint.id, lastSequence: 0, version: 1 },
    },
  ];
}

/** The endpoints of an entity, without those that were removed. @throws StoreUnavailableError */
export async function listEndpoints(
  { store }: Pick<WebhookDeps, 'store'>,
  entityId: string,
): Promise<readonly WebhookEndpointRow[]> {
  const rows = await findAll(store, 'webhookEndpoints', 'entity', [entityId]);
  return rows.filter(({ state }) => state !== 'removed');
}

/**
 * Sends a test delivery. One that is taken makes an inactive endpoint active. One without a URL needs no test: who fetches is there.
 * @throws WebhookError
 */
export async function testEndpoint(
  deps: WebhookDeps,
  id: string,
): Promise<{ readonly endpoint: WebhookEndpointRow; readonly tried?: DeliveryTry }> {
  const endpoint = await findEndpoint(deps, id);
  if (endpoint.url === null) return { endpoint: await activate(deps, id, null) };
  const tried = await deliverTest(deps, endpoint, endpoint.url);
  if (!isTaken(tried)) return { endpoint, tried };
  return { endpoint: await activate(deps, id, tried.atMs), tried };
}

function activate(deps: WebhookDeps, id: string, testedAtMs: number | null): Promise<WebhookEndpointRow> {
  return changeEndpoint(deps, 'test', id, (row) => ({
    row: { ...row, state: row.state === 'inactive' ? 'active' : row.state, testedAtMs },
    more: [clearAlert('webhook-failing', id, deps.clock.nowMs())],
  }));
}

/** Lets the deliveries of an endpoint wait; people see the alert and the note. @throws WebhookError */
export function pauseEndpoint(deps: WebhookDeps, id: string, note: string): Promise<WebhookEndpointRow> {
  return changeEndpoint(deps, 'pause', id, (row) => {
    if (row.state !== 'active') throw wrongState(row, 'active');
    const alert = { code: 'webhook-paused', subject: id, entityId: row.entityId, detail: note } as const;
    return {
      row: { ...row, state: 'paused', note },
      more: [raiseAlert(alert, deps.clock.nowMs())],
      detail: { note },
    };
  });
}

/** Delivers again what waited. @throws WebhookError */
export function resumeEndpoint(deps: WebhookDeps, id: string): Promise<WebhookEndpointRow> {
  return changeEndpoint(deps, 'resume', id, (row) => {
    if (row.state !== 'paused') throw wrongState(row, 'paused');
    return {
      row: { ...row, state: 'active', note: null },
      more: [clearAlert('webhook-paused', id, deps.clock.nowMs())],
    };
  });
}

/** Makes a key that takes the place of the one in use after the overlap: time for the receiver to learn it. @throws WebhookError */
export async function rotateKey(
  deps: WebhookDeps,
  id: string,
  overlapMs: number = ENDPOINT_LIMITS.overlapMs,
): Promise<KeyedEndpoint> {
  const nowMs = deps.clock.nowMs();
  const { stored, shown } = deps.keys.make(id, nowMs + overlapMs);
  const endpoint = await changeEndpoint(deps, 'rotate', id, (row) => {
    const before = JSON.parse(row.keys) as StoredWebhookKey[];
    const keys = JSON.stringify(rotated(before, stored, nowMs));
    return { row: { ...row, keys }, detail: { keyId: stored.id } };
  });
  return { endpoint, key: shown };
}

/** Removes an endpoint: nothing is queued for it any more, and what waits is not delivered. @throws WebhookError */
export async function removeEndpoint(deps: WebhookDeps, id: string): Promise<void> {
  await changeEndpoint(deps, 'remove', id, async (row) => {
    const counter = await deps.store.get('deliveryCounters', [id]);
    const nowMs = deps.clock.nowMs();
    return {
      row: { ...row, state: 'removed' },
      more: [
        ...(counter
          ? [{ op: 'delete', table: 'deliveryCounters', key: [id], version: counter.version } as const]
          : []),
        clearAlert('webhook-paused', id, nowMs),
        clearAlert('webhook-failing', id, nowMs),
      ],
    };
  });
}

function checkUrl(url: string, rules: WebhookDeps['rules']): void {
  try {
    readUrl(url, rules);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new WebhookError('refused-url', `the URL cannot be used: ${error.message}`);
  }
}

function wrongState({ id, state }: WebhookEndpointRow, wanted: string): WebhookError {
  return new WebhookError('wrong-state', `endpoint ${id} is ${state}, not ${wanted}`);
}
