import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { KeyedCertificate, ServerNames } from '@tillbridge/platform/net/own-authority.js';
import type { TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { NEXO_FILES } from '../../home/home-files.js';

const DAY_MS = 86_400_000;
/** Independent of the clock at the first start, which may be wrong. */
const AUTHORITY_VALID = { fromMs: Date.UTC(2020, 0), toMs: Date.UTC(2099, 11, 31) };
/** Clients of Apple take no longer ones. */
const CERTIFICATE_DAYS = 820;
/** A new certificate is issued where the former one has less left. */
const RENEW_DAYS = 400;
/** Clocks of tills may be behind. */
const BEFORE_DAYS = 2;

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

function readPair(home: string, certificateName: string, keyName: string): KeyedCertificate | undefined {
  const certificate = readIfThere(join(home, certificateName))?.toString('utf8');
  const key = readIfThere(join(home, keyName))?.toString('utf8');
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

type Library = typeof import('@tillbridge/platform/net/own-authority.js');

/** The library is loaded where a certificate is made, which few starts do. */
async function make(
  home: string,
  certificateName: string,
  keyName: string,
  work: (library: Library) => KeyedCertificate,
): Promise<KeyedCertificate> {
  const made = work(await import('@tillbridge/platform/net/own-authority.js'));
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
