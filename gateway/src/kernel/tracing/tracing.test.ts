import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seed } from '../../app/commands/seed.js';
import { loadConfig } from '../../app/configuration/config.js';
import { startGateway } from '../../app/wiring/serve.js';
import type { PaymentService } from '../../core/payments/payment-service.js';
import type { PaymentRequest, PaymentResult } from '../../core/payments/rules/requests.js';
import { tracedService } from '../../core/payments/traced-service.js';
import { openTracing } from './open-tracing.js';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** A collector as OTLP over HTTP has it, in JSON. */
let collector: Server;
let bodies: string[];
beforeEach(async () => {
  bodies = [];
  collector = createServer((request, answer) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      expect(request.url).toBe('/v1/traces');
      bodies.push(Buffer.concat(pieces).toString());
      answer.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  collector.closeAllConnections();
  collector.close();
});

function spans(): readonly Span[] {
  return bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap((each: { scopeSpans: { spans: Span[] }[] }) =>
      each.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
}

describe('traces', () => {
  it('are not opened where no collector is named', async () => {
    expect(await openTracing({})).toBeUndefined();
  });

  it('of a payment over REST reach the collector as one trace, without anything of the card', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-traces-'));
    const config = loadConfig(undefined, {
      GATEWAY_HOME: join(folder, 'gateway'),
      GATEWAY_PORT: '0',
    });
    const { merchant } = await seed(config);
    const gateway = await startGateway(config);
    const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const card = {
      'card.number': '4200000000000000',
      'card.holder': 'Jane Jones',
      'card.expiryMonth': '12',
      'card.expiryYear': '2099',
      'card.cvv': '987',
    };
    const { status } = await fetch(`${gateway.url}/v1/payments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.accessToken}`,
        connection: 'close',
        traceparent: `00-${traceId}-${parentId}-01`,
      },
      body: new URLSearchParams({
        entityId: merchant.entityId,
        amount: '12.34',
        currency: 'EUR',
        paymentType: 'DB',
        ...card,
      }),
    });
    expect(status).toBe(200);
    await gateway.close();
    const own = spans().filter((span) => span.traceId === traceId);
    const request = own.find(({ parentSpanId }) => parentSpanId === parentId);
    expect(request?.name).toBe('POST /v1/payments');
    const payment = own.find(({ name }) => name === 'payment');
    expect(payment?.parentSpanId).toBe(request?.spanId);
    const below = own.filter(({ parentSpanId }) => parentSpanId === payment?.spanId).map(({ name }) => name);
    expect(below).toEqual(['commit', 'acquirer authorization', 'commit']);
    const secrets = ['4200000000000000', 'Jane Jones', '"987"', merchant.accessToken, '12.34'];
    for (const secret of secrets) expect(bodies.join()).not.toContain(secret);
    expect(readFileSync(join(folder, 'gateway', 'gateway.log'), 'utf8')).not.toContain('"level":50');
    rmSync(folder, { recursive: true });
  });

  it('of a message of an agent have its correlation id, which the log has, too', async () => {
    const tracing = await openTracing(process.env);
    const result = { disposition: 'approved', resultCode: '000.100.110' } as PaymentResult;
    const service = { authorize: async () => result } as unknown as PaymentService;
    const lines: object[] = [];
    const origin = { kind: 'bridge', messageId: '01a2075d-0000-7000-8000-0123456789ab' };
    const request = { type: 'DB', origin } as unknown as PaymentRequest;
    expect(await tracedService(service, tracing, (about) => lines.push(about)).authorize(request)).toBe(
      result,
    );
    await tracing?.close();
    const correlationId = '01a2075d0000700080000123456789ab';
    expect(lines).toEqual([{ correlationId, type: 'DB', outcome: 'approved', resultCode: '000.100.110' }]);
    expect(spans()).toMatchObject([{ name: 'payment', traceId: correlationId }]);
  });

  it('delay no request whose collector is gone, and name only the class of an error', async () => {
    const tracing = await openTracing(process.env);
    const failing = tracing?.span('work', { kind: 'internal' }, async () => {
      throw new RangeError('4200000000000000');
    });
    await expect(failing).rejects.toThrow(RangeError);
    await tracing?.close();
    expect(spans()[0]?.attributes).toEqual([{ key: 'error.type', value: { stringValue: 'RangeError' } }]);
    expect(bodies.join()).not.toContain('4200000000000000');
  });
});
