import { UNIX_PREFIX } from '@tillbridge/wire/seams/report-pipe.js';
import { DEVICE_TYPES, type DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { deviceTypeSpec } from '../drivers/device-types.js';
import type { FoundPort } from '../ports/discovery.js';
import { readHidName } from '../ports/hid-pipe.js';
import { parseTcpAddress } from '../ports/tcp-pipe.js';

/** A port as it was typed: `[ID=]PATH`. */
export interface GivenPort {
  readonly id?: string;
  readonly path: string;
}

/** A port that may have a terminal, and the models that it may be. */
export interface Candidate extends GivenPort {
  readonly transport: Transport;
  readonly deviceTypes: readonly DeviceType[];
}

/** Models by the USB vendor ids that are published. */
const MODELS: Readonly<Record<string, DeviceType>> = {
  '0801': 'MAGTEK_DYNAFLEX',
  '0acd': 'IDTECH_VP6800',
  '11ca': 'VERIFONE_P400',
};

/** Reads `[ID=]PATH`; an id is 1 to 32 digits. */
export function readGivenPort(text: string): GivenPort {
  const [, id, path] = /^(?:(\d{1,32})=)?(.+)$/s.exec(text) ?? [];
  return { ...(id !== undefined && { id }), path: path ?? text };
}

/**
 * Ports to probe: those that were given, and plugged in ones of makers whose vendor id is published. No other port is written to: it may
 * be that of a printer.
 */
export function terminalCandidates(
  given: readonly GivenPort[],
  plugged: readonly FoundPort[],
): readonly Candidate[] {
  const own = given.map((port): Candidate => {
    const transport = transportOf(port.path);
    const found = plugged.find(({ path }) => path === port.path);
    return { ...port, transport, deviceTypes: modelsOf(transport, found?.vendorId) };
  });
  const known = plugged.filter(
    ({ path, vendorId = '', usedAs }) =>
      MODELS[vendorId] !== undefined && usedAs === undefined && given.every((port) => port.path !== path),
  );
  const others = known.map(({ path, transport, vendorId }) => ({
    ...{ path, transport, deviceTypes: modelsOf(transport, vendorId) },
  }));
  return [...own, ...others];
}

/** Ports that were found with the ids that they get, ids without a port, and ports without an id. */
export interface Assignment<Port> {
  readonly terminals: readonly (Port & { readonly id: string })[];
  readonly idsLeft: readonly string[];
  readonly portsLeft: readonly Port[];
}

/** Gives each port the id that was typed for it, and the others those that are left, in order. */
export function assignIds<Port extends { readonly id?: string }>(
  ports: readonly Port[],
  ids: readonly string[],
): Assignment<Port> {
  const typed = new Set(ports.flatMap(({ id }) => id ?? []));
  const free = ids.filter((id) => !typed.has(id));
  const terminals: (Port & { readonly id: string })[] = [];
  const portsLeft: Port[] = [];
  for (const port of ports) {
    const id = port.id ?? free.shift();
    if (id === undefined) portsLeft.push(port);
    else terminals.push({ ...port, id });
  }
  return { terminals, idsLeft: free, portsLeft };
}

function transportOf(path: string): Transport {
  if (path.startsWith(UNIX_PREFIX) || path.startsWith('/dev/hidraw') || readHidName(path)) return 'hid';
  return !path.startsWith('/') && parseTcpAddress(path) ? 'tcp' : 'serial';
}

function modelsOf(transport: Transport, vendorId = ''): readonly DeviceType[] {
  const model = MODELS[vendorId];
  return model
    ? [model]
    : DEVICE_TYPES.filter((deviceType) => deviceTypeSpec(deviceType).transports.includes(transport));
}
