import type { Money } from '@tillbridge/wire/payment/money.js';
import { cardData, maySeeCardDetails } from '../answers/card-data.js';
import { saleData } from '../answers/payment-answer.js';
import { majorUnits, readAmount } from '../messages/amounts.js';
import type { Fields } from '../messages/fields.js';
import { success } from '../messages/response.js';
import { deviceResponse, exclusively } from './device-work.js';
import { keyOf } from './payment.js';
import type { Handler } from './ports.js';
import { readTransaction } from './transaction.js';

/**
 * Reads a card without a payment and prompts for its removal. No money moves, so nothing is journaled: the same request again prompts for a card
 * again. Where the maker's protocol reads cards only for a transaction, it is unavailable.
 */
export const cardAcquisition: Handler = async (request, ports) => {
  const { header, body, caller } = request;
  const terminal = ports.terminals.of(header.POIID);
  const transaction = readTransaction(body.object('SaleData').object('SaleTransactionID'));
  const amount = totalAmount(body.object('CardAcquisitionTransaction'), ports.currency);
  const { saleId, serviceId } = keyOf(request, terminal);
  const { clock } = ports;
  const common = {
    SaleData: saleData(transaction),
    POIData: {
      POITransactionID: {
        TransactionID: `card-${serviceId}`,
        TimeStamp: new Date(clock.nowMs()).toISOString(),
      },
    },
  };
  const outcome = await exclusively(
    ports,
    terminal.id,
    { category: 'CardAcquisition', saleId, id: serviceId },
    () => ports.sales.device(terminal.id, { kind: 'read-card', amount }),
  );
  if ('Result' in outcome) return { Response: outcome, ...common };
  if (outcome.kind !== 'card')
    return { Response: deviceResponse(outcome, 'a way to read a card without a payment'), ...common };
  const { facts } = outcome;
  const CardData = cardData(facts, maySeeCardDetails(caller) ? facts : undefined);
  const PaymentInstrumentData = { PaymentInstrumentType: 'Card', CardData };
  return { Response: success({ totalAmount: String(majorUnits(amount)) }), ...common, PaymentInstrumentData };
};

/** What the cardholder is shown, in the currency of the store; nothing where the till does not know it yet. */
function totalAmount(transaction: Fields, currency: string): Money {
  const named = transaction.get('TotalAmount');
  return named === undefined || named === 0
    ? { minor: 0, currency }
    : readAmount(transaction, 'TotalAmount', currency);
}
