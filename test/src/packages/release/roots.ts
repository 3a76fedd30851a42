import { createPublicKey, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_TYPE, type RootDocument } from '@tillbridge/agent/update/trust/documents.js';
import { type Envelope, publicKeyText, sealEnvelope } from '@tillbridge/agent/update/trust/envelope.js';
import { followRoots } from '@tillbridge/agent/update/trust/judge-release.js';
import { UsageError } from '../../command-line/command-line.js';

const NAME = /^([1-9]\d{0,8})\.root\.json$/;

/** The root documents of a folder, oldest first: `1.root.json` and what came after it. @throws UsageError */
export function readRoots(folder: string): readonly Envelope[] {
  const versions = readdirSync(folder)
    .map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    .filter((version) => version > 0)
    .sort((a, b) => a - b);
  return versions.map((version, at) => {
    if (version !== at + 1) throw new UsageError(`${folder} lacks ${at + 1}.root.json`);
    return JSON.parse(readFileSync(join(folder, rootName(version)), 'utf8')) as Envelope;
  });
}

/** The newest root document of a folder, every one signed as the one before demands. @throws UsageError */
export function trustedRootOf(folder: string): RootDocument {
  const [first, ...later] = readRoots(folder);
  if (!first) throw new UsageError(`${folder} has no 1.root.json: "npm run package-root -- make" makes one`);
  try {
    return followRoots(first, later);
  } catch (error) {
    throw new UsageError(`${folder}: ${(error as Error).message}`);
  }
}

/** Name of the file of a root document. */
export function rootName(version: number): string {
  return `${version}.root.json`;
}

/** Writes a document, or one with a further signature. */
export function writeEnvelope(path: string, content: object): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** A root document without signatures. */
export function unsignedRoot(root: RootDocument): Envelope {
  return sealEnvelope(ROOT_TYPE, Buffer.from(JSON.stringify(root)), []);
}

/** A document with one more signature, in the place of an earlier one by the same key. */
export function withSignature(envelope: Envelope, key: KeyObject): Envelope {
  const { payloadType, payload, signatures } = envelope;
  const [added] = sealEnvelope(payloadType, Buffer.from(payload, 'base64'), [key]).signatures;
  const others = signatures.filter((each) => each.key !== publicKeyText(key));
  return { payloadType, payload, signatures: added ? [...others, added] : others };
}

/** The name of a public key in a PEM file. @throws UsageError */
export function publicKeyOf(file: string): string {
  try {
    const key = createPublicKey(readFileSync(file));
    if (key.asymmetricKeyType === 'ed25519') return publicKeyText(key);
  } catch {
    // The error below names it.
  }
  throw new UsageError(`${file} is no public key of Ed25519 in PEM: openssl pkey -in KEY -pubout -out FILE`);
}
