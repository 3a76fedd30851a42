import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import type { KeyInfo } from '../../../security/keys/key-store.js';
import type { AcquirerConfig } from './acquirer-section.js';

/** Field of the PIN block. */
const PIN_FIELD = 52;
/** Bytes of a PIN block: of format 4 under an AES key, of format 0 under one of TDES (ISO 9564-1). */
const BLOCKS = { aes: { format: 4, bytes: 16 }, tdes: { format: 0, bytes: 8 } } as const;

/**
 * Refuses an acquirer whose PIN blocks its messages cannot hold: every payment with a PIN would fail.
 * @param keys all keys of the security module
 * @throws ConfigError naming acquirer, key, field and rule
 */
export function requirePinRoom(
  acquirers: readonly Pick<AcquirerConfig, 'name' | 'dialect' | 'dialectChanges'>[],
  keys: readonly Pick<KeyInfo, 'id' | 'usage' | 'scope' | 'algorithm' | 'retiredUntilMs'>[],
): void {
  const lines = acquirers.flatMap(({ name, dialect, dialectChanges }, at) => {
    const { fields, never } = configuredDialect(dialect, dialectChanges);
    const spec = fields[PIN_FIELD];
    const key = keys.find(
      ({ usage, scope, retiredUntilMs }) =>
        usage === 'zone-pin' && scope === name && retiredUntilMs === undefined,
    );
    if (!key || !spec || never.has(PIN_FIELD)) return [];
    const { format, bytes } = key.algorithm.startsWith('aes') ? BLOCKS.aes : BLOCKS.tdes;
    const fits = spec.lengthDigits === 0 ? spec.maxLength === bytes : spec.maxLength >= bytes;
    if (fits) return [];
    return [
      `acquirers[${at}].dialectChanges.fields.52.format: field 52 of ${name} holds ${spec.maxLength} bytes, and its zone-pin key ${key.id} (${key.algorithm}) makes PIN blocks of format ${format}, ${bytes} bytes; set b${bytes} if the host takes them, or import a key of the other kind`,
    ];
  });
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
}
