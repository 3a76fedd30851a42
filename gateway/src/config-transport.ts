import { isIP } from 'node:net';
import { LOOPBACK, peersOf } from './http/transport/peers.js';

/** How clients reach the gateway. */
export interface TransportConfig {
  /** `test`: simulators and test keys; `live`: neither, and no plain HTTP. */
  readonly mode: 'test' | 'live';
  readonly tls?: TlsConfig;
  /** Addresses and networks of proxies that may say how their clients came. */
  readonly trustedProxies: readonly string[];
  /** Origin for clients, `https://host[:port]`. */
  readonly publicUrl?: string;
}

/** TLS of our own. */
export interface TlsConfig {
  /** PEM, the chain after the certificate. */
  readonly certificateFile: string;
  /** PEM. */
  readonly keyFile: string;
  /** A port for plain HTTP that sends everybody to https. */
  readonly redirectPort?: number;
}

type Values = ReadonlyMap<string, string | number>;

/** What the values say of the transport. */
export function transportOf(values: Values): TransportConfig {
  const certificateFile = values.get('tls.certificateFile');
  const keyFile = values.get('tls.keyFile');
  const redirectPort = values.get('tls.redirectPort');
  const publicUrl = values.get('publicUrl');
  const tls = certificateFile !== undefined &&
    keyFile !== undefined && {
      certificateFile: String(certificateFile),
      keyFile: String(keyFile),
      ...(redirectPort !== undefined && { redirectPort: Number(redirectPort) }),
    };
  return {
    mode: values.get('mode') === 'live' ? 'live' : 'test',
    ...(tls && { tls }),
    trustedProxies: listOf(values.get('trustedProxies')),
    ...(publicUrl !== undefined && { publicUrl: String(publicUrl) }),
  };
}

/** What is wrong between the values: one line each. */
export function transportProblems(values: Values, { host, home }: { host: string; home: string }): string[] {
  const problems: string[] = [];
  const { mode, tls, trustedProxies } = transportOf(values);
  const halfTls = values.has('tls.certificateFile') !== values.has('tls.keyFile');
  if (halfTls) problems.push('tls.certificateFile and tls.keyFile must be set together');
  if (values.has('tls.redirectPort') && !tls)
    problems.push('tls.redirectPort needs tls.certificateFile and tls.keyFile');
  if (halfTls || tls || trustedProxies.length > 0) return problems;
  if (mode === 'live') {
    problems.push(
      `mode live of ${home} needs tls.certificateFile and tls.keyFile, or trustedProxies: it speaks no plain HTTP`,
    );
  }
  if (host !== 'localhost' && !LOOPBACK.has(host)) {
    problems.push(
      `host is ${JSON.stringify(host)}: expected a loopback address (127.0.0.1, ::1 or localhost), as plain HTTP stays on this machine; set tls.certificateFile and tls.keyFile, or trustedProxies, to listen elsewhere`,
    );
  }
  return problems;
}

/** A host to listen on. */
export function asHost(value: unknown): string | undefined {
  return typeof value === 'string' && (value === 'localhost' || isIP(value) > 0) ? value : undefined;
}

/** Addresses and networks, parted by commas. */
export function asPeers(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string') return undefined;
  try {
    peersOf(listOf(text));
    return text;
  } catch {
    return undefined;
  }
}

/** An https origin without a path. */
export function asOrigin(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, origin, pathname, search, hash, username } = new URL(value);
  const bare = pathname === '/' && search === '' && hash === '' && username === '';
  return protocol === 'https:' && bare ? origin : undefined;
}

function listOf(text: string | number | undefined): string[] {
  return String(text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
