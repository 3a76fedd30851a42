import { readAmount, readCurrency } from '@tillbridge/agent/nexo/messages/amounts.js';
import type { MessageHeader } from '@tillbridge/agent/nexo/messages/header.js';
import { readRequest, type SentMessage, sentMessage } from '@tillbridge/agent/nexo/messages/message.js';
import { MessageCipher } from '@tillbridge/agent/nexo/messages/message-cipher.js';
import { NexoError } from '@tillbridge/agent/nexo/messages/nexo-error.js';
import { encodePairs, readPairs } from '@tillbridge/agent/nexo/messages/pairs.js';
import { ApduReader, encodeApdu } from '@tillbridge/agent/zvt/messages/apdu.js';
import { field, readBitmaps } from '@tillbridge/agent/zvt/messages/bitmaps.js';
import { readReceived } from '@tillbridge/agent/zvt/messages/commands.js';
import { ZvtError } from '@tillbridge/agent/zvt/messages/zvt-error.js';
import { encodeFrame, FrameReader } from '@tillbridge/agent/zvt/serial/framing.js';
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

const REGISTRATION = Buffer.from('060010000000b609780301060626040a0206d3', 'hex');
const AUTHORIZATION = Buffer.from('060112040000000010004909780606e9041f630141', 'hex');
const REVERSAL = Buffer.from('063006000000870001', 'hex');
const RESERVATIONS = [
  '06220a04000000005000490978',
  '06230f870001040000000008001900490978',
  '06230387ffff',
  '06240a87000104000000004200',
  '0625081970490978870001',
].map((hex) => Buffer.from(hex, 'hex'));
const TEXT = Buffer.from('06e008f1f0f548454c4c4f', 'hex');

/** Readers of what tills send in ZVT. */
export const ZVT_TARGETS = fuzzTargets([ZvtError], {
  'zvt/messages': {
    corpus: [
      ...[REGISTRATION, AUTHORIZATION, REVERSAL, TEXT, Buffer.concat([REGISTRATION, AUTHORIZATION])],
      ...[...RESERVATIONS, Buffer.concat(RESERVATIONS)],
    ],
    run: (input) => {
      const reader = new ApduReader();
      const apdus = reader.push(input);
      const rest = input.subarray(input.length - reader.pending);
      const again = Buffer.concat([...apdus.map(encodeApdu), rest]);
      // A long length may stand before few bytes.
      if (again.length > input.length) throw new PropertyError('messages grow when they are written again');
      for (const apdu of apdus) {
        const received = readReceived(apdu);
        const command = received.kind === 'command' ? received.command : undefined;
        if (command && 'minor' in command && !Number.isSafeInteger(command.minor))
          throw new PropertyError('an amount is no whole number');
        if (command && 'receipt' in command && !(command.receipt >= 0 && command.receipt <= 9_999))
          throw new PropertyError('a receipt number has more than four digits');
      }
    },
  },
  'zvt/bitmaps': {
    corpus: [AUTHORIZATION.subarray(3), Buffer.from('270022f0f21234', 'hex')],
    run: (input) => {
      const written = Buffer.concat([...readBitmaps(input)].map(([bitmap, value]) => field(bitmap, value)));
      const again = Buffer.concat([...readBitmaps(written)].map(([bitmap, value]) => field(bitmap, value)));
      if (!again.equals(written)) throw new PropertyError('fields that were read are written as others');
    },
  },
  'zvt/serial': {
    corpus: [encodeFrame(AUTHORIZATION), Buffer.concat([Buffer.of(6), encodeFrame(REVERSAL)])],
    refusals: [],
    run: (input) => {
      const [whole, pieces] = [new FrameReader(), new FrameReader()];
      const events = JSON.stringify(whole.push(input));
      const cut = Math.floor(input.length / 2);
      const both = [...pieces.push(input.subarray(0, cut)), ...pieces.push(input.subarray(cut))];
      if (JSON.stringify(both) !== events) throw new PropertyError('what is found depends on the pieces');
    },
  },
});
