import { createPrivateKey, X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { NexoKey } from '@tillbridge/protocol/nexo/message-cipher.js';
import type { KeyedCertificate, ServerNames } from '@tillbridge/protocol/platform/net/own-authority.js';
import type { TlsPair } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import { readIfThere } from '@tillbridge/protocol/platform/read-file.js';
import { replaceFile } from '@tillbridge/protocol/platform/write-file.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { NEXO_FILES } from '../../home/home-files.js';

/** A file of the nexo interface cannot be used; the message names it, never a key. */
export class NexoFileError extends Error {
  override readonly name = 'NexoFileError';
}

const DAY_MS = 86_400_000;
/** Independent of the clock at the first start, which may be wrong. */
const AUTHORITY_VALID = { fromMs: Date.UTC(2020, 0), toMs: Date.UTC(2099, 11, 31) };
/** Clients of Apple take no longer ones. */
const CERTIFICATE_DAYS = 820;
/** A start issues a new certificate where the former one has less left. */
const RENEW_DAYS = 400;
/** Clocks of tills may be behind. */
const BEFORE_DAYS = 2;
const KEY_IDENTIFIER = 'tillbridge';
const PASSPHRASE_BYTES = 32;
const MIN_PASSPHRASE = 16;

/** Which names the certificate of the interface has. */
export function serverNames(commonName: string): ServerNames {
  return { commonName, dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
}

/** Certificate and key of the interface, and the authority that tills trust; made in `home` at the first start. */
export async function ensureCertificate(
  home: string,
  names: ServerNames,
  nowMs: number,
  random: Random,
): Promise<{ readonly tls: TlsPair; readonly authority: string }> {
  const authority =
    readPair(home, NEXO_FILES.authority, NEXO_FILES.authorityKey) ??
    (await make(home, NEXO_FILES.authority, NEXO_FILES.authorityKey, (library) =>
      library.makeAuthority('tillbridge agent', AUTHORITY_VALID, random),
    ));
  const former = readPair(home, NEXO_FILES.certificate, NEXO_FILES.certificateKey);
  const own =
    former && fits(former, authority, names, nowMs)
      ? former
      : await make(home, NEXO_FILES.certificate, NEXO_FILES.certificateKey, (library) =>
          library.issueCertificate(
            authority,
            names,
            { fromMs: nowMs - BEFORE_DAYS * DAY_MS, toMs: nowMs + CERTIFICATE_DAYS * DAY_MS },
            random,
          ),
        );
  return {
    tls: { cert: `${own.certificate}${authority.certificate}`, key: own.key },
    authority: authority.certificate,
  };
}

/**
 * The key that tills share with this agent: that of `keyFile`, or one of the home, made at the first start.
 * @throws NexoFileError
 */
export function ensureMessageKey(home: string, keyFile: string | undefined, random: Random): NexoKey {
  const path = keyFile ?? join(home, NEXO_FILES.messageKey);
  const text = readIfThere(path)?.toString('utf8');
  if (text !== undefined) return readKey(path, text);
  if (keyFile !== undefined)
    throw new NexoFileError(`${path} is not there: it must hold the key of the tills`);
  const passphrase = Buffer.from(random.bytes(PASSPHRASE_BYTES)).toString('base64url');
  const key: NexoKey = { identifier: KEY_IDENTIFIER, version: 1, passphrase };
  replaceFile(path, `${JSON.stringify(key, null, 2)}\n`);
  return key;
}

function readKey(path: string, text: string): NexoKey {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new NexoFileError(`${path} is open to other users: set its mode to 0600`);
  const { identifier, version, passphrase } = parsed(text);
  const isWhole =
    typeof identifier === 'string' &&
    identifier !== '' &&
    Number.isSafeInteger(version) &&
    typeof passphrase === 'string' &&
    passphrase.length >= MIN_PASSPHRASE;
  if (isWhole) return { identifier, version: Number(version), passphrase };
  throw new NexoFileError(
    `${path} must be JSON with identifier (a text), version (a whole number) and passphrase (${MIN_PASSPHRASE} characters or more)`,
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function readPair(home: string, certificateName: string, keyName: string): KeyedCertificate | undefined {
  const certificate = readIfThere(join(home, certificateName))?.toString('utf8');
  const key = readIfThere(join(home, keyName))?.toString('utf8');
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

type Library = typeof import('@tillbridge/protocol/platform/net/own-authority.js');

/** The library is loaded where a certificate is made, which few starts do. */
async function make(
  home: string,
  certificateName: string,
  keyName: string,
  work: (library: Library) => KeyedCertificate,
): Promise<KeyedCertificate> {
  const made = work(await import('@tillbridge/protocol/platform/net/own-authority.js'));
  replaceFile(join(home, keyName), made.key);
  replaceFile(join(home, certificateName), made.certificate);
  return made;
}

/** Whether a certificate can go on: its key, its issuer, its names and enough of its time. */
function fits(
  { certificate, key }: KeyedCertificate,
  authority: KeyedCertificate,
  { commonName, dnsNames, addresses }: ServerNames,
  nowMs: number,
): boolean {
  try {
    const own = new X509Certificate(certificate);
    const issuer = new X509Certificate(authority.certificate);
    const wanted = [
      ...addresses.map((each) => `IP Address:${each}`),
      ...dnsNames.map((each) => `DNS:${each}`),
    ];
    return (
      own.subject === `CN=${commonName}` &&
      own.subjectAltName === wanted.join(', ') &&
      own.verify(issuer.publicKey) &&
      own.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(own.validFrom) <= nowMs &&
      Date.parse(own.validTo) - nowMs > RENEW_DAYS * DAY_MS
    );
  } catch {
    return false;
  }
}
