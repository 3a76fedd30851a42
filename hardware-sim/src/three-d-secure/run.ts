import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createLog } from '@tillbridge/platform/log/log.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { SimulatorConfig } from '../config/config.js';
import { AccessControlServer } from './access-control-server.js';
import { DirectoryServer } from './directory-server.js';
import { buildThreeDSecureServer, PATHS } from './server.js';

/** How long one server waits for another, in milliseconds (EMV 3DS section 5.5: five seconds for a result, ten for an AReq). */
const MESSAGE_TIMEOUT_MS = 10_000;

/** Running directory server and access control server. */
export interface RunningThreeDSecure {
  /** `directoryUrl`: where a 3DS Server sends its messages. */
  readonly listening: { readonly url: string; readonly directoryUrl: string };
  readonly close: () => Promise<void>;
}

/** Starts both servers. @throws PortInUseError */
export async function startThreeDSecure(
  config: Pick<SimulatorConfig, 'host' | 'threeds' | 'log'>,
): Promise<RunningThreeDSecure> {
  const { host, threeds } = config;
  const log = createLog('tillbridge-sim-threeds', config.log);
  let servers: { directory: DirectoryServer; acs: AccessControlServer } | undefined;
  const app = buildThreeDSecureServer(() => {
    if (!servers) throw new Error('a message came before the servers were built');
    return servers;
  }, log);
  await listenOn(threeds.port, 'SIM_THREEDS_PORT', () => app.listen({ host, port: threeds.port }));
  const url = `http://${hostAndPort(host, (app.server.address() as AddressInfo).port)}`;
  servers = {
    directory: new DirectoryServer({
      url: url + PATHS.results,
      acsUrl: url + PATHS.acs,
      methodUrl: url + PATHS.method,
      post,
      newId: randomUUID,
    }),
    acs: new AccessControlServer({
      challengeUrl: url + PATHS.challenge,
      key: developmentKey('cavvKey'),
      post,
      newId: randomUUID,
      clock: systemClock,
      decoupledAfterMs: threeds.decoupledAfterMs,
      onFault: (what, err) => log.warn({ err }, what),
    }),
  };
  const listening = { url, directoryUrl: url + PATHS.directory };
  log.info(listening, 'listening');
  return { listening, close: () => app.close() };
}

/** The body of the answer to a message. @throws Error when there is none */
async function post(url: string, body: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    redirect: 'error',
    signal: AbortSignal.timeout(MESSAGE_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  return response.text();
}
