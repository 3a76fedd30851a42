import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Default port of a simulator. */
const DEFAULT_PORT = '8095';

/**
 * Where the running simulator's REST control is: `SIM_URL`, then `SIM_PORT` on loopback, then `$TILLBRIDGE_HOME/dev.json`
 * of a development system, then the default port.
 */
export function findControlUrl(env: NodeJS.ProcessEnv): string {
  if (env.SIM_URL) return env.SIM_URL;
  if (env.SIM_PORT && env.SIM_PORT !== '0') return loopback(env.SIM_PORT);
  return developmentUrl(join(env.TILLBRIDGE_HOME || '.local', 'dev.json')) ?? loopback(DEFAULT_PORT);
}

function loopback(port: string): string {
  return `http://127.0.0.1:${port}`;
}

function developmentUrl(path: string): string | undefined {
  try {
    const { simulator } = JSON.parse(readFileSync(path, 'utf8')) as { simulator?: { url?: unknown } };
    return typeof simulator?.url === 'string' ? simulator.url : undefined;
  } catch {
    return undefined;
  }
}
