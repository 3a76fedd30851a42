import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFile } from '@tillbridge/platform/write-file.js';
import { toHex, xorBytes } from '@tillbridge/wire/bytes.js';
import { aesKcv, tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { DEVELOPMENT_KEYS, type DevelopmentKeyName } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { SIMULATOR_KEY_NAMES } from './simulator-keys.js';

const KEY_BYTES = 16;

/** Keys that people carry to a gateway, each in two components. */
const CARRIED = [
  'bdkPin',
  'bdkData',
  'bdkMac',
  'bdkMacAes',
  'bdkPinAes',
  'bdkDataAes',
  'zoneTransportKey',
  'zoneProtectionKey',
] as const satisfies readonly DevelopmentKeyName[];
/** Keys that an acquirer sends in key blocks, and the content of their headers. */
const SENT = {
  zoneMacKey: { usage: 'M3', mode: 'C' },
  zonePinKey: { usage: 'P0', mode: 'B' },
} as const satisfies Partial<Record<DevelopmentKeyName, object>>;

/** What was made. */
export interface MadeKeys {
  /** For `SIM_KEY_FILE`. */
  readonly keyFile: string;
  /** Check value of each key, six hex digits. */
  readonly checkValues: Readonly<Record<DevelopmentKeyName, string>>;
}

/**
 * Makes fresh keys for a simulated acquirer, issuer and terminals in a folder that must not be there yet: the file of the simulator, two components of
 * each key that people carry to a gateway (`NAME-1.txt`, `NAME-2.txt`), and key blocks of what the acquirer sends (`NAME.tr31`). All of mode 0600.
 * @throws the file system's error
 */
export function makeKeys(folder: string, random: Random): MadeKeys {
  const keys = new Map(SIMULATOR_KEY_NAMES.map((name) => [name, newKey(name, random)]));
  const keyOf = (name: DevelopmentKeyName): Buffer => keys.get(name) ?? Buffer.of();
  mkdirSync(folder, { mode: 0o700 });
  const keyFile = join(folder, 'keys.json');
  const hex = Object.fromEntries([...keys].map(([name, key]) => [name, toHex(key)]));
  createFile(keyFile, `${JSON.stringify(hex, null, 2)}\n`);
  for (const name of CARRIED) {
    const first = Buffer.from(random.bytes(KEY_BYTES));
    const second = xorBytes(first, keyOf(name));
    for (const [at, part] of [first, second].entries())
      createFile(join(folder, `${name}-${at + 1}.txt`), `${toHex(part)}\n`);
  }
  const header = { version: 'D', algorithm: 'T', keyVersion: '00', exportability: 'N' } as const;
  for (const [name, use] of Object.entries(SENT)) {
    const about = { ...header, ...use, optionalBlocks: [] };
    const block = wrapKeyBlock(keyOf('zoneProtectionKey'), about, keyOf(name as DevelopmentKeyName), {
      random: (length) => random.bytes(length),
    });
    createFile(join(folder, `${name}.tr31`), `${block}\n`);
  }
  const checkValues = Object.fromEntries(
    [...keys].map(([name, key]) => [name, toHex(isTdes(name) ? tdesKcv(key) : aesKcv(key))]),
  ) as MadeKeys['checkValues'];
  return { keyFile, checkValues };
}

function isTdes(name: DevelopmentKeyName): boolean {
  return DEVELOPMENT_KEYS[name].algorithm === 'tdes2';
}

function newKey(name: DevelopmentKeyName, random: Random): Buffer {
  const bytes = Buffer.from(random.bytes(KEY_BYTES));
  return isTdes(name) ? withOddParity(bytes) : bytes;
}
