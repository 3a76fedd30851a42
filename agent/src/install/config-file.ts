import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { type Scope, SERVICE_NAME } from './places.js';

/** A terminal that was found for an id. */
export interface FoundTerminal {
  readonly id: string;
  readonly deviceType: DeviceType;
  readonly transport: Transport;
  readonly path: string;
}

/** What an installation configures. */
export interface ConfigSettings {
  /** Of a user's own installation the service is one of the user's manager. */
  readonly scope: Scope;
  readonly home: string;
  readonly mode: 'test' | 'live';
  /** The acquirer's certification authority keys. */
  readonly capkFile?: string;
  readonly terminals: readonly FoundTerminal[];
}

/** The configuration of an installed agent in YAML; texts are quoted as JSON, which YAML reads too. */
export function configFile({ scope, home, mode, capkFile, terminals }: ConfigSettings): string {
  const lines = [
    '# Made by "tillbridge-agent install", which leaves it alone once it was changed. Every key: configuration.md in the docs of the agent.',
    `home: ${JSON.stringify(home)}`,
    `mode: ${mode}`,
    ...(capkFile === undefined ? [] : [`capkFile: ${JSON.stringify(capkFile)}`]),
    ...(scope === 'user' ? ['update:', userCommand('stop'), userCommand('start')] : []),
    ...(terminals.length === 0 ? ['terminals: []'] : ['terminals:', ...terminals.map(terminalLine)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What `update` calls in the place of the system's manager. */
function userCommand(word: 'stop' | 'start'): string {
  return `  ${word}Command: systemctl,--user,${word},${SERVICE_NAME}.service`;
}

/** One entry of the list `terminals`. */
export function terminalLine({ id, deviceType, transport, path }: FoundTerminal): string {
  const values = { id, deviceType, transport, path };
  const pairs = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `  - { ${pairs.join(', ')} }`;
}
