import { createPrivateKey, type KeyObject } from 'node:crypto';
import { RELEASE_TYPE, type Release, ROOT_TYPE, type RootDocument, type SignedRelease } from './documents.js';
import { type Envelope, publicKeyText, sealEnvelope } from './envelope.js';
import type { InstalledProgram, Trust } from './judge-release.js';

/** PKCS #8 in front of the 32 bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key that is the same in every run. */
export function keyOf(number: number): KeyObject {
  const key = Buffer.concat([PKCS8, Buffer.alloc(32, number + 1)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** Keys by their numbers. */
export const keysOf = (...numbers: readonly number[]): KeyObject[] => numbers.map(keyOf);
const names = (numbers: readonly number[]): string[] => keysOf(...numbers).map(publicKeyText);

export const NOW_MS = Date.UTC(2026, 10, 29);

/** A root document whose root keys are 1 to 3, two of which sign, and whose release key is 10. */
export function rootOf({
  root = [1, 2, 3],
  rootThreshold = 2,
  release = [10],
  releaseThreshold = 1,
  ...more
}: {
  readonly root?: readonly number[];
  readonly rootThreshold?: number;
  readonly release?: readonly number[];
  readonly releaseThreshold?: number;
  readonly version?: number;
  readonly expires?: string;
} = {}): RootDocument {
  return {
    version: 1,
    expires: '2030-01-01T00:00:00Z',
    root: { threshold: rootThreshold, keys: names(root) },
    release: { threshold: releaseThreshold, keys: names(release) },
    ...more,
  };
}

export const RELEASE: Release = {
  release: 7,
  version: '0.7.0',
  expires: '2027-01-01T00:00:00Z',
  comesFrom: 3,
  node: '24.21.0',
  schemas: { journal: { number: 2, readableFrom: 1 }, store: { number: 3, readableFrom: 2 } },
  files: [
    {
      name: 'tillbridge-agent-0.7.0-linux-x64.tar.gz',
      program: 'agent',
      kind: 'archive',
      target: 'linux-x64',
      bytes: 1_000,
      sha256: 'ab'.repeat(32),
    },
  ],
};

export const INSTALLED: InstalledProgram = { program: 'agent', target: 'linux-x64', release: 5, journal: 1 };

export const TRUST: Trust = { root: rootOf() };

/** A document with signatures. */
export const sealed = (type: string, document: object, signers: readonly number[]): Envelope =>
  sealEnvelope(type, Buffer.from(JSON.stringify(document)), keysOf(...signers));

export const sealedRoot = (root: RootDocument, signers: readonly number[] = [1, 2]): Envelope =>
  sealed(ROOT_TYPE, root, signers);

/** A release file. */
export function releaseFile(
  release: Partial<Release> = {},
  { signers = [10], roots = [] }: { readonly signers?: readonly number[]; readonly roots?: Envelope[] } = {},
): Uint8Array {
  const file: SignedRelease = { roots, release: sealed(RELEASE_TYPE, { ...RELEASE, ...release }, signers) };
  return Buffer.from(JSON.stringify(file));
}
