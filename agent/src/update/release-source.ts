import { createReadStream, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLoopbackHost } from '@tillbridge/platform/config/net-setting.js';
import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { UPDATE_LIMITS } from './base/limits.js';
import { UpdateError } from './base/update-error.js';
import { DOCUMENT_LIMITS } from './trust/documents.js';

/** Name of the signed release among the files of a release. */
export const RELEASE_NAME = 'release.json';

/** Of OpenSSL, as Node.js names them. */
const UNKNOWN_AUTHORITY =
  /^(UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED)/;

/** A release file, and where the files that it names are. */
export interface FoundRelease {
  readonly bytes: Uint8Array;
  /** A path, or an address. */
  readonly placeOf: (name: string) => string;
}

/**
 * Reads the release file of a place: the file itself, its folder, or its address.
 * @throws UpdateError
 */
export async function findRelease(place: string): Promise<FoundRelease> {
  if (/^https?:/.test(place)) return fetchRelease(addressOf(place));
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? join(place, RELEASE_NAME) : place;
  const refuse = (reason: string) => new UpdateError(`${file} ${reason}`);
  return {
    bytes: readSmallFile(file, DOCUMENT_LIMITS.maxBytes, refuse),
    placeOf: (name) => join(dirname(file), name),
  };
}

/** The bytes of an archive. @throws UpdateError, the file system's error while they are read */
export async function* readArchive(place: string): AsyncGenerator<Uint8Array> {
  if (/^https?:/.test(place)) yield* download(place);
  else yield* createReadStream(place) as AsyncIterable<Buffer>;
}

/** What is signed needs no secrecy on the way; who requests it may want some. */
function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'https:' || isLoopbackHost(url.hostname)))
    return url.pathname.endsWith('/') ? new URL(RELEASE_NAME, url).href : url.href;
  throw new UpdateError(`${text} is no https: address, nor an http: address of this machine`);
}

async function fetchRelease(address: string): Promise<FoundRelease> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of download(address)) {
    bytes += piece.length;
    if (bytes > DOCUMENT_LIMITS.maxBytes)
      throw new UpdateError(`${address} is longer than ${DOCUMENT_LIMITS.maxBytes} bytes`);
    pieces.push(piece);
  }
  return { bytes: Buffer.concat(pieces), placeOf: (name) => new URL(name, address).href };
}

/** Ends where nothing comes for a while. */
async function* download(address: string): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const watch = setTimeout(() => stalled.abort(), UPDATE_LIMITS.downloadStallMs);
  try {
    const response = await fetch(address, { signal: stalled.signal });
    if (!response.ok || !response.body) throw new UpdateError(`${address} answered ${response.status}`);
    for await (const piece of response.body) {
      watch.refresh();
      yield piece;
    }
  } catch (error) {
    if (error instanceof UpdateError) throw error;
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
    const reason = stalled.signal.aborted
      ? `nothing came for ${UPDATE_LIMITS.downloadStallMs / 1_000} s`
      : UNKNOWN_AUTHORITY.test(cause?.code ?? '')
        ? 'its certificate comes from an authority that this machine does not know. Name the file of that authority in NODE_EXTRA_CA_CERTS'
        : (cause?.code ?? message);
    throw new UpdateError(`${address} cannot be read: ${reason}`);
  } finally {
    clearTimeout(watch);
  }
}
