import { isDeepStrictEqual } from 'node:util';
import { parseForm } from '@tillbridge/protocol/api/form.js';
import { BridgeError, decodeEnvelope, encodeEnvelope } from '@tillbridge/protocol/bridge/codec.js';
import { SaleType } from '@tillbridge/protocol/bridge/messages.js';
import { fromHex } from '@tillbridge/protocol/bytes.js';
import type { MessageSpec } from '@tillbridge/protocol/iso8583/field-spec.js';
import { Iso8583Error } from '@tillbridge/protocol/iso8583/iso8583-error.js';
import { type Iso8583Message, packMessage, unpackMessage } from '@tillbridge/protocol/iso8583/message.js';
import { type VectorInputs, vectorInputs } from './corpus.js';
import { type FuzzTarget, PropertyError } from './target.js';

function iso8583Target(inputs: VectorInputs, index: number): FuzzTarget {
  const spec: MessageSpec = {
    mtiEncoding: inputs.mtiEncoding as MessageSpec['mtiEncoding'],
    bitmapEncoding: inputs.bitmapEncoding as MessageSpec['bitmapEncoding'],
    fields: inputs.fieldSpec as MessageSpec['fields'],
  };
  const message: Iso8583Message = {
    mti: String(inputs.mti),
    fields: inputs.fields as Iso8583Message['fields'],
  };
  return {
    name: `iso8583/message-${index + 1}`,
    corpus: [packMessage(spec, message)],
    refusals: [Iso8583Error],
    run: (input) => unpackMessage(spec, input),
  };
}

/** Readers of what tills, agents, terminals and acquirers send. */
export const WIRE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'bridge/envelope',
    corpus: [
      encodeEnvelope({
        id: '0198c6a2-0000-7000-8000-000000000001',
        terminalId: '',
        sequence: 7,
        kind: 'authorizationRequest',
        body: {
          reference: 'T-1',
          type: SaleType.SALE,
          amount: { minor: 1234, currency: 'EUR' },
          pos: {
            terminalId: '1001',
            deviceType: 'GERTEC_PPC930',
            deviceId: '77',
            entryMode: 'ICC',
            panSequenceNumber: '01',
            transactionSequenceNumber: 7,
            pinEntryAvailable: true,
            iccData: fromHex('9F2701809F260801020304050607'),
            expiry: '3112',
            sred: { data: Buffer.alloc(48, 1), ksn: Buffer.alloc(10, 2) },
          },
          originalMessageId: '',
          journaledAtMs: 1_795_000_000_000,
          partialAllowed: false,
        },
      }),
    ],
    refusals: [BridgeError],
    run: (input) => {
      const envelope = decodeEnvelope(input);
      if (!isDeepStrictEqual(decodeEnvelope(encodeEnvelope(envelope)), envelope))
        throw new PropertyError('encoding what was decoded gives another envelope');
    },
  },
  ...vectorInputs('iso8583')
    .filter(({ op }) => op === 'packUnpack')
    .map(iso8583Target),
  {
    name: 'api/form',
    corpus: [
      Buffer.from('entityId=8a8294174b7ecb28014b9699220015ca&amount=92.00&currency=EUR&paymentType=DB'),
      Buffer.from('card.holder=J%C3%B6rg+M&customParameters[a]=1&cart.items[0].name=x'),
    ],
    refusals: [],
    run: (input) => parseForm(input, 'application/x-www-form-urlencoded'),
  },
];
