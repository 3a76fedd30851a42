import type {
  CompleteOutcome,
  DriverProgress,
  DriverState,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalDriver,
  TerminalIdentity,
} from './core/driver.js';
import { type Failed, failed } from './core/result.js';
import type { DriverLog } from './core/terminal-connection.js';
import { type DeviceRegistry, numericDeviceId, type RegisteredDevice } from './device-registry.js';

/** What a driver of a registered place needs. */
export interface RegisteredDriverOptions {
  readonly terminalId: string;
  readonly driver: TerminalDriver;
  readonly registry: DeviceRegistry;
  /** The serial that the configuration names; without one the first device is taken for its own. */
  readonly serial?: string;
  /** The numeric id that the configuration names; without one it follows from the serial. */
  readonly deviceId?: string;
  readonly log: DriverLog;
}

/** A driver that sells only with the device that belongs to its terminal's place. */
export class RegisteredDriver implements TerminalDriver {
  private readonly options: RegisteredDriverOptions;
  private readonly stopWatching: () => void;
  private wrong: string | undefined;

  constructor(options: RegisteredDriverOptions) {
    this.options = options;
    this.stopWatching = options.driver.onState((state) => {
      if (state === 'ready') this.meet();
    });
    if (options.driver.state === 'ready') this.meet();
  }

  /** Why the device on the line may not sell here, for a person. */
  get problem(): string | undefined {
    return this.wrong;
  }

  /** `pos.deviceId` of the device; undefined before one was ever there. */
  get deviceId(): string | undefined {
    const { deviceId, serial } = this.options;
    if (deviceId !== undefined) return deviceId;
    const known = serial ?? this.registered()?.serial;
    return known === undefined ? undefined : numericDeviceId(known);
  }

  get state(): DriverState {
    return this.options.driver.state;
  }

  get identity(): TerminalIdentity | undefined {
    return this.options.driver.identity;
  }

  start(request: StartRequest, progress: (step: DriverProgress) => void): Promise<StartOutcome> {
    if (this.wrong !== undefined) return Promise.resolve(failed('wrong-device', this.wrong));
    return this.options.driver.start(request, progress);
  }

  complete(result: OnlineResult, progress: (step: DriverProgress) => void): Promise<CompleteOutcome> {
    return this.options.driver.complete(result, progress);
  }

  cancel(): Promise<void> {
    return this.options.driver.cancel();
  }

  finish(text: string): Promise<void> {
    return this.options.driver.finish(text);
  }

  status(): Promise<TerminalCondition | Failed> {
    return this.options.driver.status();
  }

  onState(listener: (state: DriverState) => void): () => void {
    return this.options.driver.onState(listener);
  }

  close(): Promise<void> {
    this.stopWatching();
    return this.options.driver.close();
  }

  /** What the registry says of this place; nothing when it cannot be read. */
  private registered(): RegisteredDevice | undefined {
    const { registry, terminalId, log } = this.options;
    try {
      return registry.get(terminalId);
    } catch (error) {
      log.warn({ problem: (error as Error).message }, 'device registry not readable');
      return undefined;
    }
  }

  /** A device has answered: is it the one that belongs here? */
  private meet(): void {
    const { terminalId, driver, registry, serial: configured, log } = this.options;
    const { identity } = driver;
    if (!identity) return;
    const { maker, serial } = identity;
    const expected = configured ?? this.registered()?.serial;
    this.wrong =
      expected === undefined || expected === serial ? undefined : wrongDevice(terminalId, expected, serial);
    if (this.wrong !== undefined) {
      log.warn({ expected, serial }, 'another device stands in place of the registered one');
      return;
    }
    if (this.registered()?.serial === serial) return;
    try {
      registry.set(terminalId, { maker, serial });
      log.info({ maker, serial }, 'device registered');
    } catch (error) {
      // A registry that cannot be kept stands in nobody's way: the device is registered when it can be.
      log.warn({ problem: (error as Error).message }, 'device not registered');
    }
  }
}

function wrongDevice(terminalId: string, expected: string, serial: string): string {
  return (
    `terminal ${terminalId} is the device with serial ${expected}, and the one that is plugged in has serial ${serial}: ` +
    `plug the right one in, or run "tillbridge-agent devices forget ${terminalId}" if it was replaced`
  );
}
