import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';

/** A terminal that was found for an id. */
export interface FoundTerminal {
  readonly id: string;
  readonly deviceType: DeviceType;
  readonly transport: Transport;
  readonly path: string;
}

/** What an installation configures. */
export interface ConfigSettings {
  readonly home: string;
  readonly mode: 'test' | 'live';
  /** The acquirer's certification authority keys. */
  readonly capkFile?: string;
  readonly terminals: readonly FoundTerminal[];
}

/** The configuration of an installed agent in YAML; texts are quoted as JSON, which YAML reads too. */
export function configFile({ home, mode, capkFile, terminals }: ConfigSettings): string {
  const lines = [
    '# Made by "tillbridge-agent install", which leaves it alone once it was changed. Every key: configuration.md in the docs of the agent.',
    `home: ${JSON.stringify(home)}`,
    `mode: ${mode}`,
    ...(capkFile === undefined ? [] : [`capkFile: ${JSON.stringify(capkFile)}`]),
    ...(terminals.length === 0 ? ['terminals: []'] : ['terminals:', ...terminals.map(terminalLine)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** One entry of the list `terminals`. */
export function terminalLine({ id, deviceType, transport, path }: FoundTerminal): string {
  const values = { id, deviceType, transport, path };
  const pairs = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `  - { ${pairs.join(', ')} }`;
}
