import { X509Certificate } from 'node:crypto';
import { readIfThere } from '../read-file.js';

/** Most certificates of a chain that are read. */
const MAX_CHAIN = 16;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a text in PEM, in their order. @throws Error for one that is none */
export function certificatesOf(pem: string | Uint8Array): readonly X509Certificate[] {
  const blocks = Buffer.from(pem).toString('latin1').match(PEM) ?? [];
  return blocks.slice(0, MAX_CHAIN).map((block) => new X509Certificate(block));
}

/** When the first certificate of a chain to end ends; undefined for what is no certificate. */
export function expiryOf(pem: string | Uint8Array): number | undefined {
  try {
    const ends = certificatesOf(pem).map(({ validTo }) => Date.parse(validTo));
    return ends.length === 0 ? undefined : Math.min(...ends);
  } catch {
    return undefined;
  }
}

/** The same of a file; undefined where it cannot be read. */
export function expiryOfFile(path: string): number | undefined {
  try {
    const pem = readIfThere(path);
    return pem && expiryOf(pem);
  } catch {
    return undefined;
  }
}
