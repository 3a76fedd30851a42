import { readSecretFile, writeSecretFile } from '../../kernel/data-folder/secret-file.js';
import { USAGE_RULES } from './key-rules.js';
import { type KeyInfo, type KeyMode, KeyStoreError } from './key-store.js';

/** What a file says. */
interface KeyStoreContent {
  readonly keys: readonly SealedKey[];
  /** Check value of the master key that seals them; older files have none. */
  readonly masterKcv?: string;
}

/** One key as the file has it. */
export interface SealedKey {
  readonly info: KeyInfo;
  readonly blob: Uint8Array;
}

const VERSION = 1;
/** Most keys of one store. */
export const MAX_KEYS = 4_096;
const TEXT_MEMBERS = ['id', 'usage', 'algorithm', 'scope', 'label', 'kcv', 'blob'] as const;
type FileKey = Readonly<Record<(typeof TEXT_MEMBERS)[number], string>>;

/**
 * The sealed keys of a file; none when there is no file. What a member means is proven when its key opens: all of them are bound to it.
 * @throws KeyStoreError badFile, wrongMode; SecretFileError
 */
export function parseKeyStoreFile(path: string, mode: KeyMode): KeyStoreContent {
  const content = readSecretFile(path);
  if (content === undefined) return { keys: [] };
  const file = parseJson(path, content.toString('utf8'));
  if (file.version !== VERSION) throw new KeyStoreError('badFile', `${path}: version is not ${VERSION}`);
  if (file.mode !== mode)
    throw new KeyStoreError('wrongMode', `${path} is for ${String(file.mode)}, the gateway runs in ${mode}`);
  if (!Array.isArray(file.keys) || file.keys.length > MAX_KEYS)
    throw new KeyStoreError('badFile', `${path}: keys is not a list of at most ${MAX_KEYS}`);
  return {
    keys: file.keys.map((entry: unknown, index) => parseKey(path, index, entry, mode)),
    ...(typeof file.masterKcv === 'string' && { masterKcv: file.masterKcv }),
  };
}

function parseJson(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // Falls through: the parser's own message would quote the file.
  }
  throw new KeyStoreError('badFile', `${path}: not a JSON object`);
}

function parseKey(path: string, index: number, entry: unknown, mode: KeyMode): SealedKey {
  const object = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  for (const member of TEXT_MEMBERS) {
    if (typeof object[member] !== 'string')
      throw new KeyStoreError('badFile', `${path}: keys[${index}].${member} is not a text`);
  }
  if (object.deviceType !== undefined && typeof object.deviceType !== 'string')
    throw new KeyStoreError('badFile', `${path}: keys[${index}].deviceType is not a text`);
  const { id, usage, algorithm, scope, label, kcv, blob } = object as FileKey;
  const info = { id, usage, algorithm, scope, label, kcv };
  const { retiredUntilMs, deviceType } = object;
  if (retiredUntilMs !== undefined && !Number.isSafeInteger(retiredUntilMs))
    throw new KeyStoreError('badFile', `${path}: keys[${index}].retiredUntilMs is not a time`);
  if (!Object.hasOwn(USAGE_RULES, info.usage))
    throw new KeyStoreError('badFile', `${path}: keys[${index}].usage is none that this build knows`);
  const retired = typeof retiredUntilMs === 'number' && { retiredUntilMs };
  const ofDevices = typeof deviceType === 'string' && { deviceType };
  return { info: { ...info, mode, ...ofDevices, ...retired } as KeyInfo, blob: Buffer.from(blob, 'base64') };
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
