import type { CompleteOutcome, DriverFailure, OnlineResult, TerminalDriver } from '../drivers/driver.js';
import type { TerminalProfile } from './bridge-messages.js';

/** One terminal: one sale at a time, one command after the other. */
export class TerminalLane {
  readonly profile: TerminalProfile;
  readonly driver: TerminalDriver;
  /** The sale that occupies the terminal. */
  running: string | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(profile: TerminalProfile, driver: TerminalDriver) {
    this.profile = profile;
    this.driver = driver;
  }

  /** Runs a command when those before it have ended. What a driver throws against its contract becomes a failure. */
  run<T>(command: () => Promise<T>, broken: (failure: DriverFailed) => T): Promise<T> {
    const result = this.#tail.then(command).catch((error: unknown) => broken(driverFailed(error)));
    this.#tail = result;
    return result;
  }

  complete(
    result: OnlineResult,
    progress: Parameters<TerminalDriver['complete']>[1],
  ): Promise<CompleteOutcome> {
    return this.run<CompleteOutcome>(
      () => this.driver.complete(result, progress),
      (failed) => failed,
    );
  }

  finish(text: string): Promise<void> {
    return this.run(
      () => this.driver.finish(text),
      () => undefined,
    );
  }

  /** Overtakes the running command. */
  async cancel(): Promise<void> {
    await this.driver.cancel().catch(() => undefined);
  }
}

/** A driver broke its contract. */
export interface DriverFailed {
  readonly kind: 'failed';
  readonly failure: DriverFailure;
  readonly detail: string;
}

function driverFailed(error: unknown): DriverFailed {
  return {
    kind: 'failed',
    failure: 'internal',
    detail: error instanceof Error ? error.name : 'unknown error',
  };
}
