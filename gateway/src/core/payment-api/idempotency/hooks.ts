import { resultClass } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import { reservedCheckoutId } from '../../../kernel/http/request/checkout-id.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { invalidParameters, RequestRefused } from '../../../kernel/http/request/envelope.js';
import type { Form } from '../../../kernel/http/request/form.js';
import { newTimeOrderedId } from '../../../kernel/store/new-id.js';
import type { IdempotencyRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { ownerOf } from '../../payments/lookup/routing.js';
import { decideKeyUse, type KeyUse } from './decide.js';

/** What the hooks work with. */
export interface IdempotencyDeps extends HttpDeps {
  /** Keyed hashes: card numbers are among what is hashed. */
  readonly fingerprint: Fingerprint;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes an `Idempotency-Key`: a POST whose answers are JSON. */
    idempotent?: true;
  }
  interface FastifyRequest {
    /** Id given out for what a request with an Idempotency-Key makes: a payment, or what is made like one. */
    reservedPaymentId: string | undefined;
  }
}

const HEADER = 'Idempotency-Key';
/** Code of a checkout or link that is made: by its number it is pending, and it is final. */
const CREATED = '000.200.100';
/** Printable ASCII without blanks. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A request that holds its key until it is answered. */
interface Held {
  readonly slot: string;
  readonly row: IdempotencyRow;
}

/**
 * `Idempotency-Key` on requests that make payments, registrations, checkouts or links, an addition of ours: the same key and parameters get the stored answer, other
 * parameters are refused, and of two at once the second gets 409, wherever they arrive. The key, the payment's id and the node that works on it
 * are committed before the payment is made; after a crash in between a retry finds its payment by that id.
 */
export function keepIdempotent(server: FastifyInstance, deps: IdempotencyDeps): void {
  const running = new Set<string>();
  const held = new WeakMap<FastifyRequest, Held>();
  server.decorateRequest('reservedPaymentId', undefined);
  const reserve = async (request: FastifyRequest, reply: FastifyReply, key: string) => {
    // A caller without a right to the entity learns nothing of its payments: the route refuses it.
    const entityId = await callerOf(request).entityOf(request);
    if (entityId === undefined) return undefined;
    const slot = `${entityId} ${key}`;
    if (running.has(slot)) throw terminalRuns(reply);
    running.add(slot);
    try {
      const taken = await takeKey(deps, request, entityId, key);
      if (!taken) throw terminalRuns(reply);
      if ('version' in taken) {
        held.set(request, { slot, row: taken });
        request.reservedPaymentId = taken.paymentId;
        return undefined;
      }
      reply.code(taken.httpStatus).header('idempotent-replayed', 'true');
      reply.type('application/json; charset=utf-8').send(taken.answer);
      running.delete(slot);
      return reply;
    } catch (error) {
      running.delete(slot);
      throw error instanceof CommitConflict ? terminalRuns(reply) : error;
    }
  };
  server.addHook('preHandler', (request, reply, done) => {
    const key = keyOf(request);
    return key === undefined ? done() : reserve(request, reply, key);
  });
  const keep = async ({ row, slot }: Held, status: number, payload: unknown): Promise<void> => {
    try {
      await keepAnswer(deps, row, status, payload);
    } catch (err) {
      // The payment is committed: a retry finds it by its id.
      deps.logger.warn({ err }, 'the answer to a request with an Idempotency-Key was not stored');
    } finally {
      running.delete(slot);
    }
  };
  server.addHook('onSend', (request, reply, payload, done) => {
    const holding = held.get(request);
    if (!holding) return done();
    held.delete(request);
    keep(holding, reply.statusCode, payload).then(() => done());
  });
}

/** The key of a request that makes a payment. @throws RequestRefused for one of the wrong form */
function keyOf({ routeOptions, headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || routeOptions.config.idempotent !== true) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  const message = 'must have 1 to 255 printable ASCII characters without blanks';
  throw invalidParameters([{ name: HEADER, value: null, message }]);
}

