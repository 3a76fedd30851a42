import { createHash } from 'node:crypto';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import type { TSchema } from '@tillbridge/platform/schema/type.js';
import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import {
  DOCUMENT_LIMITS,
  RELEASE,
  RELEASE_FILE,
  RELEASE_TYPE,
  type Release,
  type ReleaseFile,
  ROOT,
  ROOT_TYPE,
  type RootDocument,
} from './documents.js';
import { documentOf, ENVELOPE, type Envelope, signersOf } from './envelope.js';

/** What a machine believes before it reads a release. */
export interface Trust {
  /** The newest root document that it has followed. */
  readonly root: RootDocument;
  /** The newest release that it has accepted, and the SHA-256 of its document. */
  readonly newest?: { readonly release: number; readonly digest: string };
}

/** What a release is judged for. */
export interface InstalledProgram {
  readonly program: ReleaseFile['program'];
  readonly target: ReleaseFile['target'];
  /** The release that runs; 0: a build that is no release. */
  readonly release: number;
  /** The schema number of its journal. */
  readonly journal: number;
}

/** Why a release is refused. */
export type Refusal =
  | 'unreadable'
  | 'root-expired'
  | 'root-not-signed'
  | 'root-out-of-order'
  | 'not-signed'
  | 'expired'
  | 'rolled-back'
  | 'two-releases'
  | 'same-release'
  | 'from-too-old'
  | 'no-way-back'
  | 'no-file';

/** What becomes of a release. */
export type Verdict =
  | {
      readonly accepted: true;
      readonly release: Release;
      /** What is to be installed. */
      readonly file: ReleaseFile;
      /** What is believed from now on. */
      readonly trust: Trust & Required<Pick<Trust, 'newest'>>;
    }
  | { readonly accepted: false; readonly refusal: Refusal; readonly reason: string };

/** A release, or a root document, is not believed; the message states why. */
export class ReleaseError extends NamedError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, reason: string) {
    super(reason);
    this.refusal = refusal;
  }
}

const reading = <S extends TSchema>(schema: S, what: string) =>
  jsonReader(schema, what, (reason) => new ReleaseError('unreadable', reason));
const readFile = reading(RELEASE_FILE, 'the release file');
const readRoot = reading(ROOT, 'the root document');
const readRelease = reading(RELEASE, 'the release');
const readEnvelope = reading(ENVELOPE, 'the root file');

/**
 * Judges a release file. Nothing of it is believed before its signatures are counted. Pure.
 * @param nowMs the latest time that is known, milliseconds since 1970: a clock that was set back makes nothing valid again
 */
export function judgeRelease(
  bytes: Uint8Array,
  trust: Trust,
  installed: InstalledProgram,
  nowMs: number,
): Verdict {
  try {
    return accepted(bytes, trust, installed, nowMs);
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    return { accepted: false, refusal: error.refusal, reason: error.message };
  }
}

/**
 * The root document of a file that came with the program, or by another trusted way: its keys are believed, so its own signatures show only that
 * it is whole. Pure.
 * @throws ReleaseError
 */
export function readFirstRoot(bytes: Uint8Array): RootDocument {
  const envelope = readEnvelope(textOf(bytes));
  const root = openRoot(envelope);
  demandSigners(envelope, root, root);
  return root;
}

/**
 * The root document that a list of them leads to, the first of which is believed. Pure.
 * @throws ReleaseError
 */
export function followRoots(first: Envelope, later: readonly Envelope[]): RootDocument {
  return later.reduce(followRoot, readFirstRoot(Buffer.from(JSON.stringify(first))));
}

