import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a gateway listens. */
interface ListeningConfig {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  readonly transport: { readonly tls?: unknown };
}

import { OperatorError } from '../../../kernel/errors/operator-error.js';

/**
 * Origin of the running gateway of a home: `--gateway`, then a `GATEWAY_PORT` of the environment, then `dev.json` next to the home, which
 * `npm start` writes, then the configuration. The credentials are those of the home, and so must the address be.
 * @throws OperatorError where nothing names it
 */
export function gatewayAddress(
  option: string | undefined,
  config: ListeningConfig,
  env: NodeJS.ProcessEnv,
): string {
  if (option !== undefined) return option;
  const isPortNamed = Boolean(env.GATEWAY_PORT) && config.port !== 0;
  return (isPortNamed ? undefined : developmentUrl(config.home)) ?? configuredUrl(config);
}

function developmentUrl(home: string): string | undefined {
  try {
    const { gateway } = JSON.parse(readFileSync(join(dirname(home), 'dev.json'), 'utf8')) as {
      readonly gateway?: { readonly url?: unknown };
    };
    return typeof gateway?.url === 'string' ? gateway.url : undefined;
  } catch {
    return undefined;
  }
}

function configuredUrl({ host, port, transport }: ListeningConfig): string {
  if (port === 0) throw new OperatorError('GATEWAY_PORT is 0: name the address of the gateway by --gateway');
  return `http${transport.tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
