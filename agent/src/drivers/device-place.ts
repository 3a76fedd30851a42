import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import type { TerminalIdentity } from './core/driver.js';
import type { DriverLog } from './core/terminal-connection.js';
import { type DeviceRegistry, numericDeviceId, type RegisteredDevice } from './device-registry.js';

/** What the place of a terminal needs. */
interface DevicePlaceDeps {
  readonly terminalId: string;
  readonly registry: DeviceRegistry;
  /** The serial that the configuration names; without one the first device is registered. */
  readonly serial?: string;
  /** The numeric id that the configuration names; without one it follows from the serial. */
  readonly deviceId?: string;
  readonly log: DriverLog;
}

/** The place of one terminal: decides whether the device on its line may sell there. */
export class DevicePlace {
  /** Why the device on the line may not sell here, for a person. */
  problem: string | undefined;
  private readonly deps: DevicePlaceDeps;

  constructor(deps: DevicePlaceDeps) {
    this.deps = deps;
  }

  /** `pos.deviceId` of the device; undefined before one was ever there. */
  get deviceId(): string | undefined {
    const { deviceId } = this.deps;
    if (deviceId !== undefined) return deviceId;
    const serial = this.expected();
    return serial === undefined ? undefined : numericDeviceId(serial);
  }

  /** Compares a device that has answered with the expected one, and registers the first. @returns {@link problem} */
  meet({ maker, serial }: TerminalIdentity): string | undefined {
    const { terminalId, registry, log } = this.deps;
    const expected = this.expected() ?? serial;
    this.problem = expected === serial ? undefined : wrongDevice(terminalId, expected, serial);
    if (this.problem !== undefined) {
      log.warn(
        { ...securityEvent('device-foreign'), expected, serial },
        'another device stands in place of the registered one',
      );
    } else if (this.registered()?.serial !== serial) {
      try {
        registry.set(terminalId, { maker, serial });
        log.info({ ...securityEvent('device-registered'), maker, serial }, 'device registered');
      } catch (error) {
        // A registry that cannot be written stops no sale: the device is registered the next time it is ready.
        log.warn({ problem: (error as Error).message }, 'device not registered');
      }
    }
    return this.problem;
  }

  private expected(): string | undefined {
    return this.deps.serial ?? this.registered()?.serial;
  }

  /** The entry of this place; undefined when there is none or the registry cannot be read. */
  private registered(): RegisteredDevice | undefined {
    const { registry, terminalId, log } = this.deps;
    try {
      return registry.get(terminalId);
    } catch (error) {
      log.warn({ problem: (error as Error).message }, 'device registry not readable');
      return undefined;
    }
  }
}

function wrongDevice(terminalId: string, expected: string, serial: string): string {
  return (
    `terminal ${terminalId} is the device with serial ${expected}, and the one that is plugged in has serial ${serial}: ` +
    `plug the right one in, or run "tillbridge-agent devices forget ${terminalId}" if it was replaced`
  );
}
