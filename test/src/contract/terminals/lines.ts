import type { Transport } from '@tillbridge/agent/ports/open-port.js';
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