/** The row that now stands for the request, or the answer that is stored for it; undefined while another node works on it. */
async function takeKey(
  deps: IdempotencyDeps,
  request: FastifyRequest,
  entityId: string,
  idempotencyKey: string,
): Promise<IdempotencyRow | Extract<KeyUse, { is: 'answered' }> | undefined> {
  const { store, clock, random, node } = deps;
  const fingerprint = fingerprintOf(deps, request);
  const nowMs = clock.nowMs();
  const stored = await store.get('idempotency', [entityId, idempotencyKey]);
  // Of a merchant's request the payment belongs to one of its channels.
  const begun = stored !== undefined && (await ownerOf(store, stored.paymentId)) !== undefined;
  const use = decideKeyUse(stored, { fingerprint, nowMs }, begun);
  switch (use.is) {
    case 'answered':
      return use;
    case 'resumed':
      return use.row.owner === (node?.id ?? null) ? use.row : own(deps, use.row);
    case 'other-request': {
      const message = 'was sent with other parameters before: use a new key for another request';
      throw invalidParameters([{ name: HEADER, value: null, message }]);
    }
    default: {
      const fresh = {
        fingerprint,
        paymentId: newTimeOrderedId(random, nowMs),
        httpStatus: null,
        answer: null,
        createdAtMs: nowMs,
      };
      if (use.is === 'new') {
        const row = { entityId, idempotencyKey, ...fresh, owner: node?.id ?? null, version: 1 };
        await store.commit([...guard(deps), { op: 'insert', table: 'idempotency', row }]);
        return row;
      }
      return own(deps, { ...use.row, ...fresh });
    }
  }
}

/** The row, now of a request of this node; undefined while a request of another node holds it. @throws CommitConflict */
async function own(deps: IdempotencyDeps, row: IdempotencyRow): Promise<IdempotencyRow | undefined> {
  const { store, node } = deps;
  // One that has made its payment, and could not store the answer, works on nothing any more.
  const mayTake = !node || (await node.mayTake(row.owner)) || (await store.get('payments', [row.paymentId]));
  if (!mayTake) return undefined;
  const owned = { ...row, owner: node?.id ?? null };
  await store.commit([...guard(deps), { op: 'update', table: 'idempotency', row: owned }]);
  return { ...owned, version: row.version + 1 };
}

function guard({ node }: IdempotencyDeps): readonly Change[] {
  return node ? [node.guard()] : [];
}

/** A keyed hash of the request: it holds card numbers, and a plain hash of those can be searched. */
function fingerprintOf({ fingerprint }: IdempotencyDeps, request: FastifyRequest): string {
  const { parameters = [] } = (request.body as Form | undefined) ?? {};
  const sorted = [...parameters].sort(([a], [b]) => (a < b ? -1 : 1));
  return fingerprint('idempotent request', JSON.stringify([request.url, sorted]));
}

/** Stores a final answer; one without a payment, or with one that is pending, is made anew on the next request. Gives the key back. */
async function keepAnswer(
  { store, mode }: IdempotencyDeps,
  row: IdempotencyRow,
  httpStatus: number,
  payload: unknown,
): Promise<void> {
  const answer = String(payload);
  const { id, result } = JSON.parse(answer) as { id?: string; result?: { code: string } };
  const isMade = id === row.paymentId || id === reservedCheckoutId(row.paymentId, mode);
  const isFinal = isMade && result && (result.code === CREATED || resultClass(result.code) !== 'pending');
  const kept = isFinal ? { httpStatus, answer } : {};
  if (!isFinal && row.owner === null) return;
  await store.commit([{ op: 'update', table: 'idempotency', row: { ...row, ...kept, owner: null } }]);
}

function terminalRuns(reply: FastifyReply): RequestRefused {
  reply.header('retry-after', '1');
  return new RequestRefused('payment-running');
}
