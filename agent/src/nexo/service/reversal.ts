import type { Money } from '@tillbridge/wire/payment/money.js';
import type { SaleAnswer } from '../../sale/machine/state/answer.js';
import { SaleError } from '../../sale/service/sale-service.js';
import { poiTransaction, readPoiTransaction, reversalAnswer } from '../answers/payment-answer.js';
import { paymentReceipts } from '../answers/receipt-content.js';
import { actsFor } from '../keys/caller.js';
import { readAmount } from '../messages/amounts.js';
import type { Fields } from '../messages/fields.js';
import { NexoError } from '../messages/nexo-error.js';
import { readPairs } from '../messages/pairs.js';
import { failure } from '../messages/response.js';
import type { NewTillRequest } from '../requests/till-requests.js';
import { keyOf } from './payment.js';
import type { Handler, NexoPorts, TillCall } from './ports.js';
import { refusalOf } from './refusals.js';
import { readTransaction, type TillTransaction } from './transaction.js';

const REASONS = ['CustCancel', 'MerchantCancel', 'Malfunction', 'Unable2Compl'] as const;

interface RequestedReversal {
  readonly tillRequest: NewTillRequest;
  readonly original: SaleAnswer;
  /** Of a refund: the amount that goes back. */
  readonly part?: Money;
}

/**
 * Reverses a sale of this agent; with an amount it refunds that part of it, in the currency that `SaleToAcquirerData` names. The same
 * request again changes nothing.
 */
export const reversal: Handler = async (request, ports) => {
  const { header, body } = request;
  body.oneOf('ReversalReason', REASONS);
  const { poi, original } = await findOriginal(request, ports);
  if (!original) return { Response: failure('NotFound', `no sale ${poi.transactionId} on this agent`) };
  const terminal = ports.terminals.of(header.POIID);
  const own = body.objectIfThere('SaleData');
  const transaction =
    own?.get('SaleTransactionID') === undefined ? poi : readTransaction(own.object('SaleTransactionID'));
  const part = refundedPart(body, own, original);
  const { reference } = original;
  const tillRequest: NewTillRequest = {
    ...keyOf(request, terminal),
    ...transaction,
    poiId: header.POIID,
    category: 'Reversal',
    original: reference,
    ...(part && { minor: part.minor }),
  };
  const refused = (error: unknown) => refusal(original, error);
  if (part) return carryOut(ports, request, { tillRequest, original, part }).catch(refused);
  return once(ports, tillRequest, reference, () => carryOut(ports, request, { tillRequest, original })).catch(
    refused,
  );
};

/** A sale is reversed by one request: another one is refused, and nothing of it is journaled. @throws SaleError `not-allowed` */
async function once(
  ports: NexoPorts,
  tillRequest: NewTillRequest,
  reference: string,
  work: () => Promise<object>,
): Promise<object> {
  const { reversals, requests } = ports;
  const key = JSON.stringify([tillRequest.saleId, tillRequest.terminalId, tillRequest.serviceId]);
  if (await requests.find(tillRequest, 'Reversal')) return work();
  const running = reversals.get(reference);
  if (running === key) return work();
  if (running !== undefined)
    throw new SaleError('not-allowed', `sale ${reference} is being reversed by another request`);
  reversals.set(reference, key);
  try {
    // By now another request may have reversed it.
    const now = await ports.sales.get(reference);
    if (now.outcome === 'reversed' || now.state === 'reversing')
      throw new SaleError('not-allowed', `sale ${reference} is reversed already, or being reversed`);
    return await work();
  } finally {
    reversals.delete(reference);
  }
}

async function carryOut(
  ports: NexoPorts,
  { header }: TillCall,
  { tillRequest, original, part }: RequestedReversal,
): Promise<object> {
  const { reference } = original;
  const began = await ports.requests.begin(tillRequest);
  const about = async (sale: SaleAnswer) => ({
    request: began,
    merchantId: ports.merchantId,
    timeZone: ports.store.timeZone,
    receipts: await paymentReceipts(sale, ports),
  });
  if (!part) {
    const reversed = await ports.sales.reverse(reference, header.SaleID);
    return reversalAnswer(reversed, await about(reversed));
  }
  // It goes back to the card of the sale: no card is read.
  const refund = {
    reference: began.reference,
    type: 'refund',
    amount: part,
    terminalId: tillRequest.terminalId,
    till: header.SaleID,
  } as const;
  const done = await ports.sales.request({ ...refund, originalReference: reference });
  return reversalAnswer(original, await about(done), done);
}

/** @throws what is no refusal */
function refusal(original: SaleAnswer, error: unknown): object {
  const response = refusalOf(error);
  if (!response) throw error;
  return { Response: response, OriginalPOITransaction: { POITransactionID: poiTransaction(original) } };
}

/** A sale of a till that the key does not act for is not there. */
async function findOriginal(
  { body, caller }: TillCall,
  ports: NexoPorts,
): Promise<{ readonly poi: TillTransaction; readonly original: SaleAnswer | undefined }> {
  const poi = readTransaction(body.object('OriginalPOITransaction').object('POITransactionID'));
  const { reference, paymentId } = readPoiTransaction(poi.transactionId);
  const sale = await saleIfThere(ports, reference);
  const isIt = actsFor(caller, sale?.till) && (paymentId === undefined || sale?.paymentId === paymentId);
  return { poi, original: isIt ? sale : undefined };
}

function refundedPart(body: Fields, own: Fields | undefined, original: SaleAnswer): Money | undefined {
  if (body.get('ReversedAmount') === undefined) return undefined;
  const added = own?.get('SaleToAcquirerData');
  const currency = typeof added === 'string' ? readPairs(added).get('currency') : undefined;
  if (currency !== original.currency)
    throw new NexoError(
      'bad-field',
      `SaleData.SaleToAcquirerData must name the currency of the sale: currency=${original.currency}`,
    );
  return readAmount(body, 'ReversedAmount', currency);
}

/** The sale of a reference; `undefined` where there is none. */
export async function saleIfThere(ports: NexoPorts, reference: string): Promise<SaleAnswer | undefined> {
  try {
    return await ports.sales.get(reference);
  } catch (error) {
    if (error instanceof SaleError && error.code === 'unknown-reference') return undefined;
    throw error;
  }
}
