import type { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { certificatesOf } from '../net/certificate-facts.js';
import { readSmallFile } from '../read-file.js';
import { fault, type PreflightCheck, type PreflightFinding, warning } from './preflight.js';

const DAY_MS = 24 * 3_600_000;
/** How long before its end a certificate is warned of. */
export const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
const MAX_FILE_BYTES = 1_048_576;

/** Looks at the chain of a certificate and at its dates. @param key of the configuration that names the file */
export function certificateCheck(key: string, file: string, nowMs: () => number): PreflightCheck {
  return () => {
    try {
      const pem = readSmallFile(file, MAX_FILE_BYTES, (reason) => new Error(reason));
      return certificateFinding(`${key} ${file}`, certificatesOf(pem), nowMs());
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'cannot be read';
      return fault(`${key} ${file} is no certificate in PEM (${reason}): correct the file`);
    }
  };
}

/** Pure. @param place names the file @param chain the certificate, then those that lead to its root */
export function certificateFinding(
  place: string,
  chain: readonly X509Certificate[],
  nowMs: number,
): PreflightFinding | undefined {
  const [leaf] = chain;
  if (!leaf) return fault(`${place} holds no certificate in PEM: correct the file`);
  for (const [at, certificate] of chain.entries()) {
    const which = at === 0 ? 'the certificate' : `certificate ${at + 1} of the chain`;
    const from = Date.parse(certificate.validFrom);
    const to = Date.parse(certificate.validTo);
    if (nowMs < from)
      return fault(
        `${place}: ${which} begins on ${dateOf(from)} and it is ${dateOf(nowMs)}: set the clock right, or take another certificate`,
      );
    if (nowMs >= to)
      return fault(
        `${place}: ${which} ended on ${dateOf(to)}: renew it and replace the file, or set the clock right`,
      );
    const issuer = chain[at + 1];
    if (issuer && !certificate.checkIssued(issuer))
      return fault(
        `${place}: certificate ${at + 2} did not issue the one before it: order the file as the certificate, then its issuer, and so on`,
      );
  }
  return certificateWarning(place, chain, nowMs);
}

function certificateWarning(
  place: string,
  chain: readonly X509Certificate[],
  nowMs: number,
): PreflightFinding | undefined {
  const end = Math.min(...chain.map(({ validTo }) => Date.parse(validTo)));
  const last = chain.at(-1);
  if (end - nowMs < CERTIFICATE_WARNING_MS)
    return warning(
      `${place} ends on ${dateOf(end)}: renew it; a file that is replaced is taken up by itself`,
    );
  if (last && chain.length === 1 && !isRoot(last) && !isOfKnownRoot(last))
    return warning(
      `${place} has no chain: clients that do not know ${oneLine(last.issuer)} refuse it; append the certificate of its issuer`,
    );
  return undefined;
}

function isRoot(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate);
}

function isOfKnownRoot(certificate: X509Certificate): boolean {
  return rootCertificates.some((pem) => certificatesOf(pem).some((root) => certificate.checkIssued(root)));
}

function oneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}

function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
