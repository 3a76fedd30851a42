import { wipe } from '@tillbridge/wire/bytes.js';
import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { isTdes, SYMMETRIC_KEY_BYTES } from './key-rules.js';
import { type KeyAlgorithm, KeyStoreError } from './key-store.js';

/** Fewest and most custodians of one key. */
export const MIN_COMPONENTS = 2;
export const MAX_COMPONENTS = 5;
/** Most bytes of a component's text. */
export const MAX_COMPONENT_TEXT_BYTES = 256;

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2d]);

/**
 * The bytes of a component from its text: hex digits; blanks, line ends and hyphens between them are left out. No text with key digits is made
 * on the way; the caller wipes both.
 * @param name which component, for the message
 * @throws KeyStoreError badComponents, never showing a digit
 */
export function readComponent(algorithm: KeyAlgorithm, name: string, text: Uint8Array): Buffer {
  const bytes = Buffer.alloc(SYMMETRIC_KEY_BYTES[algorithm]);
  let digits = 0;
  for (const code of text) {
    if (SPACES.has(code)) continue;
    const value = hexValue(code);
    if (value === undefined) return refuse(bytes, `${name} has a character that is no hex digit`);
    if (digits < bytes.length * 2) bytes[digits >> 1] = ((bytes[digits >> 1] ?? 0) << 4) | value;
    digits += 1;
  }
  if (digits !== bytes.length * 2)
    return refuse(bytes, `${name} has ${digits} hex digits, ${algorithm} has ${bytes.length * 2}`);
  return bytes;
}

function refuse(bytes: Buffer, detail: string): never {
  wipe(bytes);
  throw new KeyStoreError('badComponents', detail);
}

function hexValue(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}

/**
 * The key that all custodians make together: the components combined by exclusive or, odd parity set for TDES (ISO 11568, split knowledge).
 * A person who lacks one component learns nothing of it.
 * @param components of one length; the caller wipes them and the key
 * @throws KeyStoreError badComponents: fewer than two, one of them zero (its custodian would add nothing), or all together zero
 */
export function combineComponents(algorithm: KeyAlgorithm, components: readonly Uint8Array[]): Buffer {
  if (components.length < MIN_COMPONENTS || components.length > MAX_COMPONENTS)
    throw new KeyStoreError(
      'badComponents',
      `${components.length} given, a key takes ${MIN_COMPONENTS} to ${MAX_COMPONENTS}`,
    );
  const length = SYMMETRIC_KEY_BYTES[algorithm];
  const combined = Buffer.alloc(length);
  for (const [index, component] of components.entries()) {
    if (component.length !== length) return refuse(combined, `component ${index + 1} has another length`);
    if (isZero(component, algorithm)) return refuse(combined, `component ${index + 1} is zero`);
    for (let i = 0; i < length; i += 1) combined[i] = (combined[i] ?? 0) ^ (component[i] ?? 0);
  }
  if (isZero(combined, algorithm))
    return refuse(combined, 'together they are zero: was one component given twice?');
  if (!isTdes(algorithm)) return combined;
  const key = withOddParity(combined);
  wipe(combined);
  return key;
}

/** Whether all bits that count are zero; parity bits of TDES do not. */
function isZero(bytes: Uint8Array, algorithm: KeyAlgorithm): boolean {
  const mask = isTdes(algorithm) ? 0xfe : 0xff;
  return bytes.every((byte) => (byte & mask) === 0);
}
