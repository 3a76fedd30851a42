import { join } from 'node:path';
import { textTable } from '@tillbridge/platform/command-line/text-table.js';
import type { AgentConfig } from '../config/config.js';
import { DeviceRegistry, numericDeviceId } from '../drivers/device-registry.js';
import { HOME_FILES } from '../home/home-files.js';
import { noteCommand } from '../log/note-command.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `tillbridge-agent devices`. */
export interface DevicesOptions {
  readonly json?: boolean;
}

/** The registry of a home. @throws DeviceRegistryError when it cannot be read */
const registryOf = ({ home }: Pick<AgentConfig, 'home'>) =>
  new DeviceRegistry(join(home, HOME_FILES.devices));

/** Shows which device stands at which terminal's place. */
export function listDevices(config: AgentConfig, { json }: DevicesOptions, output: Output): number {
  const devices = [...registryOf(config).all()].map(([terminalId, { maker, serial }]) => {
    const configured = config.terminals.find(({ id }) => id === terminalId)?.deviceId;
    return { terminalId, maker, serial, deviceId: configured ?? numericDeviceId(serial) };
  });
  if (json) output.out(JSON.stringify(devices, undefined, 2));
  else if (devices.length === 0)
    output.out('no device is registered yet: the first one that answers at a terminal’s port is');
  else {
    const rows = devices.map(({ terminalId, maker, serial, deviceId }) => [
      terminalId,
      maker,
      serial,
      deviceId,
    ]);
    output.out(textTable(['terminal', 'maker', 'serial', 'device id'], rows, output));
  }
  return EXIT.ok;
}

/** Empties a terminal's place: the next device that is plugged in there is taken for its own. */
export function forgetDevice(config: AgentConfig, terminalId: string, output: Output): number {
  if (!registryOf(config).forget(terminalId)) {
    throw new CommandError(EXIT.usage, `no device is registered for terminal ${terminalId}`);
  }
  noteCommand(config, 'devices forget', { terminalId });
  output.out(
    `terminal ${terminalId} takes the next device that is plugged in; unplug and plug the one that is there`,
  );
  return EXIT.ok;
}
