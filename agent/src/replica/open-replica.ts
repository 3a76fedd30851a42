import { readFileSync } from 'node:fs';
import { readToken, TokenError } from '../access/token.js';
import type { CopyPlace } from '../config/journal.js';
import type { CopyTarget } from '../journal/copy/copy-target.js';
import { CopyUnavailable } from '../journal/copy/copy-unavailable.js';
import { FileCopy } from '../journal/copy/file-copy.js';
import { HttpCopy, type ReplicaAddress } from '../journal/copy/http-copy.js';

/** Opens a copy to write it, wherever it is. @throws CopyUnavailable */
export async function openCopy(place: CopyPlace, agentId: string): Promise<CopyTarget> {
  return place.kind === 'folder' ? FileCopy.open(place.path) : new HttpCopy(addressOf(place, agentId));
}

/** Opens a copy that must be there, to read it. @throws CopyUnavailable */
export async function openCopyToRead(place: CopyPlace, agentId: string): Promise<CopyTarget> {
  return place.kind === 'folder'
    ? FileCopy.openExisting(place.path)
    : new HttpCopy(addressOf(place, agentId));
}

function addressOf(
  { url, secretFile, caFile }: Extract<CopyPlace, { readonly kind: 'replica' }>,
  agentId: string,
): ReplicaAddress {
  try {
    const ca = caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') };
    return { url, agentId, secret: readToken(secretFile), ...ca };
  } catch (error) {
    const isOurs = error instanceof TokenError || (error instanceof Error && 'code' in error);
    if (!isOurs) throw error;
    throw new CopyUnavailable(`copy at the replica ${url}: ${(error as Error).message}`);
  }
}
