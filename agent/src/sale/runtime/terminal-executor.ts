import type {
  CompleteOutcome,
  DeviceOutcome,
  DeviceWork,
  OnlineResult,
  TerminalCondition,
  TerminalDriver,
} from '../../drivers/core/driver.js';
import type { OfflineReason } from '../offline/offline-reasons.js';
import type { TerminalProfile } from '../records/bridge-messages.js';

/** One terminal: one sale at a time, one command after the other. */
export class TerminalExecutor {
  readonly profile: TerminalProfile;
  readonly driver: TerminalDriver;
  /** The sale that occupies the terminal. */
  running: string | undefined;
  /** What is no sale and runs now. */
  atWork: DeviceWork['kind'] | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #examined = false;
  #condition: TerminalCondition | undefined;

  constructor(profile: TerminalProfile, driver: TerminalDriver) {
    this.profile = profile;
    this.driver = driver;
  }

  /** Runs a command when those before it have ended. What a driver throws against its contract becomes a failure. */
  run<T>(command: () => Promise<T>): Promise<T | DriverFailed> {
    const result = this.#tail.then(command).catch(driverFailed);
    this.#tail = result;
    return result;
  }

  complete(
    result: OnlineResult,
    progress: Parameters<TerminalDriver['complete']>[1],
  ): Promise<CompleteOutcome> {
    return this.run(() => this.driver.complete(result, progress));
  }

  async finish(text: string): Promise<void> {
    await this.run(() => this.driver.finish(text));
  }

  /** Reads the condition of a terminal that has just come; once until it goes again. Resolves when it has been read. */
  async examine(): Promise<void> {
    const { state } = this.driver;
    const present = state === 'ready' || state === 'busy';
    if (!present) {
      this.#examined = false;
      this.#condition = undefined;
    }
    if (state !== 'ready' || this.#examined) return;
    this.#examined = true;
    const answer = await this.run(() => this.driver.status());
    if (answer.kind === 'condition' && this.#examined) this.#condition = answer;
  }

  /** Reads the condition now; not of a terminal that a sale occupies. */
  async condition(): Promise<TerminalCondition | DriverFailed> {
    if (this.running !== undefined) return busyWith(this.running);
    return this.run(() => this.driver.status());
  }

  /** Runs a command outside a sale; not on a terminal that a sale occupies. */
  async device(work: DeviceWork): Promise<DeviceOutcome> {
    if (this.running !== undefined) return busyWith(this.running);
    if (this.atWork !== undefined)
      return {
        kind: 'failed',
        failure: 'terminal-busy',
        detail: `the terminal does something else (${this.atWork})`,
      };
    this.atWork = work.kind;
    try {
      return await this.run(async () => this.driver.device?.(work) ?? { kind: 'unavailable' });
    } finally {
      this.atWork = undefined;
    }
  }

  /** Stops what waits for a person, a sale aside. */
  async cancelDevice(): Promise<void> {
    if (this.atWork === 'read-card' || this.atWork === 'ask') await this.cancel();
  }

  /** What keeps the terminal from selling without the gateway; `undefined` when nothing is known to. */
  get problem(): OfflineReason | undefined {
    const { state } = this.driver;
    if (state !== 'ready' && state !== 'busy') return 'terminal-not-ready';
    if (this.#condition?.tampered) return 'terminal-tampered';
    const { data = 'unknown' } = this.#condition?.keys ?? {};
    return data === 'missing' || data === 'exhausted' ? 'terminal-keys-missing' : undefined;
  }

  /** Overtakes the running command. */
  async cancel(): Promise<void> {
    await this.driver.cancel().catch(() => undefined);
  }
}

/** A terminal could not do it, or its driver broke its contract. */
type DriverFailed = Extract<CompleteOutcome, { readonly kind: 'failed' }>;

function busyWith(reference: string): DriverFailed {
  return { kind: 'failed', failure: 'terminal-busy', detail: `sale ${reference} runs on it` };
}

function driverFailed(error: unknown): DriverFailed {
  return {
    kind: 'failed',
    failure: 'internal',
    detail: error instanceof Error ? error.name : 'unknown error',
  };
}
