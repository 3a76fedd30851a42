import { toHex } from '@tillbridge/protocol/bytes.js';
import { type KcvMethod, kcv } from '@tillbridge/protocol/crypto/kcv.js';
import { aesCmac, iso9797Algorithm1, iso9797Algorithm3, tdesCmac } from '@tillbridge/protocol/crypto/mac.js';
import type { MacPadding } from '@tillbridge/protocol/crypto/padding.js';
import type { Inputs, TopicOps } from '../inputs.js';

type Algorithm = 'iso9797Algorithm1' | 'iso9797Algorithm3' | 'aesCmac' | 'tdesCmac';

const ALGORITHMS: Readonly<Record<Algorithm, (inputs: Inputs, data: Buffer) => Buffer>> = {
  iso9797Algorithm1: (inputs, data) =>
    iso9797Algorithm1(inputs.hex('key'), data, inputs.text<MacPadding>('padding')),
  iso9797Algorithm3: (inputs, data) =>
    iso9797Algorithm3(inputs.hex('key1'), inputs.hex('key2'), data, inputs.text<MacPadding>('padding')),
  aesCmac: (inputs, data) => aesCmac(inputs.hex('key'), data),
  tdesCmac: (inputs, data) => tdesCmac(inputs.hex('key'), data),
};

/** MAC algorithms and key check values. */
export const MAC_KCV_OPS: TopicOps = {
  mac: (inputs) => {
    const data = inputs.has('dataAscii')
      ? Buffer.from(inputs.text('dataAscii'), 'latin1')
      : inputs.hex('dataHex');
    return { mac: toHex(ALGORITHMS[inputs.text<Algorithm>('algorithm')](inputs, data)) };
  },
  kcv: (inputs) => ({
    kcv: toHex(kcv(inputs.text<KcvMethod>('method'), inputs.hex('key'), inputs.int('kcvBytes'))),
  }),
};
