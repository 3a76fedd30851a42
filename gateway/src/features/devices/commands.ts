import { Problems } from '@tillbridge/platform/config/problems.js';
import { readYamlList } from '@tillbridge/platform/config/yaml-file.js';
import { present } from '@tillbridge/wire/present.js';
import { type Command, Option } from 'commander';
import { addCommand, type ConfigOption, printFrom } from '../../kernel/commands/command.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { allRows, findAll } from '../../kernel/store/all-rows.js';
import type { DeviceRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { DEVICE_PROFILE_NAMES } from '../../kernel/store/tables/devices.js';
import { readDevice, type WrittenDevice } from '../../security/devices/inventory-file.js';
import { deviceDetail, deviceView } from './device-view.js';
import {
  addDevices,
  assignDevice,
  findDevice,
  type InventoryDeps,
  stepDevice,
  swapDevices,
  unlock,
} from './service.js';

/** Example of a file of devices, for `--help`. */
const FILE_HELP = `
A file in YAML, one item for each device; all of them are added, or none:
  - serial: G0001001
    deviceType: GERTEC_PPC930
    accountKsn: FFFF9877A1B2C3000000   # initial KSN of the account data key, counter zero
    pinKsn: FFFF9876A1B2C3000000       # of the PIN key; left out where a PIN comes under the KSN of the account data
    entityId: <merchant or channel>    # left out: the entity of the agent
    agentId: store-1                   # left out: its merchant sends over REST
    terminalId: "1001"
A device with an agent or a terminal is active at once, any other in stock.`;

interface AddOptions extends ConfigOption {
  readonly type: string;
  readonly accountKsn: string;
  readonly pinKsn?: string;
  readonly entity?: string;
  readonly agent?: string;
  readonly terminal?: string;
}

interface AssignOptions extends ConfigOption {
  readonly agent?: string;
  readonly terminal?: string;
}

/** Commands of the feature. */
export const DEVICE_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'devices',
    description: 'The inventory: account data and PINs are taken from its active devices alone.',
    add: addDeviceCommands,
  },
];

/** `devices list | add | import | show | assign | suspend | resume | swap | decommission | unlock`. */
function addDeviceCommands(devices: Command): void {
  const agentOption = [
    '--agent <id>',
    'agent that it is connected to; without one its merchant sends over REST',
  ] as const;
  const terminalOption = ['--terminal <id>', 'terminal that it stands for'] as const;
  addCommand(devices, 'list', 'List the devices.')
    .option('--entity <id>', 'those of this merchant or channel alone')
    .action((options: ConfigOption & { entity?: string }) =>
      printFrom(options, async ({ store }) => (await allDevices(store, options.entity)).map(deviceView)),
    );
  addCommand(devices, 'add <serial>', 'Add a device.')
    .addOption(
      new Option('--type <type>', 'pos.deviceType').choices([...DEVICE_PROFILE_NAMES]).makeOptionMandatory(),
    )
    .requiredOption('--account-ksn <hex>', 'initial KSN of its account data key, counter zero')
    .option('--pin-ksn <hex>', 'initial KSN of its PIN key, where it has one of its own')
    .option('--entity <id>', 'merchant or channel that it belongs to; without it that of the agent')
    .option(...agentOption)
    .option(...terminalOption)
    .action((serial: string, options: AddOptions) =>
      printFrom(
        options,
        async (deps) => (await addDevices(deps, [writtenOf(serial, options)])).map(deviceView)[0],
      ),
    );
  addCommand(devices, 'import <file>', 'Add the devices of a file.')
    .addHelpText('after', FILE_HELP)
    .action((file: string, options: ConfigOption) =>
      printFrom(options, async (deps) => (await addDevices(deps, readDevices(file))).map(deviceView)),
    );
  addCommand(devices, 'show <serial>', 'Show a device, the highest counter it used and its failures.').action(
    (serial: string, options: ConfigOption) =>
      printFrom(options, async (deps) => deviceDetail(deps, await findDevice(deps, serial))),
  );
  addCommand(devices, 'assign <serial>', 'Put a device to use, or move it; its queue should be empty before.')
    .option(...agentOption)
    .option(...terminalOption)
    .action((serial: string, { agent, terminal, ...options }: AssignOptions) =>
      withDevice(options, (deps) =>
        assignDevice(deps, serial, present({ agentId: agent, terminalId: terminal })),
      ),
    );
  addStepCommands(devices);
}

function addStepCommands(devices: Command): void {
  addCommand(devices, 'suspend <serial>', 'Take nothing from a device until it is resumed.')
    .option('--tampered', 'it was opened: it can only be decommissioned from then on')
    .action((serial: string, { tampered, ...options }: ConfigOption & { tampered?: true }) =>
      withDevice(options, (deps) => stepDevice(deps, serial, tampered ? 'tamper' : 'suspend')),
    );
  addCommand(devices, 'resume <serial>', 'Use a suspended device again.').action(
    (serial: string, options: ConfigOption) =>
      withDevice(options, (deps) => stepDevice(deps, serial, 'resume')),
  );
  addCommand(
    devices,
    'swap <serial> <replacement>',
    'Let a device in stock take the place of another one.',
  ).action((serial: string, replacement: string, options: ConfigOption) =>
    printFrom(options, async (deps) => {
      const swapped = await swapDevices(deps, serial, replacement);
      return { old: deviceView(swapped.old), new: deviceView(swapped.new) };
    }),
  );
  addCommand(devices, 'decommission <serial>', 'Take a device out of use for ever.').action(
    (serial: string, options: ConfigOption) =>
      withDevice(options, (deps) => stepDevice(deps, serial, 'decommission')),
  );
  addCommand(devices, 'unlock <serial>', 'End the lock of a device whose account data could not be taken.')
    .option('--entity', 'the id is that of a merchant or channel that is locked')
    .action((subject: string, { entity, ...options }: ConfigOption & { entity?: true }) =>
      printFrom(options, async (deps) => {
        const kind = entity ? 'entity' : 'device';
        return { kind, subject, unlocked: await unlock(deps, kind, subject) };
      }),
    );
}

/** Every device, or every one of an entity, however many there are. */
function allDevices(store: Store, entityId: string | undefined): Promise<readonly DeviceRow[]> {
  return entityId === undefined ? allRows(store, 'devices') : findAll(store, 'devices', 'entity', [entityId]);
}

function writtenOf(
  serial: string,
  { type, accountKsn, pinKsn, entity, agent, terminal }: AddOptions,
): WrittenDevice {
  const written = {
    serial,
    deviceType: type,
    accountKsn,
    pinKsn,
    entityId: entity,
    agentId: agent,
    terminalId: terminal,
  };
  const device = readDevice(present(written));
  if ('serial' in device) return device;
  throw new OperatorError(device.map(({ field, problem }) => `${field}: ${problem}`).join('\n'));
}

/** The devices of a file. @throws ConfigError naming every bad row by line and field */
export function readDevices(file: string): readonly WrittenDevice[] {
  const problems = new Problems(undefined, new Map());
  const devices = readYamlList(file).flatMap(({ line, value }) => {
    const device = readDevice(value);
    if ('serial' in device) return [device];
    for (const { field, problem } of device) problems.add(`${file}:${line}: ${field}: ${problem}`);
    return [];
  });
  problems.throwIfAny();
  return devices;
}

function withDevice(options: ConfigOption, work: (deps: InventoryDeps) => Promise<DeviceRow>): Promise<void> {
  return printFrom(options, async (deps) => deviceView(await work(deps)));
}
