import { randomBytes } from 'node:crypto';
import { toHex } from '@tillbridge/wire/bytes.js';
import { tdesDecryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  decodePinBlock,
  encodePinBlock,
  type PinBlockFormat,
  type ShortPinBlockFormat,
} from '@tillbridge/wire/crypto/pin/pin-block.js';
import { panField4 } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import {
  decipherPin,
  encipherPin,
  type PinBlockProtection,
  type PinCipher,
  translatePin,
} from '@tillbridge/wire/crypto/pin/pin-translation.js';
import type { Inputs, TopicOps } from './inputs.js';

const random = (length: number): Uint8Array => randomBytes(length);

function encode(inputs: Inputs): Readonly<Record<string, unknown>> {
  const pan = inputs.optionalText('pan');
  const block = encodePinBlock({
    format: inputs.int<ShortPinBlockFormat>('format'),
    pin: inputs.text('pin'),
    ...(pan !== undefined && { pan }),
    random,
  });
  return { clearPinBlock: toHex(block) };
}

function protection(inputs: Inputs, format: string, cipher: string, key: string): PinBlockProtection {
  return {
    format: inputs.int<PinBlockFormat>(format),
    cipher: inputs.text<PinCipher>(cipher),
    key: inputs.hex(key),
  };
}

function encipher(inputs: Inputs): Readonly<Record<string, unknown>> {
  const to = protection(inputs, 'format', 'cipher', 'key');
  const fill = inputs.optionalHex('randomFill');
  const block = encipherPin(
    to,
    inputs.text('pin'),
    inputs.text('pan'),
    fill === undefined ? random : () => fill,
  );
  return {
    encryptedPinBlock: toHex(block),
    ...(to.cipher === 'tdes' && { clearPinBlock: toHex(tdesDecryptEcb(to.key, block)) }),
  };
}

function translate(inputs: Inputs): Readonly<Record<string, unknown>> {
  const from = protection(inputs, 'fromFormat', 'fromCipher', 'fromKey');
  const to = protection(inputs, 'toFormat', 'toCipher', 'toKey');
  const pan = inputs.text('pan');
  const block = translatePin(from, inputs.hex('encryptedPinBlock'), pan, to, random);
  return { pin: decipherPin(to, block, pan).toString('latin1') };
}

/** ISO 9564. */
export const PINBLOCK_OPS: TopicOps = {
  encode,
  decode: (inputs) => {
    const format = inputs.int<ShortPinBlockFormat>('format');
    const pin = decodePinBlock(format, inputs.hex('clearPinBlock'), inputs.optionalText('pan'));
    return { pin: pin.toString('latin1') };
  },
  encipher,
  decipher: (inputs) => {
    const from = protection(inputs, 'format', 'cipher', 'key');
    return { pin: decipherPin(from, inputs.hex('encryptedPinBlock'), inputs.text('pan')).toString('latin1') };
  },
  panField: (inputs) => ({ panField: toHex(panField4(inputs.text('pan'))) }),
  translate,
};
