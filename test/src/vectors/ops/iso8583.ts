import { isDeepStrictEqual } from 'node:util';
import { toHex } from '@tillbridge/protocol/bytes.js';
import type { FieldSpec, MessageSpec } from '@tillbridge/protocol/iso8583/field-spec.js';
import {
  type Iso8583Message,
  packMessage,
  readHead,
  unpackMessage,
} from '@tillbridge/protocol/iso8583/message.js';
import type { Inputs, TopicOps } from '../inputs.js';

function head(inputs: Inputs): Pick<MessageSpec, 'mtiEncoding' | 'bitmapEncoding'> {
  return { mtiEncoding: inputs.text('mtiEncoding'), bitmapEncoding: inputs.text('bitmapEncoding') };
}

function messageSpec(inputs: Inputs): MessageSpec {
  return { ...head(inputs), fields: inputs.object('fieldSpec') as Readonly<Record<number, FieldSpec>> };
}

function message(inputs: Inputs): Iso8583Message {
  return { mti: inputs.text('mti'), fields: inputs.object('fields') as Readonly<Record<number, string>> };
}

/** ISO 8583 with the field specification of each vector. */
export const ISO8583_OPS: TopicOps = {
  packUnpack: (inputs) => {
    const spec = messageSpec(inputs);
    const packed = packMessage(spec, message(inputs));
    const back = unpackMessage(spec, packed);
    if (!isDeepStrictEqual(back, message(inputs)))
      throw new Error('unpacking does not give the message back');
    return { packedHex: toHex(packed) };
  },
  pack: (inputs) => ({ packedAscii: packMessage(messageSpec(inputs), message(inputs)).toString('latin1') }),
  readBitmap: (inputs) => {
    const { mti, fields } = readHead(head(inputs), Buffer.from(inputs.text('messageAscii'), 'latin1'));
    return { mti, presentFields: fields };
  },
};
