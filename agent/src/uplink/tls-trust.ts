import { X509Certificate } from 'node:crypto';
import { type ConnectionOptions, checkServerIdentity, rootCertificates, type TLSSocket } from 'node:tls';
import { NO_TLS, tlsPinOf } from '@tillbridge/wire/bridge/gateway-pins.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';

/** What is known of a gateway before an enrolment: nothing. */
export const NO_PINS: GatewayPins = { identityKeys: [], tlsPins: [], authorities: [] };

/** What is checked of a server: its name, its chain, and its key where TLS keys are pinned. */
export function tlsOptions({ tlsPins, authorities }: GatewayPins): ConnectionOptions {
  return {
    minVersion: 'TLSv1.2',
    ...(authorities.length > 0 && {
      // In addition to the public ones: the key is pinned under any authority.
      ca: [...rootCertificates, ...authorities.map((der) => new X509Certificate(der).toString())],
    }),
    checkServerIdentity: (host, peer) => {
      const fault = checkServerIdentity(host, peer);
      if (fault || tlsPins.length === 0) return fault;
      const pin = pinOf(new X509Certificate(peer.raw));
      return tlsPins.includes(pin)
        ? undefined
        : new Error(`the server has the TLS key ${pin}, which is not pinned`);
    },
  };
}

/**
 * An enrolment checks the server by the gateway's answer instead: its identity key is in the code, and its signature covers the TLS key
 * that is seen here. The code itself is never sent.
 */
export const ENROLMENT_TLS: ConnectionOptions = { minVersion: 'TLSv1.2', rejectUnauthorized: false };

/** The channel of a connection as proofs name it: the pin of the server's TLS key, or `none`. */
export function channelOf(socket: object | null): string {
  const peer = (socket as Partial<TLSSocket> | null)?.getPeerX509Certificate?.();
  return peer ? pinOf(peer) : NO_TLS;
}

function pinOf({ publicKey }: X509Certificate): string {
  return tlsPinOf(spkiOf(publicKey));
}
