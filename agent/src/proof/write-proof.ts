import { join, resolve } from 'node:path';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import { findCardData } from '@tillbridge/wire/mask/card-data-scan.js';
import { encodeProof, type SaleProof } from '@tillbridge/wire/proof/sale-proof.js';
import type { AgentConfig } from '../config/config.js';
import { HOME_FILES } from '../home/home-files.js';
import { SOFTWARE } from '../home/version.js';
import { ProofFile } from '../journal/digest/proof-file.js';
import { loadIdentity } from '../uplink/identity.js';
import { makeProof } from './make-proof.js';
import { NoProofError, ProofCardDataError } from './proof-errors.js';

/** A proof that was written. */
interface WrittenProof {
  readonly path: string;
  readonly proof: SaleProof;
}

/**
 * Writes the proof of a sale into a new file, of mode 0600, whether or not the agent of the home runs.
 * @param output default: a name after the reference
 * @throws NoProofError, NotCountersignedError, ProofCardDataError, IdentityError, DigestUnavailableError, JournalUnavailable
 */
export async function writeProof(
  config: AgentConfig,
  reference: string,
  output = `tillbridge-proof-${fileName(reference)}.json`,
): Promise<WrittenProof> {
  const { agentId } = loadIdentity(config.home);
  const journal = join(config.home, HOME_FILES.journal);
  const file = await ProofFile.open(journal);
  if (!file) throw new NoProofError(`there is no journal at ${journal}: give --home or --config`);
  try {
    const proof = await makeProof(file, { agentId, reference, store: config.store, writtenBy: SOFTWARE });
    const text = encodeProof(proof);
    checkCardData(text);
    const path = resolve(output);
    write(path, text);
    return { path, proof };
  } finally {
    await file.close();
  }
}

/** @throws ProofCardDataError */
function checkCardData(text: string): void {
  const places = findCardData(text).map(({ line, what }) => `line ${line}: ${what}`);
  if (places.length === 0) return;
  throw new ProofCardDataError(['not written, as it would carry card data:', ...places].join('\n  '));
}

function write(path: string, text: string): void {
  try {
    createFile(path, text);
  } catch (error) {
    throw new NoProofError(`${path} cannot be written (${systemCode(error)}): give another --output`);
  }
}

/** A reference as part of a file's name: a till may put any character into it. */
function fileName(reference: string): string {
  return reference.replace(/[^0-9A-Za-z._-]/g, '_');
}
