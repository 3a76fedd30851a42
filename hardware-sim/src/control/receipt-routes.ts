import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import { MAX_PRINT_BYTES, type ReceiptPrinter } from '../printer/receipt-printer.js';

/** Media type of commands for a receipt printer. */
const PRINT_TYPE = 'application/octet-stream';

/** `GET /receipts`, `POST /receipts` with ESC/POS, `DELETE /receipts`: the receipt printer. */
export function receiptRoutes(app: FastifyInstance, printer: ReceiptPrinter): void {
  app.addContentTypeParser(
    PRINT_TYPE,
    { parseAs: 'buffer', bodyLimit: MAX_PRINT_BYTES },
    (_request, bytes, done) => done(null, bytes),
  );
  app.get('/receipts', () => printer.receipts);
  app.post<{ Body: Buffer }>('/receipts', { bodyLimit: MAX_PRINT_BYTES }, ({ body }) => {
    if (!Buffer.isBuffer(body)) throw new ControlError('bad-request', `send the receipt as ${PRINT_TYPE}`);
    return { printed: printer.print(body) };
  });
  app.delete('/receipts', () => {
    printer.clear();
    return { printed: 0 };
  });
}
