import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DeskRefusal, type SaleDesk } from '../sale/desk.js';
import { readCaptureBody, readSettlementBody, readVoiceBody } from './follow-up-bodies.js';
import { readReference, readSaleBody } from './sale-body.js';
import { TillError } from './till-error.js';

/** Routes of one sale: start, look, cancel, reverse, capture (interfaces, "Agent REST"). */
export function saleRoutes(server: FastifyInstance, desk: SaleDesk): void {
  server.post('/v1/sales', async (request, reply) => {
    const sale = readSaleBody(request.body);
    const wait = !prefersAsync(request);
    const answer = await desk.request(sale, { wait }).catch((error: unknown) => {
      throw withField(error);
    });
    if (wait) return answer;
    reply.code(202).header('preference-applied', 'respond-async');
    reply.header('location', `/v1/sales/${encodeURIComponent(answer.reference)}`);
    return answer;
  });

  server.get('/v1/sales/:reference', (request) => desk.get(referenceOf(request)));

  server.post('/v1/sales/:reference/cancel', (request) => {
    refuseBody(request);
    return desk.cancel(referenceOf(request));
  });

  server.post('/v1/sales/:reference/reversal', (request) => {
    refuseBody(request);
    return desk.reverse(referenceOf(request));
  });

  server.post('/v1/sales/:reference/capture', async (request) => {
    const reference = referenceOf(request);
    const { currency } = await desk.get(reference);
    const { amount, ...options } = readCaptureBody(request.body, currency);
    return desk.capture(reference, amount, options);
  });

  server.post('/v1/sales/:reference/voice-authorization', (request) =>
    desk.approveByVoice(referenceOf(request), readVoiceBody(request.body)),
  );

  server.post('/v1/sales/:reference/settlement', (request) => {
    const { outcome, note } = readSettlementBody(request.body);
    return desk.settle(referenceOf(request), outcome, note);
  });
}

/** In a body a reference that is not known is a wrong field; only in a path it is a thing not found. */
function withField(error: unknown): unknown {
  if (!(error instanceof DeskRefusal)) return error;
  if (error.code === 'unknown-reference')
    return new TillError('bad-request', error.message, 'originalReference');
  if (error.code === 'unknown-terminal') return new TillError(error.code, error.message, 'terminalId');
  return error;
}

function referenceOf(request: FastifyRequest): string {
  const { reference } = request.params as { readonly reference?: unknown };
  return readReference('reference', reference);
}

/** `Prefer: respond-async` (RFC 7240 §4.1), alone or among others. */
function prefersAsync(request: FastifyRequest): boolean {
  const prefer = request.headers.prefer;
  const text = Array.isArray(prefer) ? prefer.join(',') : (prefer ?? '');
  return text.split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}

/** A body where none belongs is a misunderstanding: somebody reverses a part, and we would reverse all. */
function refuseBody(request: FastifyRequest): void {
  const { body } = request;
  if (body === undefined || body === null) return;
  const names = typeof body === 'object' ? Object.keys(body) : ['body'];
  const [field] = names;
  if (field === undefined) return;
  throw new TillError(
    'bad-request',
    `${field.slice(0, 64)} does not belong here: this call takes no body`,
    field.slice(0, 64),
  );
}
