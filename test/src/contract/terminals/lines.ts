import { FAULT_NAMES, type FaultName } from '@tillbridge/hardware-sim/faults/fault.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { CASES, type ContractCase } from './cases.js';
import type { Ability, Maker } from './maker.js';
import { MAKERS } from './makers.js';

/** Every maker on every transport it speaks over: name, transport, maker. */
export const LINES: readonly (readonly [string, Transport, Maker])[] = MAKERS.flatMap((maker) =>
  maker.transports.map((transport) => [maker.deviceType, transport, maker] as const),
);

/** Whether a maker's device can do all that something needs. */
export function can(maker: Maker, needs: readonly Ability[] = []): boolean {
  return needs.every((need) => maker.abilities.has(need));
}

/** The cases that a maker's device can carry out. */
export function casesOf(maker: Maker): readonly ContractCase[] {
  return CASES.filter(({ needs }) => can(maker, needs));
}

/** Reports keep their borders, and each comes whole. */
const NOT_ON_REPORTS: ReadonlySet<FaultName> = new Set(['split', 'split-bytes', 'glue', 'slow']);

/** Lines on which the terminal confirms a frame by a separate byte, which can be lost. */
const CONFIRMING: ReadonlySet<string> = new Set([
  'GERTEC_PPC930 serial',
  'NEWLAND_P180 serial',
  'VERIFONE_P400 serial',
]);

/** The faults that there can be on a line. */
export function faultsOf({ deviceType }: Maker, transport: Transport): readonly FaultName[] {
  return FAULT_NAMES.filter((name) =>
    name === 'drop-ack'
      ? CONFIRMING.has(`${deviceType} ${transport}`)
      : transport !== 'hid' || !NOT_ON_REPORTS.has(name),
  );
}
