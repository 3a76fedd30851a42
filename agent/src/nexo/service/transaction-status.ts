import type { SaleAnswer } from '../../sale/machine/state/answer.js';
import { cardDetailsFor } from '../answers/card-data.js';
import { paymentAnswer, reversalAnswer } from '../answers/payment-answer.js';
import { paymentReceipts, RECEIPT_KINDS, type ReceiptKind } from '../answers/receipt-content.js';
import { isUnderWay, wasReversalRequested } from '../answers/sale-result.js';
import { actsFor, type NexoCaller } from '../keys/caller.js';
import { CATEGORIES } from '../messages/categories.js';
import type { Fields } from '../messages/fields.js';
import { SERVICE_ID_HOURS } from '../messages/header.js';
import { failure, success } from '../messages/response.js';
import { isReversalOfAll, type MoneyCategory, type TillRequest } from '../requests/till-requests.js';
import type { Handler, NexoPorts, TillCall } from './ports.js';
import { saleIfThere } from './reversal.js';

const MONEY: readonly MoneyCategory[] = ['Payment', 'Reversal'];
const CATEGORY_NAMES = Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[];

/**
 * The request that a `MessageReference` names; what it leaves out is as in the header of the message itself. One of a till that the key
 * does not act for is not there.
 */
export async function referredTo(
  named: Fields | undefined,
  { header, caller }: Pick<TillCall, 'header' | 'caller'>,
  ports: NexoPorts,
): Promise<TillRequest | undefined> {
  const category = named?.oneOfIfThere('MessageCategory', CATEGORY_NAMES) ?? 'Payment';
  const saleId = named?.textIfThere('SaleID') ?? header.SaleID;
  const { id: terminalId } = ports.terminals.of(named?.textIfThere('POIID') ?? header.POIID);
  const serviceId = named?.textIfThere('ServiceID');
  const money = MONEY.find((each) => each === category);
  if (!money || !actsFor(caller, saleId)) return undefined;
  const { requests } = ports;
  return serviceId === undefined
    ? requests.last({ saleId, terminalId }, money)
    : requests.find({ saleId, terminalId, serviceId }, money);
}

/** The status of a request: its answer once more, that it runs, or that it never arrived. */
export const transactionStatus: Handler = async (call, ports) => {
  const { header, body, caller } = call;
  const named = body.objectIfThere('MessageReference');
  const kinds = receiptKinds(body);
  const request = await referredTo(named, call, ports);
  const sale = request && (await saleIfThere(ports, request.reference));
  if (!request || !sale || isMissing(request, sale))
    return { Response: failure('NotFound', `no such request in the last ${SERVICE_ID_HOURS} hours`) };
  const reference = {
    MessageCategory: request.category,
    ServiceID: request.serviceId,
    SaleID: request.saleId,
    POIID: request.poiId,
  };
  if (isUnderWay(sale))
    return { Response: failure('InProgress', sale.cashierText), MessageReference: reference };
  return {
    Response: success(),
    MessageReference: reference,
    RepeatedMessageResponse: {
      MessageHeader: {
        ProtocolVersion: header.ProtocolVersion,
        MessageClass: 'Service',
        MessageType: 'Response',
        ...reference,
      },
      RepeatedResponseMessageBody: {
        [`${request.category}Response`]: await repeated(request, sale, { kinds, caller }, ports),
      },
    },
  };
};

/** A reversal that was journaled and not begun, because the agent was killed in between, never happened. */
function isMissing(request: TillRequest, sale: SaleAnswer): boolean {
  return isReversalOfAll(request) && !wasReversalRequested(sale);
}

async function repeated(
  request: TillRequest,
  sale: SaleAnswer,
  { kinds, caller }: { readonly kinds: readonly ReceiptKind[]; readonly caller: NexoCaller },
  ports: NexoPorts,
): Promise<object> {
  const receipts = await paymentReceipts(sale, { ...ports, kinds, reprintedAtMs: ports.clock.nowMs() });
  const { merchantId, store } = ports;
  const about = { request, merchantId, timeZone: store.timeZone, receipts };
  if (request.category === 'Payment') {
    const cardDetails = await cardDetailsFor(caller, ports, sale.reference);
    return paymentAnswer(sale, { ...about, cardDetails });
  }
  if (isReversalOfAll(request) || request.original === undefined) return reversalAnswer(sale, about);
  const original = await saleIfThere(ports, request.original);
  return reversalAnswer(original ?? sale, about, sale);
}

/** Which receipts are repeated: none unless the till requests them, both unless it names some. */
function receiptKinds(body: Fields): readonly ReceiptKind[] {
  if (!body.flag('ReceiptReprintFlag')) return [];
  const named = body.list('DocumentQualifier');
  return named.length === 0 ? RECEIPT_KINDS : RECEIPT_KINDS.filter((kind) => named.includes(kind));
}
