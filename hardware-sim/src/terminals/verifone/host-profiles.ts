import { toHex } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { StatusError } from './status-error.js';

/** Most profiles that are open at once; the one opened first gives way. */
const MAX_OPEN_PROFILES = 16;
const HANDLE_BYTES = 4;

/** Host profiles that are open, by handle (CRYPTO OPEN). */
export class HostProfiles {
  readonly #random: Random;
  readonly #open = new Map<string, string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** @returns the handle of a profile that is open now */
  open(name: string): Buffer {
    if (this.#open.size >= MAX_OPEN_PROFILES) {
      const [oldest = ''] = this.#open.keys();
      this.#open.delete(oldest);
    }
    const handle = Buffer.from(this.#random.bytes(HANDLE_BYTES));
    this.#open.set(toHex(handle), name);
    return handle;
  }

  /** @throws StatusError parameter when no such profile is open */
  close(handle: Uint8Array | undefined): void {
    if (!this.#open.delete(toHex(handle ?? new Uint8Array()))) throw new StatusError('parameter');
  }

  /** @throws StatusError parameter when the handle is not one of that profile */
  require(handle: Uint8Array | undefined, name: string): void {
    if (this.#open.get(toHex(handle ?? new Uint8Array())) !== name) throw new StatusError('parameter');
  }

  /** Closes all. */
  reset(): void {
    this.#open.clear();
  }
}
