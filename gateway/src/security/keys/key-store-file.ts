import { oneOf } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { present } from '@tillbridge/wire/present.js';
import { readSecretFile, writeSecretFile } from '../../kernel/data-folder/secret-file.js';
import { USAGE_RULES } from './key-rules.js';
import { type KeyAlgorithm, type KeyInfo, type KeyMode, KeyStoreError, type KeyUsage } from './key-store.js';

const VERSION = 1;
/** Most keys of one store. */
export const MAX_KEYS = 4_096;

const TEXT = Type.String({ expected: 'a text' });
/** One key of a file. What is more in it is for later versions. */
const KEY = Type.Object(
  {
    id: TEXT,
    usage: oneOf(Object.keys(USAGE_RULES) as KeyUsage[], { expected: 'a use that this version has' }),
    algorithm: Type.Unsafe<KeyAlgorithm>(TEXT),
    scope: TEXT,
    label: TEXT,
    kcv: TEXT,
    blob: Type.String({ expected: 'a text', secret: true }),
    deviceType: Type.Optional(TEXT),
    retiredUntilMs: Type.Optional(Type.Integer({ expected: 'a time' })),
  },
  { expected: 'an object', secret: true },
);
const FILE = Type.Object(
  {
    version: Type.Unsafe<typeof VERSION>({ const: VERSION, expected: `${VERSION}` }),
    mode: oneOf(['test', 'live']),
    keys: Type.Array(KEY, { maxItems: MAX_KEYS, expected: `a list of at most ${MAX_KEYS}`, secret: true }),
    /** Check value of the master key that seals them; older files have none. */
    masterKcv: Type.Optional(TEXT),
  },
  { expected: 'an object', secret: true },
);

/** The content of a file. */
interface KeyStoreContent {
  readonly keys: readonly SealedKey[];
  readonly masterKcv?: string;
}

/** One key as the file has it. */
export interface SealedKey {
  readonly info: KeyInfo;
  readonly blob: Uint8Array;
}

const readFile = jsonReader(FILE, 'the file', (reason) => new KeyStoreError('badFile', reason));

/**
 * The sealed keys of a file; none when there is no file. What a member means is proven when its key opens: all of them are bound to it.
 * @throws KeyStoreError badFile, wrongMode; SecretFileError
 */
export function parseKeyStoreFile(path: string, mode: KeyMode): KeyStoreContent {
  const content = readSecretFile(path);
  if (content === undefined) return { keys: [] };
  const { keys, mode: written, masterKcv } = readFile(content.toString('utf8'), path);
  if (written !== mode)
    throw new KeyStoreError('wrongMode', `${path} is for ${written}, the gateway runs in ${mode}`);
  return { keys: keys.map((key) => sealedKey(key, mode)), ...present({ masterKcv }) };
}

function sealedKey({ blob, ...key }: Static<typeof KEY>, mode: KeyMode): SealedKey {
  const { id, usage, algorithm, scope, label, kcv, deviceType, retiredUntilMs } = key;
  const info = { id, usage, algorithm, scope, label, kcv, mode, ...present({ deviceType, retiredUntilMs }) };
  return { info, blob: Buffer.from(blob, 'base64') };
}

/**
 * Replaces the file.
 * @throws SecretFileError
 */
export function writeKeyStoreFile(
  path: string,
  mode: KeyMode,
  { keys, masterKcv }: Required<KeyStoreContent>,
): void {
  const entries = keys.map(({ info, blob }) => {
    const { mode: _, ...rest } = info;
    return { ...rest, blob: Buffer.from(blob).toString('base64') };
  });
  writeSecretFile(
    path,
    Buffer.from(`${JSON.stringify({ version: VERSION, mode, masterKcv, keys: entries }, null, 2)}\n`),
  );
}
