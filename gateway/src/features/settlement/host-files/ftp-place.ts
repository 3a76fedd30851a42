import { createWriteStream, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MIN_TLS_VERSION } from '@tillbridge/platform/net/tls-certificate.js';
import type { Client } from 'basic-ftp';
import { readSecretFile } from '../../../kernel/data-folder/secret-file.js';
import {
  AtMost,
  type FilePlace,
  FileTooLongError,
  PLACE_LIMITS,
  type PlacedFile,
  PlaceError,
  tooMany,
} from './file-place.js';

const FTP_PLACE_LIMITS = {
  /** How long each step with the server may take, in milliseconds. */
  timeoutMs: 30_000,
  /** Longest listing, in bytes. */
  listingBytes: 4 * 2 ** 20,
} as const;

/** A folder of an FTP server. */
export interface FtpPlaceOptions {
  readonly host: string;
  readonly port: number;
  /** `explicit`: AUTH TLS before anything else; `implicit`: TLS from the first byte. */
  readonly security: 'explicit' | 'implicit';
  readonly user: string;
  /** File of mode 0600. */
  readonly passwordFile: string;
  readonly folder: string;
  /** PEM of a private certification authority. */
  readonly authorityFile?: string;
}

/** A folder of an acquirer's FTP server, over TLS alone. The library is loaded with the first look. */
export class FtpPlace implements FilePlace {
  readonly #options: FtpPlaceOptions;

  constructor(options: FtpPlaceOptions) {
    this.#options = options;
  }

  list(isWanted: (name: string) => boolean): Promise<readonly PlacedFile[]> {
    return this.#connected(async (client) => {
      const found = (await client.list(this.#options.folder)).filter(
        ({ name, isFile }) => isFile && isWanted(name),
      );
      if (found.length > PLACE_LIMITS.names) throw tooMany(this.#options.host);
      return found.map(({ name, size, modifiedAt, rawModifiedAt }) => ({
        name,
        size,
        modified: modifiedAt?.toISOString() ?? rawModifiedAt,
      }));
    });
  }

  copy(name: string, to: string): Promise<void> {
    return this.#connected(async (client) => {
      const bytes = new AtMost();
      const written = pipeline(bytes, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
      // Whichever of both fails first, the other one fails with it.
      written.catch(() => client.close());
      try {
        await client.downloadTo(bytes, posix.join(this.#options.folder, name));
      } catch (error) {
        bytes.destroy();
        await written.catch((cause: unknown) => {
          if (cause instanceof FileTooLongError) throw cause;
        });
        throw error;
      }
      await written;
    });
  }

  async #connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { host, port, security, user, passwordFile, authorityFile } = this.#options;
    const { Client } = await import('basic-ftp');
    const { timeoutMs, listingBytes } = FTP_PLACE_LIMITS;
    const client = new Client(timeoutMs, {
      maxListingBytes: listingBytes,
      allowSeparateTransferHost: false,
    });
    try {
      await client.access({
        host,
        port,
        user,
        password: readSecretFile(passwordFile)?.toString('utf8').trim() ?? '',
        secure: security === 'implicit' ? 'implicit' : true,
        secureOptions: {
          minVersion: MIN_TLS_VERSION,
          ...(authorityFile !== undefined && { ca: readFileSync(authorityFile) }),
        },
      });
      return await work(client);
    } catch (error) {
      if (error instanceof FileTooLongError || error instanceof PlaceError) throw error;
      throw new PlaceError(`the FTP server ${host}:${port} cannot be read: ${reasonOf(error)}`);
    } finally {
      client.close();
    }
  }
}

/** Code of a reply or of the system; texts of a server are not for logs. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { readonly code?: number | string; readonly name?: string };
  return String(code ?? name ?? 'error');
}
