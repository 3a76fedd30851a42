import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enrolledHome } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { AgentClient } from '../clients/agent-client.js';
import { PROGRAMS } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';

/** The token of the store. */
export const BARE_TOKEN = 'till-token-of-a-bare-agent';
/** Nothing listens there. */
const NO_GATEWAY = 'ws://127.0.0.1:9/bridge';

/** A home with an agent that has no terminals and reaches no gateway: only its journal matters. */
export class BareAgent {
  readonly home: string;
  readonly #config: string;
  #process: PartProcess | undefined;

  constructor() {
    const place = mkdtempSync(join(tmpdir(), 'tillbridge-bare-'));
    this.home = join(place, 'home');
    this.#config = join(place, 'config.json');
    const tokenFile = join(place, 'till-token');
    mkdirSync(this.home, { mode: 0o700 });
    enrolledHome(this.home, 'bare');
    writeFileSync(tokenFile, BARE_TOKEN, { mode: 0o600 });
    writeFileSync(this.#config, JSON.stringify({ home: this.home, port: 0, tokenFile, terminals: [] }));
  }

  /** @throws StartFailure when it dies before it listens */
  async start(env: NodeJS.ProcessEnv = {}): Promise<AgentClient> {
    const variables = { GATEWAY_BRIDGE_URL: NO_GATEWAY, AGENT_PORT: '0', ...env };
    const args = [PROGRAMS.agent, 'run', '--config', this.#config];
    this.#process = await startPart({ name: 'agent', args, env: variables });
    return new AgentClient({ url: this.url, token: BARE_TOKEN });
  }

  /** Where it listens since its last start. */
  get url(): string {
    return String(this.#process?.listening.url);
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  /** Ends the process and removes the home. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(join(this.home, '..'), { recursive: true, force: true });
  }
}
