import { join, resolve } from 'node:path';
import { NEIGHBOUR_LIMITS } from '../journal/copy/copy-wire.js';
import { PATH } from './journal.js';
import { type Problems, Section, text, wholeNumber } from './section.js';

/** An agent whose copy this one holds. */
export interface PeerConfig {
  readonly agentId: string;
  /** Holds the secret that the two share. */
  readonly secretFile: string;
}

/** Where this agent takes copies of its neighbours' journals. */
export interface NeighbourConfig {
  readonly host: string;
  readonly port: number;
  /** Where the copies are kept. */
  readonly folder: string;
  /** PEM files; absent on loopback alone. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string };
  readonly peers: readonly PeerConfig[];
}

const KEYS = ['host', 'port', 'folder', 'tls', 'peers'] as const;
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);
/** As the agent's own id (uplink/identity.ts): it names a folder, too. */
const AGENT_ID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$/;

/** Reads `neighbour`; undefined where this agent holds no copies. What is wrong is noted. */
export function readNeighbours(root: Section, home: string, problems: Problems): NeighbourConfig | undefined {
  if (root.raw('neighbour') === undefined) return undefined;
  const section = new Section(root.raw('neighbour'), root.at('neighbour'), KEYS, problems);
  const host = section.read('host', text('a host name or address', /^[0-9A-Za-z.:_-]{1,255}$/), '127.0.0.1');
  const tls = readTls(section, problems);
  if (!tls && !LOOPBACK.has(host)) {
    problems.add(section.at('tls'), 'is missing: the secret of a neighbour may not cross a network in clear');
  }
  return {
    host,
    port: section.read('port', wholeNumber(0, 65_535, 'a port'), 8443),
    folder: resolve(section.read('folder', PATH, join(home, 'neighbours'))),
    ...(tls && { tls }),
    peers: readPeers(section, problems),
  };
}

function readTls(section: Section, problems: Problems): NeighbourConfig['tls'] {
  if (section.raw('tls') === undefined) return undefined;
  const tls = new Section(section.raw('tls'), section.at('tls'), ['certificateFile', 'keyFile'], problems);
  const certificateFile = tls.need('certificateFile', PATH);
  const keyFile = tls.need('keyFile', PATH);
  if (certificateFile === undefined || keyFile === undefined) return undefined;
  return { certificateFile: resolve(certificateFile), keyFile: resolve(keyFile) };
}

function readPeers(section: Section, problems: Problems): readonly PeerConfig[] {
  const value = section.raw('peers');
  const place = section.at('peers');
  if (!Array.isArray(value) || value.length === 0 || value.length > NEIGHBOUR_LIMITS.maxPeers) {
    problems.add(
      place,
      `must be a list of 1 to ${NEIGHBOUR_LIMITS.maxPeers} agents with agentId and secretFile`,
    );
    return [];
  }
  return value.flatMap((each: unknown, index) => {
    const peer = new Section(each, `${place}[${index}]`, ['agentId', 'secretFile'], problems);
    const agentId = peer.need('agentId', text('an agent id', AGENT_ID));
    const secretFile = peer.need('secretFile', PATH);
    if (agentId === undefined || secretFile === undefined) return [];
    return [{ agentId, secretFile: resolve(secretFile) }];
  });
}
