import type { X509Certificate } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { errorDetail } from './error-detail.js';

/** The certificate that a server shows. */
export interface ShownCertificate {
  /** Common name, else the whole subject. */
  readonly issuer: string;
  readonly validFromMs: number;
  readonly validToMs: number;
}

/** What a request to the address of a gateway brought. */
export type GatewayAnswer =
  | { readonly kind: 'unreachable'; readonly detail: string }
  | {
      readonly kind: 'answered';
      /** The server's clock, milliseconds since 1970, to the second; absent where it does not tell it. */
      readonly timeMs?: number;
      /** Absent without TLS. */
      readonly certificate?: ShownCertificate;
      /** Why Node.js would not accept the certificate: a code of OpenSSL or Node.js, or a text. */
      readonly certificateFault?: string;
    };

/** How long a gateway may take to answer. */
const ANSWER_TIMEOUT_MS = 8_000;

/**
 * Requests the address of a bridge without opening it, and reports certificate and clock of who answers. Nothing of the agent is sent.
 * @param tls by what the server is checked; a fault is reported and does not end the request
 */
export function requestGateway(bridgeUrl: string, tls: ConnectionOptions): Promise<GatewayAnswer> {
  const url = new URL(bridgeUrl);
  const isTls = url.protocol === 'wss:';
  url.protocol = isTls ? 'https:' : 'http:';
  const options = { agent: false, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) };
  return new Promise((resolve) => {
    const request = isTls
      ? tlsRequest(url, { ...options, ...tls, rejectUnauthorized: false })
      : plainRequest(url, options);
    let shown: Pick<GatewayAnswer & { readonly kind: 'answered' }, 'certificate' | 'certificateFault'> = {};
    request.on('socket', (socket) =>
      socket.once('secureConnect', () => {
        shown = certificateOf(socket as TLSSocket);
      }),
    );
    request.on('response', ({ headers, socket }) => {
      socket.destroy();
      const timeMs = Date.parse(headers.date ?? '');
      resolve({ kind: 'answered', ...(Number.isFinite(timeMs) && { timeMs }), ...shown });
    });
    request.on('error', (error) => resolve({ kind: 'unreachable', detail: detailOf(error) }));
    request.end();
  });
}

function certificateOf(socket: TLSSocket): {
  readonly certificate?: ShownCertificate;
  readonly certificateFault?: string;
} {
  const peer = socket.getPeerX509Certificate?.();
  // Node's types call it an Error; it is a code, or the message where there is none.
  const fault = socket.authorized ? undefined : String(socket.authorizationError);
  return {
    ...(peer && { certificate: shownOf(peer) }),
    ...(fault !== undefined && { certificateFault: fault }),
  };
}

function shownOf({ issuer, validFrom, validTo }: X509Certificate): ShownCertificate {
  const [, name = issuer.replaceAll('\n', ', ')] = /^CN=(.+)$/m.exec(issuer) ?? [];
  return { issuer: name, validFromMs: Date.parse(validFrom), validToMs: Date.parse(validTo) };
}

function detailOf(error: Error): string {
  const isLate = error.name === 'TimeoutError' || error.name === 'AbortError';
  return isLate ? `no answer within ${ANSWER_TIMEOUT_MS} ms` : errorDetail(error);
}
