import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { UpdateState } from '@tillbridge/agent/update/machine/update-machine.js';
import { commandIn, Places } from '@tillbridge/agent/update/slots/places.js';
import { unpackArchive } from '@tillbridge/agent/update/slots/unpack.js';
import type { AgentClient } from '../../clients/agent-client.js';
import { until } from '../../clients/http.js';
import { Repeated } from '../../drills/repeated.js';
import { runGateway } from '../../journeys/operator.js';
import { partHome, ROOT } from '../../stack/layout.js';
import type { Stack } from '../../stack/stack.js';
import { stands, TourContext } from '../../tour/tour-context.js';

const run = promisify(execFile);

/** From the end of a sale to the next, in milliseconds. */
const PAUSE_MS = 1_500;
/** How long a till waits before it sends a request again. */
const AGAIN_MS = 100;
/** How long an agent may take to come or go on a busy machine. */
const SETTLE_MS = 120_000;

/** A program that works is given this long, on a busy machine, too. */
const HEALTHY_SECONDS = 120;

/** How a call of the agent's command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly text: string;
}

/** A system of real processes, and its home. */
export interface DrilledSystem {
  readonly stack: Stack;
  readonly home: string;
}

/** The store of a system of real processes, whose agent runs from a slot, with a till that sells all the time. */
export class UpdateDrill {
  readonly places: Places;
  readonly #system: DrilledSystem;
  readonly #tour: TourContext;
  readonly #folder: string;
  readonly #config: string;
  readonly #outcomes = new Map<string, string>();
  readonly #till: Repeated;
  readonly #healthySeconds: number;
  #sold = 0;

  private constructor(system: DrilledSystem, tour: TourContext, folder: string, healthySeconds: number) {
    this.#healthySeconds = healthySeconds;
    this.#system = system;
    this.#tour = tour;
    this.#folder = folder;
    this.places = new Places(join(folder, 'program'));
    this.#config = join(folder, 'agent.json');
    this.#till = new Repeated(PAUSE_MS, () => this.#sell());
  }

  /**
   * Puts a program into the first slot, and lets a script of this drill start it in the place of the agent of the system.
   * @param archive of the program
   * @param below where the slots are: inside of the checkout for a program that has no modules of its own
   */
  static async open(
    system: DrilledSystem,
    archive: string,
    { below = join(ROOT, 'agent', '.local'), healthySeconds = HEALTHY_SECONDS } = {},
  ): Promise<UpdateDrill> {
    mkdirSync(below, { recursive: true });
    const folder = mkdtempSync(join(below, 'update-'));
    const tour = new TourContext(system.stack, 'update');
    await tour.begin();
    const drill = new UpdateDrill(system, tour, folder, healthySeconds);
    drill.#writeService();
    mkdirSync(drill.places.slots, { recursive: true });
    await unpackArchive(createReadStream(archive), expectedArchive(archive), drill.places.slot('a'));
    drill.places.switchTo('a');
    await system.stack.part('agent')?.stop();
    await drill.service('start');
    await drill.untilSelling();
    return drill;
  }

