import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { ConfigError } from '../config/problems.js';

/** Where certificate and key are, in PEM. */
export interface TlsFiles {
  /** The chain after the certificate. */
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Certificate and key in PEM. */
export interface TlsPair {
  readonly cert: Buffer | string;
  readonly key: Buffer | string;
}

/** The lowest version of TLS that our servers speak. */
export const MIN_TLS_VERSION = 'TLSv1.2';
/** How often the files are compared with what is in use, in milliseconds. */
export const CERTIFICATE_CHECK_MS = 10_000;

/** What a server that follows its files works with. */
interface FollowDeps {
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly log: {
    info(about: object, text: string): void;
    error(about: object, text: string): void;
  };
}

/** Is it a server of TLS? The type of a function that builds both kinds of servers does not state it. */
function isTlsServer(server: object): server is Pick<Server, 'setSecureContext'> {
  return 'setSecureContext' in server;
}

/** A certificate whose files may be replaced while servers use it. */
export class TlsCertificate {
  readonly #files: TlsFiles;
  /** What was found in the files last: a digest, or why they could not be read. */
  #seen: string;
  #pair: TlsPair;
  #fault: string | undefined;
  readonly #servers: Pick<Server, 'setSecureContext'>[] = [];
  #deps: FollowDeps | undefined;
  #timer: Timer | undefined;

  /**
   * Reads the files.
   * @param section of the configuration that names them
   * @throws ConfigError when they cannot be read or do not fit together
   */
  constructor(section: string, files: TlsFiles) {
    const { certificateFile, keyFile } = files;
    const found = read(files);
    const fault = faultOf(found);
    if (typeof found === 'string' || fault !== undefined) {
      throw new ConfigError(
        `${section}.certificateFile ${certificateFile} and ${section}.keyFile ${keyFile} cannot be used (${fault}): expected a certificate and its key in PEM`,
      );
    }
    this.#files = files;
    this.#pair = found;
    this.#seen = digestOf(found);
  }

  /** What is in use. */
  get pair(): TlsPair {
    return this.#pair;
  }

  /** Why what the files hold now cannot be used, the former certificate being in use; undefined while it can. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /**
   * Gives a server what the files hold from now on. Open connections go on. Files that cannot be used change nothing and are reported,
   * once for each content.
   * @throws TypeError for a server that was built without a certificate: a caller's mistake
   */
  follow(server: object, deps: FollowDeps): void {
    if (!isTlsServer(server)) throw new TypeError('a server without a certificate cannot follow one');
    this.#servers.push(server);
    this.#deps = deps;
    this.stop();
    this.#wait(deps.clock);
  }

  /** Looks at the files now. */
  check(): void {
    const found = read(this.#files);
    const seen = digestOf(found);
    if (seen === this.#seen) return;
    this.#seen = seen;
    const reason = faultOf(found);
    this.#fault = reason;
    if (typeof found === 'string' || reason !== undefined) {
      this.#deps?.log.error(
        { ...this.#files, reason },
        'the new certificate cannot be used, the former one stays in use: correct the files',
      );
      return;
    }
    this.#pair = found;
    for (const server of this.#servers) server.setSecureContext({ ...found, minVersion: MIN_TLS_VERSION });
    this.#deps?.log.info({ ...this.#files }, 'a new certificate is in use');
  }

  /** Looks at the files no more. */
  stop(): void {
    this.#timer?.cancel();
  }

  #wait(clock: FollowDeps['clock']): void {
    this.#timer = clock.setTimer(CERTIFICATE_CHECK_MS, () => {
      this.check();
      this.#wait(clock);
    });
  }
}

/** The files, or the code of the fault that stands in the way. */
function read({ certificateFile, keyFile }: TlsFiles): TlsPair | string {
  try {
    return { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
  } catch (error) {
    return codeOf(error);
  }
}

/** Why what was read is no certificate with its key; undefined when it is. */
function faultOf(found: TlsPair | string): string | undefined {
  if (typeof found === 'string') return found;
  try {
    createSecureContext(found);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}

function digestOf(found: TlsPair | string): string {
  if (typeof found === 'string') return found;
  return createHash('sha256').update(found.cert).update('\0').update(found.key).digest('hex');
}
