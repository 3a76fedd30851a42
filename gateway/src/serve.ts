import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { InternalAcquirer } from './acquirers/internal/internal-acquirer.js';
import { attachBridge, BRIDGE_PATH } from './bridge/endpoint.js';
import { prepareHome } from './cli/home.js';
import type { GatewayConfig } from './config.js';
import { gatewayFiles } from './gateway-files.js';
import { buildServer } from './http/server.js';
import { LocalThrottle } from './http/throttle/throttle.js';
import { createLog } from './log.js';
import { GatewayPaymentDesk } from './payments/payment-desk.js';
import { loadKeyFile } from './security/key-file.js';
import { securityFiles } from './security/security-files.js';
import { SoftwareKeyStore } from './security/software-key-store.js';
import { SoftwareSecurityModule } from './security/software-security-module.js';
import { AesGcmVault } from './security/vault-aes-gcm.js';
import { lockHome } from './store/home-lock.js';
import { SqliteStore } from './store/sqlite-store.js';
import { systemClock as clock, systemRandom as random } from './system-seams.js';

/** Name and version of this build (spec 2.10, buildNumber). */
export const BUILD_NUMBER = 'tillbridge-gateway-0.1.0';

/** The port is another program's; the message names the variable that changes ours. Exit code 2. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
}

/** A gateway that takes requests. */
export interface RunningGateway {
  readonly url: string;
  readonly bridgeUrl: string;
  /** Takes nothing new, finishes what runs, closes all files; idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the gateway on its home.
 * @throws PortInUseError, HomeInUseError, SecretFileError, KeyStoreError, StoreUnavailableError, SchemaTooNewError
 */
export async function startGateway(config: GatewayConfig): Promise<RunningGateway> {
  const closers: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeInOrder(closers);
    return closing;
  };
  try {
    const server = await assemble(config, closers);
    await listen(server, config);
    const { port } = server.server.address() as AddressInfo;
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    return { url: `http://${host}:${port}`, bridgeUrl: `ws://${host}:${port}${BRIDGE_PATH}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Builds all parts, innermost first; `closers` gets what ends each, to be called in the opposite order. */
async function assemble(config: GatewayConfig, closers: (() => Promise<void>)[]): Promise<FastifyInstance> {
  const files = gatewayFiles(config.home);
  const keyFiles = securityFiles(config.home);
  prepareHome(config.home);
  closers.push(await lockHome(files.lock));
  const logger = createLog(config.log);
  const tokenKey = loadKeyFile(files.tokenKey);
  const security = new SoftwareSecurityModule(
    SoftwareKeyStore.open({
      keysPath: keyFiles.keys,
      masterKeyPath: keyFiles.masterKey,
      mode: 'test',
      random,
    }),
  );
  const store = await SqliteStore.open(files.database);
  closers.push(() => store.close());
  const acquirer = await InternalAcquirer.open({
    file: files.acquirerDatabase,
    hashKey: loadKeyFile(keyFiles.internalAcquirerKey),
    security,
    clock,
    random,
  });
  closers.push(() => acquirer.close());
  const vault = new AesGcmVault({ key: loadKeyFile(keyFiles.vaultKey), store, random, clock });
  const onFault = (what: string, err: unknown): void => logger.warn({ err }, what);
  const desk = new GatewayPaymentDesk({ store, acquirer, security, vault, clock, random, onFault });
  closers.push(() => desk.stop());
  desk.startResolver(config.resolverIntervalMs);
  const server = buildServer({
    store,
    tokenKey,
    clock,
    random,
    desk,
    throttle: new LocalThrottle(config.throttle, clock),
    logger,
    record: acquirer,
    buildNumber: BUILD_NUMBER,
  });
  closers.push(() => server.close());
  const bridge = attachBridge({ server: server.server, desk, store, clock, random, log: logger });
  closers.push(() => bridge.close());
  return server;
}

async function closeInOrder(closers: readonly (() => Promise<void>)[]): Promise<void> {
  for (const close of [...closers].reverse()) await close();
}

async function listen(server: FastifyInstance, { host, port }: GatewayConfig): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const what = code === 'EADDRINUSE' ? 'is in use' : 'may not be used';
    throw new PortInUseError(
      `port ${port} ${what}: stop the program that has it, or set GATEWAY_PORT to another port`,
    );
  }
}