  /** Starts or stops the agent as a unit of systemd does. */
  async service(word: 'start' | 'stop'): Promise<void> {
    await run('sh', [join(this.#folder, word)]);
  }

  /**
   * `tillbridge-agent update …` by the program in a slot.
   * @param crashAt the step at which the process is killed
   */
  async update(words: readonly string[], crashAt?: string): Promise<CommandEnd> {
    const slot = this.places.current() ?? 'a';
    const args = ['update', ...words, '--config', this.#config];
    const env = { ...this.#env, ...(crashAt !== undefined && { TILLBRIDGE_CRASH_AT: crashAt }) };
    const ended = await run(commandIn(this.places.slot(slot)), args, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, signal: null, stdout, stderr }),
      (error: { code?: number; signal?: string; stdout: string; stderr: string }) => error,
    );
    const { code = null, signal = null, stdout, stderr } = ended;
    return { code, signal, text: `${stdout}${stderr}` };
  }

  /**
   * The same, killed at each of the steps in turn and called again without words; gives how the last call ended.
   * @throws Error where one was not killed
   */
  async updateThrough(words: readonly string[], crashes: readonly string[]): Promise<CommandEnd> {
    let next = words;
    for (const crashAt of crashes) {
      const { signal, code, text } = await this.update(next, crashAt);
      if (signal !== 'SIGKILL')
        throw new Error(`it was not killed at ${crashAt}, and ended with ${code}: ${text}`);
      next = [];
    }
    return this.update(next);
  }

  /** Where the update is, as the store's file has it. */
  get state(): UpdateState {
    return JSON.parse(readFileSync(join(this.places.folder, 'update.json'), 'utf8')).state;
  }

  /** The till sells until `end`. */
  begin(): void {
    this.#till.begin();
  }

  async end(): Promise<void> {
    await this.#till.end();
  }

  /** Waits for a sale that was begun after this call. */
  soldAgain(): Promise<void> {
    return this.#till.passed(performance.now());
  }

  /** Waits until the agent has its link and its terminals. */
  async untilSelling(): Promise<void> {
    await until('the agent to sell', SETTLE_MS, async () => {
      const { terminals, gateway } = (await this.#agent.status()).body;
      return gateway.state === 'up' && terminals.every(({ state }) => state === 'ready') ? true : undefined;
    });
  }

  /** What of the reported sales the acquirer has otherwise, in words. The till has ended. */
  async differences(): Promise<readonly string[]> {
    await this.#agent.untilQueueEmpty(SETTLE_MS);
    const rows = (await this.#tour.newRows()).filter(stands);
    const wrong: string[] = [];
    for (const [amount, outcome] of this.#outcomes) {
      const count = rows.filter((row) => row.amount === amount).length;
      if (count !== (outcome === 'approved' ? 1 : 0))
        wrong.push(`the sale of ${amount} was reported as ${outcome}, and stands ${count} times`);
    }
    if (rows.length !== [...this.#outcomes.values()].filter((each) => each === 'approved').length)
      wrong.push(`${rows.length} authorizations stand, of ${this.#outcomes.size} sales`);
    await runGateway(this.#system.home, 'check').catch((error: { stdout?: string }) =>
      wrong.push(`the gateway's check found: ${error.stdout}`),
    );
    return wrong;
  }

  /** How many sales were reported as approved. */
  get approved(): number {
    return [...this.#outcomes.values()].filter((each) => each === 'approved').length;
  }

  async close(): Promise<void> {
    await this.#till.end().catch(() => undefined);
    await this.service('stop');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #agent(): AgentClient {
    return this.#tour.agent;
  }

  get #env(): NodeJS.ProcessEnv {
    const { TILLBRIDGE_CRASH_AT: _, ...env } = process.env;
    return { ...env, AGENT_OFFLINE: 'on' };
  }

  /** One sale of an amount of its own, sent again until it has an outcome. */
  async #sell(): Promise<void> {
    this.#sold += 1;
    const amount = `${1 + Math.floor(this.#sold / 100)}.${String(this.#sold % 100).padStart(2, '0')}`;
    const request = this.#tour.request(amount);
    for (;;) {
      const answer = await this.#agent.sale(request).catch(() => undefined);
      const { outcome, state } = answer?.status === 200 ? answer.body : { outcome: null, state: 'unknown' };
      if (outcome !== null && (state === 'done' || state === 'parked')) {
        this.#outcomes.set(amount, outcome);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** Scripts in the place of `systemctl`, and the agent's configuration with their names. */
  #writeService(): void {
    const pid = join(this.#folder, 'pid');
    const log = join(this.#folder, 'agent.log');
    const command = commandIn(this.places.link);
    const start = `[ -e ${pid} ] && kill -0 $(cat ${pid}) 2>/dev/null && exit 0
AGENT_OFFLINE=on TILLBRIDGE_CRASH_AT= setsid ${command} run --config ${this.#config} >${log} 2>&1 </dev/null &
echo $! >${pid}`;
    const stop = `[ -e ${pid} ] || exit 0
kill $(cat ${pid}) 2>/dev/null
while kill -0 $(cat ${pid}) 2>/dev/null; do sleep 0.05; done
rm ${pid}`;
    writeFileSync(join(this.#folder, 'start'), start);
    writeFileSync(join(this.#folder, 'stop'), stop);
    const config = JSON.parse(
      readFileSync(join(partHome(this.#system.home, 'agent'), 'config.yaml'), 'utf8'),
    ) as object;
    const { port } = new URL(this.#system.stack.dev.agent.url);
    const update = {
      startCommand: ['sh', join(this.#folder, 'start')],
      stopCommand: ['sh', join(this.#folder, 'stop')],
      healthySeconds: this.#healthySeconds,
    };
    writeFileSync(this.#config, JSON.stringify({ ...config, port: Number(port), update }), { mode: 0o600 });
  }

  /** The last words of the agent. */
  get log(): string {
    const path = join(this.#folder, 'agent.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }
}

/** What an archive of a drill has to be, when it is unpacked. */
export function expectedArchive(archive: string) {
  const bytes = readFileSync(archive);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
