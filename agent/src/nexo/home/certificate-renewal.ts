import type { Server } from 'node:tls';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { LimitedLog } from '../../log/limited-log.js';

/** How often the certificate of a running agent is looked at, in milliseconds. */
export const RENEWAL_CHECK_MS = 12 * 3_600_000;

/** What a renewal works with. */
interface RenewalDeps {
  /** The certificate that fits now: the present one, or a new one. */
  readonly ensure: () => Promise<{ readonly tls: TlsPair }>;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly log: Pick<LimitedLog, 'error'>;
}

/** Gives a running server a new certificate before the present one ends. Open connections go on. */
export class CertificateRenewal {
  readonly #server: Pick<Server, 'setSecureContext'>;
  readonly #deps: RenewalDeps;
  #cert: TlsPair['cert'];
  #timer: Timer | undefined;
  #closed = false;

  /** @param cert what the server shows now */
  constructor(server: Pick<Server, 'setSecureContext'>, cert: TlsPair['cert'], deps: RenewalDeps) {
    this.#server = server;
    this.#cert = cert;
    this.#deps = deps;
    this.#wait();
  }

  /** Looks no more. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #wait(): void {
    if (!this.#closed) this.#timer = this.#deps.clock.setTimer(RENEWAL_CHECK_MS, () => void this.#check());
  }

  async #check(): Promise<void> {
    try {
      const { tls } = await this.#deps.ensure();
      if (tls.cert !== this.#cert && !this.#closed) {
        this.#server.setSecureContext({ ...tls, minVersion: MIN_TLS_VERSION });
        this.#cert = tls.cert;
      }
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the certificate for tills that speak nexo cannot be renewed');
    }
    this.#wait();
  }
}
