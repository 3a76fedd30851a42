import { ConfigError } from '@tillbridge/platform/config/problems.js';
import type { KeyInfo } from '../../../security/keys/key-store.js';
import { MAC_KEYS } from '../../../security/module/mac-operation.js';
import type { AcquirerConfig } from './acquirer-section.js';

/**
 * Refuses an acquirer whose authentication codes its key cannot make: no message would leave.
 * @param keys all keys of the security module
 * @throws ConfigError naming acquirer, method, key and rule
 */
export function requireCodeKeys(
  acquirers: readonly Pick<AcquirerConfig, 'name' | 'macMethod' | 'macKeySet'>[],
  keys: readonly Pick<KeyInfo, 'id' | 'usage' | 'scope' | 'algorithm' | 'retiredUntilMs'>[],
): void {
  const lines = acquirers.flatMap(({ name, macMethod, macKeySet }, at) => {
    if (macMethod === 'none' || macKeySet !== undefined) return [];
    const key = keys.find(
      ({ usage, scope, retiredUntilMs }) => usage === 'mac' && scope === name && retiredUntilMs === undefined,
    );
    const algorithms = MAC_KEYS[macMethod];
    if (!key || !algorithms || algorithms.includes(key.algorithm)) return [];
    return [
      `acquirers[${at}].macMethod: ${macMethod} needs a mac key of ${algorithms.join(' or ')}, and key ${key.id} of ${name} is ${key.algorithm}; set cmac if the host takes it, or import a key of the other kind`,
    ];
  });
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
}
