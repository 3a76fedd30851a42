import { toHex } from '@tillbridge/wire/bytes.js';
import { unwrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import type { TopicOps } from './inputs.js';

/** TR-31:2018 and X9.143:2021. */
export const TR31_OPS: TopicOps = {
  unwrap: (inputs) => {
    const options =
      inputs.optionalText('legacyVersions') === 'accept' ? { legacyVersions: 'accept' as const } : {};
    const { header, key } = unwrapKeyBlock(inputs.hex('kbpk'), inputs.text('keyBlock'), options);
    const { version, usage, algorithm, mode } = header;
    return { version, usage, algorithm, mode, key: toHex(key) };
  },
};
