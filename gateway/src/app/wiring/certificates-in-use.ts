import { expiryOf, expiryOfFile } from '@tillbridge/platform/net/certificate-facts.js';
import type { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import type { GatewayConfig } from '../configuration/config.js';

/** A certificate by which the gateway proves itself. */
interface CertificateInUse {
  readonly name: string;
  readonly expiresAtMs: () => number | undefined;
}

/** The certificates by which the gateway proves itself: to its clients, and to hosts of acquirers. */
export function certificatesInUse(
  { acquirers }: Pick<GatewayConfig, 'acquirers'>,
  certificate: Pick<TlsCertificate, 'pair'> | undefined,
): readonly CertificateInUse[] {
  const own = certificate ? [{ name: 'tls', expiresAtMs: () => expiryOf(certificate.pair.cert) }] : [];
  const ofAcquirers = acquirers.flatMap(({ name, tls }) => {
    const file = tls?.certificateFile;
    return file === undefined ? [] : [{ name: `acquirer ${name}`, expiresAtMs: () => expiryOfFile(file) }];
  });
  return [...own, ...ofAcquirers];
}
