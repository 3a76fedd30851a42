import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import type { TlsCertificate, TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { isPinSet, tlsPinOf } from '@tillbridge/wire/bridge/gateway-pins.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';
import type { GatewayIdentity } from '../../../security/keys/gateway-identity.js';

/** What agents check of the servers that they reach. */
export interface PinConfig {
  /** Pins of TLS keys in addition to that of our own certificate. */
  readonly tlsPins: readonly string[];
  /** Private certification authorities in PEM. */
  readonly authorityFile?: string;
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The pins that agents receive now: the identity keys, the TLS keys of the certificate in use and of the configuration, and private
 * authorities. A certificate that took the place of another changes the pins with it.
 * @throws ConfigError when a file cannot be used
 */
export function gatewayPins(
  config: PinConfig,
  identity: Pick<GatewayIdentity, 'identityKeys'>,
  certificate: Pick<TlsCertificate, 'pair'> | undefined,
): () => GatewayPins {
  let pair = certificate?.pair;
  let pins = pinsOf(config, identity, pair);
  return () => {
    if (certificate?.pair === pair) return pins;
    pair = certificate?.pair;
    pins = pinsOf(config, identity, pair);
    return pins;
  };
}

function pinsOf(
  { tlsPins: configured, authorityFile }: PinConfig,
  { identityKeys }: Pick<GatewayIdentity, 'identityKeys'>,
  pair: TlsPair | undefined,
): GatewayPins {
  const own = pair ? [tlsPinOf(spkiOf(new X509Certificate(pair.cert).publicKey))] : [];
  const tlsPins = [...own, ...configured];
  const authorities =
    authorityFile === undefined ? [] : certificatesIn('bridge.authorityFile', authorityFile);
  const pins = {
    identityKeys,
    tlsPins: [...new Set(tlsPins)],
    authorities: authorities.map(({ raw }) => raw),
  };
  if (!isPinSet(pins))
    throw new ConfigError(
      `bridge.authorityFile ${authorityFile} has more or longer certificates than agents take`,
    );
  return pins;
}

function certificatesIn(setting: string, file: string): readonly X509Certificate[] {
  try {
    const found = readFileSync(file, 'utf8').match(CERTIFICATES) ?? [];
    if (found.length === 0) throw new Error('no certificate');
    return found.map((pem) => new X509Certificate(pem));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ConfigError(`${setting} ${file} cannot be used (${reason}): expected certificates in PEM`);
  }
}
