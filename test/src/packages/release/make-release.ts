import { createHash, type KeyObject } from 'node:crypto';
import { JOURNAL_SPAN } from '@tillbridge/agent/journal/sqlite-schema.js';
import {
  RELEASE_TYPE,
  type Release,
  type ReleaseFile,
  type SignedRelease,
} from '@tillbridge/agent/update/trust/documents.js';
import { type Envelope, sealEnvelope } from '@tillbridge/agent/update/trust/envelope.js';
import { STORE_MIGRATIONS } from '@tillbridge/gateway/kernel/store/migrations.js';
import { schemaSpan } from '@tillbridge/platform/sqlite/migrate.js';
import type { BuildIdentity } from '../build-identity.js';
import { NODE_VERSION } from '../targets.js';

/** What a release is numbered and dated by. */
export interface ReleaseTerms {
  /** Only grows. */
  readonly release: number;
  /** The lowest release that may be updated to it. */
  readonly comesFrom: number;
  /** How long it can be installed, from its commit on. */
  readonly days: number;
}

const DAY_MS = 86_400_000;

/** What is said of the files of a release. Pure. */
export function releaseOf(
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  { version, time }: Pick<BuildIdentity, 'version' | 'time'>,
  { release, comesFrom, days }: ReleaseTerms,
): Release {
  return {
    release,
    version,
    expires: `${new Date(time.getTime() + days * DAY_MS).toISOString().slice(0, 19)}Z`,
    comesFrom,
    node: NODE_VERSION,
    schemas: { journal: JOURNAL_SPAN, store: schemaSpan({ migrations: STORE_MIGRATIONS }) },
    files: files.flatMap(([name, bytes]) => {
      const kind = kindOf(name);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return kind ? [{ name, ...kind, bytes: bytes.length, sha256 }] : [];
    }),
  };
}

const KINDS: readonly (readonly [RegExp, ReleaseFile['kind']])[] = [
  [/^tillbridge-(agent|gateway|simulator)-.*-linux-(x64|arm64)\.tar\.gz$/, 'archive'],
  [/^tillbridge-(agent|gateway)_.*_(amd64|arm64)\.deb$/, 'debian'],
  [/^tillbridge-(agent|gateway|simulator|hardware-sim)-.*\.tgz$/, 'npm'],
];

function kindOf(name: string): Pick<ReleaseFile, 'program' | 'kind' | 'target'> | undefined {
  for (const [form, kind] of KINDS) {
    const found = form.exec(name);
    if (!found) continue;
    const [, program = '', arch = 'any'] = found;
    const target = arch === 'any' ? 'any' : arch === 'arm64' ? 'linux-arm64' : 'linux-x64';
    return {
      program: program === 'hardware-sim' ? 'simulator' : (program as ReleaseFile['program']),
      kind,
      target,
    };
  }
  return undefined;
}

/** The bytes of a release file: signed, with the root documents that lead to its keys. */
export function signedRelease(
  release: Release,
  roots: readonly Envelope[],
  keys: readonly KeyObject[],
): Uint8Array {
  const file: SignedRelease = {
    roots: [...roots],
    release: sealEnvelope(RELEASE_TYPE, Buffer.from(JSON.stringify(release)), keys),
  };
  return Buffer.from(`${JSON.stringify(file, null, 2)}\n`);
}