function accepted(bytes: Uint8Array, trust: Trust, installed: InstalledProgram, nowMs: number): Verdict {
  const { roots, release: envelope } = readFile(textOf(bytes));
  const root = roots.reduce(followRoot, trust.root);
  if (nowMs >= Date.parse(root.expires))
    throw new ReleaseError(
      'root-expired',
      `the root document ${root.version} expired at ${root.expires}: take a release that brings a newer one`,
    );
  if (envelope.payloadType !== RELEASE_TYPE)
    throw new ReleaseError(
      'unreadable',
      `the release is marked as ${envelope.payloadType}, not ${RELEASE_TYPE}`,
    );
  const { threshold, keys } = root.release;
  const { size } = signersOf(envelope, keys);
  if (size < threshold)
    throw new ReleaseError(
      'not-signed',
      `${size} of the ${keys.length} keys of releases have signed, and ${threshold} have to: it is not a release of the maker, or was changed`,
    );
  const release = readRelease(textOf(documentOf(envelope)));
  const digest = createHash('sha256').update(documentOf(envelope)).digest('hex');
  refuseTime(release, nowMs);
  refuseOlder(release, digest, trust);
  refuseWay(release, installed);
  return {
    accepted: true,
    release,
    file: fileFor(release, installed),
    trust: { root, newest: { release: release.release, digest } },
  };
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > DOCUMENT_LIMITS.maxBytes)
    throw new ReleaseError('unreadable', `the document is longer than ${DOCUMENT_LIMITS.maxBytes} bytes`);
  return Buffer.from(bytes).toString('utf8');
}

/** The next root document is signed by those that the trusted one names, and by its own. */
function followRoot(trusted: RootDocument, envelope: Envelope): RootDocument {
  const next = openRoot(envelope);
  if (next.version <= trusted.version) return trusted;
  if (next.version !== trusted.version + 1)
    throw new ReleaseError(
      'root-out-of-order',
      `behind root document ${trusted.version} comes ${next.version}: the ones between are missing`,
    );
  demandSigners(envelope, trusted, next);
  demandSigners(envelope, next, next);
  return next;
}

function openRoot(envelope: Envelope): RootDocument {
  if (envelope.payloadType !== ROOT_TYPE)
    throw new ReleaseError(
      'unreadable',
      `a root document is marked as ${envelope.payloadType}, not ${ROOT_TYPE}`,
    );
  const root = readRoot(textOf(documentOf(envelope)));
  for (const role of ['root', 'release'] as const)
    if (root[role].threshold > root[role].keys.length)
      throw new ReleaseError(
        'unreadable',
        `root document ${root.version} wants more signatures than it has keys`,
      );
  return root;
}

function demandSigners(envelope: Envelope, by: RootDocument, document: RootDocument): void {
  const { threshold, keys } = by.root;
  const { size } = signersOf(envelope, keys);
  if (size >= threshold) return;
  throw new ReleaseError(
    'root-not-signed',
    `of the root keys of document ${by.version}, ${size} have signed document ${document.version}, and ${threshold} have to`,
  );
}

function refuseTime({ release, expires }: Release, nowMs: number): void {
  if (nowMs < Date.parse(expires)) return;
  throw new ReleaseError('expired', `release ${release} expired at ${expires}: take a newer one`);
}

function refuseOlder({ release }: Release, digest: string, { newest }: Trust): void {
  if (!newest || release > newest.release) return;
  if (release < newest.release)
    throw new ReleaseError(
      'rolled-back',
      `release ${release} is older than ${newest.release}, which was accepted before: to go back use "tillbridge-agent update rollback"`,
    );
  if (digest !== newest.digest)
    throw new ReleaseError('two-releases', `another document with the number ${release} was accepted before`);
}

function refuseWay({ release, comesFrom, schemas }: Release, installed: InstalledProgram): void {
  if (release === installed.release)
    throw new ReleaseError('same-release', `release ${release} is the one that runs`);
  if (release < installed.release)
    throw new ReleaseError(
      'rolled-back',
      `release ${release} is older than ${installed.release}, which runs: to go back use "tillbridge-agent update rollback"`,
    );
  if (installed.release < comesFrom)
    throw new ReleaseError(
      'from-too-old',
      `release ${release} is for stores of release ${comesFrom} and later, and ${installed.release} runs: install ${comesFrom} first`,
    );
  const journal = schemas.journal;
  if (installed.program !== 'agent' || (journal && journal.readableFrom <= installed.journal)) return;
  throw new ReleaseError(
    'no-way-back',
    journal
      ? `builds from journal schema ${journal.readableFrom} on can read what release ${release} writes, and ${installed.journal} runs: there would be no way back`
      : `release ${release} does not name the schema of its journal`,
  );
}

function fileFor({ release, files }: Release, { program, target }: InstalledProgram): ReleaseFile {
  const file = files.find(
    (each) => each.program === program && each.kind === 'archive' && each.target === target,
  );
  if (file) return file;
  throw new ReleaseError('no-file', `release ${release} has no archive of ${program} for ${target}`);
}
