import { join, resolve } from 'node:path';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import { encodeProof } from '@tillbridge/wire/proof/sale-proof.js';
import type { AgentConfig } from '../config/config.js';
import { HOME_FILES } from '../home/home-files.js';
import { SOFTWARE } from '../home/version.js';
import { DigestUnavailableError } from '../journal/digest/journal-digest.js';
import { JournalUnavailable } from '../journal/journal.js';
import { JournalFile, NoJournalError } from '../journal/verify-file.js';
import { makeProof, NoProofError } from '../proof/make-proof.js';
import { findCardData } from '../support/card-data-scan.js';
import { loadIdentity } from '../uplink/identity.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `prove`. */
export interface ProveOptions {
  readonly output?: string;
  readonly json?: boolean;
}

/**
 * Writes the proof of a sale into one file, whether or not the agent of the home runs.
 * @throws CommandError 1: the file would carry card data; 2: there is no such sale, journal or place; 3: not countersigned yet
 */
export async function proveSale(
  config: AgentConfig,
  reference: string,
  options: ProveOptions,
  output: Output,
): Promise<number> {
  const { agentId } = loadIdentity(config.home);
  const file = await open(join(config.home, HOME_FILES.journal));
  try {
    const subject = { agentId, reference, store: config.store, writtenBy: SOFTWARE };
    const proof = await makeProof(file, subject);
    const text = encodeProof(proof);
    const places = findCardData(text);
    if (places.length > 0)
      throw new CommandError(
        EXIT.declined,
        [
          'not written, as it would carry card data:',
          ...places.map(({ line, what }) => `line ${line}: ${what}`),
        ].join('\n  '),
      );
    const path = resolve(options.output ?? `tillbridge-proof-${fileName(reference)}.json`);
    write(path, text);
    const { row, timeMs } = proof.head;
    const signedAt = new Date(timeMs).toISOString();
    if (options.json) output.out(JSON.stringify({ file: path, headRow: row, signedAt }));
    else {
      output.note(
        `the rows of ${reference} stood in the journal before ${signedAt}; countersigned at row ${row}:`,
      );
      output.out(path);
    }
    return EXIT.ok;
  } catch (error) {
    throw asCommandError(error);
  } finally {
    await file.close();
  }
}

async function open(path: string): Promise<JournalFile> {
  try {
    return await JournalFile.open(path);
  } catch (error) {
    if (error instanceof NoJournalError)
      throw new CommandError(EXIT.usage, `${error.message}: give --home or --config`);
    throw asCommandError(error);
  }
}

function asCommandError(error: unknown): unknown {
  if (error instanceof NoProofError)
    return new CommandError(error.isLater ? EXIT.unknown : EXIT.usage, error.message);
  if (error instanceof DigestUnavailableError) return new CommandError(EXIT.usage, error.message);
  if (error instanceof JournalUnavailable) return new CommandError(EXIT.unknown, error.message);
  return error;
}

function write(path: string, text: string): void {
  try {
    createFile(path, text);
  } catch (error) {
    throw new CommandError(
      EXIT.usage,
      `${path} cannot be written (${systemCode(error)}): give another --output`,
    );
  }
}

/** A reference as part of a file's name: a till may put any character into it. */
function fileName(reference: string): string {
  return reference.replace(/[^0-9A-Za-z._-]/g, '_');
}
