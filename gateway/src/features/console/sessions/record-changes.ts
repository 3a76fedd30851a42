import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuditDeps, beginAudit } from '../../../kernel/audit/audit.js';
import { formOf } from '../../../kernel/http/request/form.js';

/** Parameters that tell one act from another, and hold no data of a card or person. */
const RECORDED = [
  'entityId',
  'paymentType',
  'amount',
  'currency',
  'merchantTransactionId',
  'action',
  'state',
];
/** Longest value in a record. */
const MAX_VALUE = 255;

/** What a request has done, in the words of its answer. */
interface Done {
  readonly id?: string;
  readonly resultCode?: string;
}

/**
 * Records what users change: before it is done, and how it ended. Without a record nothing is done. Routes on sessions themselves have records of their
 * own.
 */
export function recordChanges(
  server: FastifyInstance,
  { onFault, ...deps }: AuditDeps & { readonly onFault: (what: string, error: unknown) => void },
): void {
  const ends = new WeakMap<FastifyReply, Awaited<ReturnType<typeof beginAudit>>>();
  const done = new WeakMap<FastifyReply, Done>();
  server.addHook('preHandler', async (request, reply) => {
    const { caller, method, routeOptions } = request;
    const isChange = method !== 'GET' && method !== 'HEAD' && routeOptions.config.right !== 'session';
    if (!caller?.credential.session || !isChange) return;
    const { entityId } = caller.credential;
    const entry = {
      actor: caller.actor,
      action: `${method} ${routeOptions.url}`,
      subject: Object.values(request.params as Readonly<Record<string, string>>)[0] ?? '',
      detail: recorded(request),
      ...(entityId !== null && { entityId }),
    };
    ends.set(reply, await beginAudit(deps, entry));
  });
  server.addHook('preSerialization', (_request, reply, payload, next) => {
    if (ends.has(reply)) done.set(reply, doneOf(payload));
    next(null, payload);
  });
  server.addHook('onResponse', async (_request, reply) => {
    const { statusCode: status } = reply;
    await ends
      .get(reply)?.(status < 400 ? 'done' : 'failed', { status, ...done.get(reply) })
      .catch((error: unknown) => onFault('the end of a change by a user is not on record', error));
  });
}

function recorded(request: FastifyRequest): Readonly<Record<string, string>> {
  const sent = formOf(request).parameters.filter(([name]) => RECORDED.includes(name));
  return Object.fromEntries(sent.map(([name, value]) => [name, value.slice(0, MAX_VALUE)]));
}

function doneOf(payload: unknown): Done {
  const { id, result } = (payload ?? {}) as {
    readonly id?: unknown;
    readonly result?: { readonly code?: unknown };
  };
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof result?.code === 'string' && { resultCode: result.code }),
  };
}
