import type { KeyInfo } from '@tillbridge/gateway/security/keys/key-store.js';
import {
  type ReplaceZoneKeyRequest,
  SecurityModuleError,
  type ZoneKeyUsage,
} from '@tillbridge/gateway/security/module/security-module.js';
import { equalConstantTime, toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { unwrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { ZoneKeys } from '../mutations/link-mutations.js';

/** A key in use, and those that it took the place of, the youngest first. */
interface Rotated {
  readonly key: Buffer;
  readonly before: readonly { readonly key: Buffer; readonly untilMs: number }[];
}

const FIRST_KEYS: Readonly<Record<ZoneKeyUsage, Rotated>> = {
  mac: { key: developmentKey('zoneMacKey'), before: [] },
  'zone-pin': { key: developmentKey('zonePinKey'), before: [] },
};

/** The zone keys of a link, as a hardware security module holds them: it outlives the processes that use it. */
export class LinkKeys implements ZoneKeys {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #keys: Record<ZoneKeyUsage, Rotated>;

  constructor(clock: Pick<Clock, 'nowMs'>, keys: Readonly<Record<ZoneKeyUsage, Rotated>> = FIRST_KEYS) {
    this.#clock = clock;
    this.#keys = { ...keys };
  }

  copy(): LinkKeys {
    return new LinkKeys(this.#clock, this.#keys);
  }

  mac(covered: Uint8Array): Buffer {
    return codeOf(this.#keys.mac.key, covered);
  }

  isMacRight(covered: Uint8Array, code: Uint8Array): boolean {
    const { key, before } = this.#keys.mac;
    const accepted = before.filter(({ untilMs }) => this.#clock.nowMs() < untilMs);
    return [key, ...accepted.map((each) => each.key)].some((each) =>
      equalConstantTime(codeOf(each, covered).subarray(0, code.length), code),
    );
  }

  /** @throws SecurityModuleError bad-data: the key was in use before */
  async replaceZoneKey({ usage, partner, wrapped, keepOldMs }: ReplaceZoneKeyRequest): Promise<KeyInfo> {
    if (!('block' in wrapped)) throw new SecurityModuleError('bad-data', 'no key block');
    const { key } = unwrapKeyBlock(developmentKey('zoneProtectionKey'), wrapped.block);
    const known = this.#keys[usage];
    if (known.before.some((each) => each.key.equals(key)))
      throw new SecurityModuleError('bad-data', 'a key that was replaced');
    if (!known.key.equals(key)) {
      const untilMs = this.#clock.nowMs() + keepOldMs;
      this.#keys[usage] = { key, before: [{ key: known.key, untilMs }, ...known.before] };
    }
    const kcv = toHex(tdesKcv(key));
    const about = { algorithm: 'tdes2', label: '', mode: 'test' } as const;
    return { ...about, id: `${usage}-${kcv}`, usage, scope: partner, kcv };
  }
}

function codeOf(key: Uint8Array, covered: Uint8Array): Buffer {
  return retailMac(key, covered, 'iso9797Method1');
}
