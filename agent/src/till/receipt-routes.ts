import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance } from 'fastify';
import { composeReceipt } from '../sale/receipts/compose-receipt.js';
import type { ReceiptCopy } from '../sale/receipts/receipt-data.js';
import {
  RECEIPT_COLUMNS,
  type ReceiptColumns,
  receiptLines,
  receiptText,
} from '../sale/receipts/receipt-lines.js';
import { LANGUAGES, type Language, type StoreConfig } from '../sale/receipts/store.js';
import type { SaleService } from '../sale/service/sale-service.js';
import { streams } from './answers.js';
import { SALE_PARAMS } from './bodies.js';
import { seenSale } from './sign-in.js';

const oneOf = <T extends string>(words: readonly string[], description: string) =>
  Type.Optional(
    Type.Unsafe<T>({ type: 'string', enum: words, description, expected: `one of ${words.join(', ')}` }),
  );

const QUERY = Type.Object({
  copy: oneOf<ReceiptCopy>(['customer', 'merchant'], 'For whom; default: customer.'),
  format: oneOf<'text' | 'html' | 'escpos'>(
    ['text', 'html', 'escpos'],
    '`escpos`: commands for a receipt printer; default: text.',
  ),
  columns: oneOf<`${ReceiptColumns}`>(RECEIPT_COLUMNS.map(String), 'Characters in a line; default: 32.'),
  language: oneOf<Language>(LANGUAGES, 'Default: that of the store.'),
  reprint: oneOf<'true' | 'false'>(['true', 'false'], '`true`: marked as printed once more.'),
});

/** What receipts stand on. */
interface ReceiptDeps {
  readonly service: SaleService;
  readonly store: StoreConfig;
  readonly clock: Clock;
}

/** `GET /v1/sales/{reference}/receipt`: a receipt in the form that a till prints. */
export function receiptRoutes(server: FastifyInstance, { service, store, clock }: ReceiptDeps): void {
  server.get<{ Params: Static<typeof SALE_PARAMS>; Querystring: Static<typeof QUERY> }>(
    '/v1/sales/:reference/receipt',
    {
      schema: {
        tags: ['sales'],
        summary: 'A receipt of a sale that has ended with a card.',
        params: SALE_PARAMS,
        querystring: QUERY,
        response: streams('text/plain', 'The receipt.'),
      },
    },
    async (request, reply) => {
      const { reference } = await seenSale(request, service, request.params.reference);
      const { copy = 'customer', format = 'text', columns = '32', language, reprint } = request.query;
      const receipt = composeReceipt(await service.receipt(reference), {
        copy,
        store,
        ...(language && { language }),
        ...(reprint === 'true' && { reprintedAtMs: clock.nowMs() }),
      });
      const width = Number(columns) as ReceiptColumns;
      // Sent as it is: the serializer is only for JSON.
      reply.serializer((body: unknown) => body as string);
      if (format === 'text') return reply.type('text/plain; charset=utf-8').send(receiptText(receipt, width));
      if (format === 'html') {
        const { receiptHtml } = await import('../sale/receipts/receipt-html.js');
        reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
        return reply.type('text/html; charset=utf-8').send(receiptHtml(receipt));
      }
      const { escPos } = await import('../sale/receipts/receipt-escpos.js');
      const commands = await escPos(receiptLines(receipt, width));
      return reply.type('application/octet-stream').send(Buffer.from(commands));
    },
  );
}
