import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS } from './layout.js';
import { type PartProcess, startPart } from './part-process.js';
import type { Seed } from './parts.js';
import type { TestMode } from './test-mode.js';

/** Gateways on one PostgreSQL database, each with a separate home; the keys are those of the first one, as in a mounted folder. */
export class GatewayNodes {
  readonly seed: Seed;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /**
   * Registers the development merchant.
   * @param folder of the homes
   * @param env variables of every gateway, `DATABASE_URL` among them
   * @param testMode of its channel
   */
  constructor(folder: string, env: NodeJS.ProcessEnv, testMode: TestMode = 'INTERNAL') {
    this.#folder = folder;
    this.#env = env;
    const options = { env: this.environment('a'), encoding: 'utf8' } as const;
    const words = ['seed', '--json', '--test-mode', testMode];
    this.seed = JSON.parse(execFileSync(process.execPath, [PROGRAMS.gateway, ...words], options));
  }

  /** The home of a gateway; that of the first one is `a`. */
  homeOf(name: string): string {
    return join(this.#folder, name);
  }

  /** The variables of a gateway. */
  environment(name: string): NodeJS.ProcessEnv {
    return { ...process.env, GATEWAY_HOME: this.homeOf(name), GATEWAY_PORT: '0', ...this.#env };
  }

  /** Gives a new home the keys of the first one. */
  add(name: string): void {
    mkdirSync(this.homeOf(name), { mode: 0o700 });
    symlinkSync(join(this.homeOf('a'), 'keys'), join(this.homeOf(name), 'keys'));
  }

  /** Starts a gateway, with another program or further variables where they are given. @throws StartFailure */
  start(name: string, { program = PROGRAMS.gateway, env = {} }: NodeStart = {}): Promise<PartProcess> {
    const environment = { ...this.environment(name), ...env };
    return startPart({ name: 'gateway', args: [program, 'serve'], env: environment });
  }
}

/** How a gateway is started other than the rest. */
interface NodeStart {
  readonly program?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
}
