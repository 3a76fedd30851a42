import { readAmount, readCurrency } from '@tillbridge/agent/nexo/messages/amounts.js';
import type { MessageHeader } from '@tillbridge/agent/nexo/messages/header.js';
import { readRequest, type SentMessage, sentMessage } from '@tillbridge/agent/nexo/messages/message.js';
import { MessageCipher } from '@tillbridge/agent/nexo/messages/message-cipher.js';
import { NexoError } from '@tillbridge/agent/nexo/messages/nexo-error.js';
import { encodePairs, readPairs } from '@tillbridge/agent/nexo/messages/pairs.js';
import { fuzzTargets, PropertyError } from './target.js';

const HEADER: MessageHeader = {
  ProtocolVersion: '3.0',
  MessageClass: 'Service',
  MessageCategory: 'Payment',
  MessageType: 'Request',
  ServiceID: '4711',
  SaleID: 'till-1',
  POIID: '1001',
};
const MESSAGE = {
  SaleToPOIRequest: {
    MessageHeader: HEADER,
    PaymentRequest: {
      SaleData: { SaleTransactionID: { TransactionID: '1', TimeStamp: '2026-11-23T08:00:00Z' } },
      PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: 12.34 } },
    },
  },
};
const KEY = { identifier: 'fuzz', version: 1, passphrase: 'a passphrase of the fuzzer' };
const CIPHER = new MessageCipher(KEY, { bytes: (length) => Buffer.alloc(length, 7) });
const SECURED = { SaleToPOIRequest: CIPHER.seal(HEADER, MESSAGE) };

function received(input: Uint8Array): SentMessage | undefined {
  try {
    return sentMessage(JSON.parse(Buffer.from(input).toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Readers of what tills send in nexo Retailer. */
export const NEXO_TARGETS = fuzzTargets([NexoError], {
  'nexo/request': {
    corpus: [Buffer.from(JSON.stringify(MESSAGE))],
    run: (input) => {
      const message = received(input);
      if (!message) return;
      const { body } = readRequest(message);
      const amounts = body.object('PaymentTransaction').object('AmountsReq');
      const { minor } = readAmount(amounts, 'RequestedAmount', readCurrency(amounts, 'Currency'));
      if (!Number.isSafeInteger(minor) || minor <= 0) throw new PropertyError('an amount is no whole number');
    },
  },
  'nexo/secured-message': {
    corpus: [Buffer.from(JSON.stringify(SECURED))],
    run: (input) => {
      const message = received(input);
      if (!message) return;
      const { header } = CIPHER.open(message);
      if (JSON.stringify(header) !== JSON.stringify(HEADER))
        throw new PropertyError('a header opens without encipherment');
    },
  },
  'nexo/pairs': {
    corpus: [Buffer.from('currency=EUR&tenderOption=a%2Cb'), Buffer.from(btoa('{"currency":"EUR"}'))],
    refusals: [],
    run: (input) => {
      const pairs = readPairs(Buffer.from(input).toString('latin1'));
      const sent = pairs
        .get('currency')
        ?.slice(0, 100)
        .replace(/\p{Cs}/gu, '\uFFFD');
      if (readPairs(encodePairs({ currency: sent })).get('currency') !== sent)
        throw new PropertyError('writing pairs that were read gives others');
    },
  },
});
