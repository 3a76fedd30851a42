import { isDeepStrictEqual } from 'node:util';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { FieldSpec, MessageSpec } from '@tillbridge/wire/iso8583/field-spec.js';
import {
  type Iso8583Message,
  packMessage,
  readHead,
  unpackMessage,
} from '@tillbridge/wire/iso8583/message.js';
import type { Inputs, TopicOps } from './inputs.js';

function head(inputs: Inputs): Pick<MessageSpec, 'mtiEncoding' | 'bitmapEncoding'> {
  return { mtiEncoding: inputs.text('mtiEncoding'), bitmapEncoding: inputs.text('bitmapEncoding') };
}

/** Field numbers may come with zeros in front. */
function byNumber<T>(object: Readonly<Record<string, unknown>>): Readonly<Record<number, T>> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [Number(key), value as T]));
}

function messageSpec(inputs: Inputs): MessageSpec {
  return { ...head(inputs), fields: byNumber<FieldSpec>(inputs.object('fieldSpec')) };
}

function message(inputs: Inputs): Iso8583Message {
  return { mti: inputs.text('mti'), fields: byNumber<string>(inputs.object('fields')) };
}

/** ISO 8583 with the field specification of each vector. */
export const ISO8583_OPS: TopicOps = {
  packUnpack: (inputs) => {
    const spec = messageSpec(inputs);
    const sent = message(inputs);
    const packed = packMessage(spec, sent);
    const back = unpackMessage(spec, packed);
    // What fills a fixed field belongs to the value that is read: where a value was shorter the two are equal if they pack alike.
    const isSame =
      isDeepStrictEqual(back, sent) ||
      (isDeepStrictEqual(Object.keys(back.fields), Object.keys(sent.fields)) &&
        packMessage(spec, back).equals(packed));
    if (!isSame) throw new Error('unpacking does not give the message back');
    return { packedHex: toHex(packed) };
  },
  pack: (inputs) => ({ packedAscii: packMessage(messageSpec(inputs), message(inputs)).toString('latin1') }),
  readBitmap: (inputs) => {
    const { mti, fields } = readHead(head(inputs), Buffer.from(inputs.text('messageAscii'), 'latin1'));
    return { mti, presentFields: fields };
  },
};
