import { toHex } from '@tillbridge/wire/bytes.js';
import { type KcvMethod, kcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import {
  aesCmac,
  iso9797Algorithm1,
  iso9797Algorithm3,
  tdesCmac,
} from '@tillbridge/wire/crypto/ciphers/mac.js';
import type { MacPadding } from '@tillbridge/wire/crypto/ciphers/padding.js';
import type { Inputs, TopicOps } from './inputs.js';

type Algorithm = 'iso9797Algorithm1' | 'iso9797Algorithm3' | 'aesCmac' | 'tdesCmac';

/** The key of algorithm 3 comes as two keys, or as one whose halves they are. */
function keyPair(inputs: Inputs): readonly [Buffer, Buffer] {
  if (inputs.has('key1')) return [inputs.hex('key1'), inputs.hex(inputs.has('key2') ? 'key2' : 'key1')];
  const key = inputs.hex('key');
  return [key.subarray(0, 8), key.subarray(8, 16)];
}

/** Padding is the simplest one where a vector names none. */
const padding = (inputs: Inputs): MacPadding =>
  inputs.optionalText<MacPadding>('padding') ?? 'iso9797Method1';

/** The key of the other algorithms; `key1` where a vector gives its one key that name. */
const onlyKey = (inputs: Inputs): Buffer => inputs.hex(inputs.has('key') ? 'key' : 'key1');

const ALGORITHMS: Readonly<Record<Algorithm, (inputs: Inputs, data: Buffer) => Buffer>> = {
  iso9797Algorithm1: (inputs, data) => iso9797Algorithm1(onlyKey(inputs), data, padding(inputs)),
  iso9797Algorithm3: (inputs, data) => iso9797Algorithm3(...keyPair(inputs), data, padding(inputs)),
  aesCmac: (inputs, data) => aesCmac(onlyKey(inputs), data),
  tdesCmac: (inputs, data) => tdesCmac(onlyKey(inputs), data),
};

/** MAC algorithms and key check values. */
export const MAC_KCV_OPS: TopicOps = {
  mac: (inputs) => {
    const data = inputs.has('dataAscii')
      ? Buffer.from(inputs.text('dataAscii'), 'latin1')
      : (inputs.optionalHex('dataHex') ?? Buffer.alloc(0));
    return { mac: toHex(ALGORITHMS[inputs.text<Algorithm>('algorithm')](inputs, data)) };
  },
  kcv: (inputs) => {
    const method = inputs.text<KcvMethod>('method');
    const whole = kcv(method, inputs.hex('key'), method === 'tdesZeroBlock' ? 8 : 16);
    return { kcv: toHex(whole.subarray(0, inputs.int('kcvBytes'))) };
  },
};
