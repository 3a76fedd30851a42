import { join, resolve } from 'node:path';
import { host, isLoopbackHost, port } from '@tillbridge/platform/config/net-setting.js';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { section, text } from '@tillbridge/platform/schema/fields.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { REPLICA_LIMITS } from '../journal/copy/copy-wire.js';

/** As the agent's own id (uplink/identity.ts): it names a folder, too. */
const AGENT_ID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$/;

/** The mapping `replica`. */
export const REPLICA = section({
  host: host({
    description: 'Address to take copies on; beyond loopback `tls` is needed.',
    default: '127.0.0.1',
  }),
  port: port({ description: 'Its port.', default: 8444 }),
  folder: Type.Optional(
    path({
      description: 'Where the copies of the replicas are kept.',
      fallback: '`replicas` in the home',
    }),
  ),
  tls: Type.Optional(
    section({
      certificateFile: path({ description: 'PEM, the chain after the certificate.' }),
      keyFile: path({ description: 'PEM.' }),
    }),
  ),
  peers: Type.Array(
    section({
      agentId: text('an agent id', AGENT_ID, { description: 'An agent whose copy this one holds.' }),
      secretFile: path({ description: 'File with the secret that the two share.' }),
    }),
    {
      minItems: 1,
      maxItems: REPLICA_LIMITS.maxPeers,
      expected: `a list of 1 to ${REPLICA_LIMITS.maxPeers} agents with agentId and secretFile`,
    },
  ),
});

type Written = Static<typeof REPLICA>;

/** Where this agent takes copies of its replicas' journals. */
export type ReplicaConfig = Readonly<Omit<Written, 'folder'> & Required<Pick<Written, 'folder'>>>;

/** The replica service with absolute paths; undefined where this agent holds no copies. Notes what is wrong. */
export function replicaConfig(
  written: Written | undefined,
  home: string,
  problems: Problems,
): ReplicaConfig | undefined {
  if (!written) return undefined;
  const { tls, peers, folder = join(home, 'replicas'), ...address } = written;
  if (!tls && !isLoopbackHost(address.host)) {
    problems.at(['replica', 'tls'], 'is missing: the secret of a replica may not cross a network in clear');
  }
  return {
    ...address,
    folder: resolve(folder),
    ...(tls && { tls: { certificateFile: resolve(tls.certificateFile), keyFile: resolve(tls.keyFile) } }),
    peers: peers.map(({ agentId, secretFile }) => ({ agentId, secretFile: resolve(secretFile) })),
  };
}
