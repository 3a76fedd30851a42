import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { Store } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import type { RowSeal } from '../../../security/vault/row-seal.js';

/** What users and their sessions are kept with. */
export interface ConsoleDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly fingerprint: Fingerprint;
  /** Seals the secrets of one-time codes. */
  readonly rowSeal: RowSeal;
}

/** A fresh secret that cannot be guessed, for a cookie or a link: 256 bits in base 64. */
export function newSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url');
}
