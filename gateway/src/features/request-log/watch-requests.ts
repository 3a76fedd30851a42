import { isPublicId } from '@tillbridge/wire/mask/mask.js';
import { outcomeOf } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ParameterError } from '../../kernel/api/validate.js';
import { callerEntity } from '../../kernel/http/request/caller.js';
import type { HttpDeps } from '../../kernel/http/request/deps.js';
import { formOf } from '../../kernel/http/request/form.js';
import { loggedNdc } from '../../kernel/http/request/request-log.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { RequestLogRow } from '../../kernel/store/rows.js';
import type { RequestLog } from './request-log.js';
import type { RequestLogSettings } from './request-log-settings.js';
import { loggedErrors, loggedParameters } from './rules/mask-request.js';

/** What of an answer is kept. */
interface Answered {
  readonly id?: unknown;
  readonly ndc?: unknown;
  readonly result?: { readonly code?: unknown; readonly parameterErrors?: readonly ParameterError[] };
}

/** Status from which a request counts as failed. */
const FAILED = 400;
const PERCENT = 100;

/** Gives the requests of merchants to the log, after they were answered: those with a token, and those of shoppers with a checkout. */
export function watchRequests(
  server: FastifyInstance,
  { clock, random }: Pick<HttpDeps, 'clock' | 'random'>,
  log: RequestLog,
  { sharePercent, bodyBytes }: RequestLogSettings,
): void {
  if (sharePercent === 0) return;
  const answers = new WeakMap<FastifyReply, Answered>();
  server.addHook('preSerialization', (_request, reply, payload, done) => {
    if (typeof payload === 'object' && payload !== null) answers.set(reply, payload);
    done(null, payload);
  });
  let share = 0;
  const isKept = (status: number): boolean => {
    if (status >= FAILED) return true;
    share += sharePercent;
    if (share < PERCENT) return false;
    share -= PERCENT;
    return true;
  };
  server.addHook('onResponse', (request, reply, done) => {
    done();
    const owner = ownerOf(request);
    if (!owner || !isKept(reply.statusCode) || !log.hasRoom()) return;
    const createdAtMs = clock.nowMs();
    const row = { ...rowOf(request, reply, answers.get(reply) ?? {}, bodyBytes), createdAtMs, version: 1 };
    const id = newTimeOrderedId(random, createdAtMs);
    const { actor, entityId } = owner;
    const kept = (known: string | undefined) =>
      known === undefined ? undefined : { id, actor, entityId: known, ...row };
    if (entityId instanceof Promise) log.takeLater(entityId.then(kept));
    else log.take(kept(entityId));
  });
}

/** Who sent a request, and whose it is; undefined of strangers. */
function ownerOf(
  request: FastifyRequest,
): { readonly actor: string; readonly entityId: ReturnType<typeof callerEntity> } | undefined {
  const { caller, checkout } = request;
  if (caller) return { actor: caller.actor, entityId: callerEntity(caller, request) };
  return checkout && { actor: 'checkout', entityId: checkout.entityId };
}

/** Routes of payments: their ids, and those in their answers, are those of payments. */
const PAYMENT_ROUTE = /\/(payments?|query)(\/|$)/;

function rowOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, ndc, result }: Answered,
  bodyBytes: number,
): Omit<RequestLogRow, 'id' | 'entityId' | 'actor' | 'createdAtMs' | 'version'> {
  const { method, routeOptions } = request;
  const url = routeOptions.url ?? 'none';
  const form = formOf(request);
  const code = typeof result?.code === 'string' ? result.code : null;
  const isOfPayments = PAYMENT_ROUTE.test(url);
  const named = isOfPayments ? idIn((request.params as { readonly id?: unknown }).id) : null;
  const made = isOfPayments ? idIn(id) : null;
  const { parameters, leftOut } = loggedParameters(form.parameters, bodyBytes);
  return {
    method,
    path: url.replace(/:(\w+)/g, '{$1}'),
    paymentId: named ?? made,
    madeId: named !== null && made !== named ? made : null,
    status: reply.statusCode,
    resultCode: code,
    outcome: code === null ? null : outcomeOf(code),
    ndc: typeof ndc === 'string' ? loggedNdc(ndc) : null,
    durationUs: Math.round(reply.elapsedTime * 1_000),
    parameters: JSON.stringify(parameters),
    leftOut,
    errors: JSON.stringify(loggedErrors(result?.parameterErrors ?? [])),
  };
}

function idIn(value: unknown): string | null {
  return typeof value === 'string' && isPublicId(value) ? value : null;
}
