import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import type { StackOptions } from './options.js';
import type { StackExtras } from './stack.js';

/** Where the parts of a system listen that are started again at their ports, which no other test may have meanwhile. */
export async function reservedPorts(): Promise<{
  readonly options: Pick<StackOptions, 'ports' | 'nexoPort' | 'hostPort'>;
  readonly extras: Pick<StackExtras, 'proxyPort'>;
}> {
  const ports = {
    gateway: await reservedPort(),
    agent: await reservedPort(),
    simulator: await reservedPort(),
  };
  return {
    options: { ports, nexoPort: await reservedPort(), hostPort: await reservedPort() },
    extras: { proxyPort: await reservedPort() },
  };
}
