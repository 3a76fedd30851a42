import { createHash } from 'node:crypto';
import type { AgentRow, DeviceRow, TokenRow } from '../../kernel/store/rows.js';
import { FIRST_GENERATION } from '../agents/agent-row.js';

/** What must outlive a database that is put back from a backup, and when it came to be. */
export type TrustEntry = TokenEntry | AgentEntry | DeviceEntry | CounterEntry | LinkEntry;

/** An entry, and when this home wrote it down: by its mark, which no clock sets back. */
export type NotedEntry = TrustEntry & { readonly notedMs: number };

/** A token that was revoked. */
export interface TokenEntry {
  readonly kind: 'token';
  readonly id: string;
  readonly atMs: number;
}

/** An agent that was revoked, or has another key or generation than at first. */
export interface AgentEntry {
  readonly kind: 'agent';
  readonly id: string;
  readonly atMs: number;
  readonly epoch: number;
  readonly isRevoked: boolean;
  /** SHA-256 of its public key, hex. */
  readonly key: string;
  readonly generation: number;
}

/** The state of a device that was out of use at least once. */
export interface DeviceEntry {
  readonly kind: 'device';
  readonly id: string;
  readonly atMs: number;
  readonly state: DeviceRow['state'];
}

/** The highest counter of a device's account data that was used. */
export interface CounterEntry {
  readonly kind: 'counter';
  readonly id: string;
  readonly atMs: number;
  readonly counter: number;
}

/** The last exchange with an acquirer that this node has journaled. */
export interface LinkEntry {
  readonly kind: 'link';
  /** Name of the acquirer. */
  readonly id: string;
  readonly atMs: number;
  readonly sequence: number;
}

/** The entry of a token; undefined while it counts. */
export function tokenEntry({ id, revokedAtMs }: TokenRow): TokenEntry | undefined {
  return revokedAtMs === null ? undefined : { kind: 'token', id, atMs: revokedAtMs };
}

/** The entry of an agent; undefined while it is as it was enrolled at first. */
export function agentEntry(row: AgentRow, nowMs: number): AgentEntry | undefined {
  const { id, epoch, state, generation, formerPublicKey } = row;
  const isRevoked = state === 'revoked';
  if (!isRevoked && formerPublicKey === null && generation === FIRST_GENERATION) return undefined;
  return { kind: 'agent', id, atMs: nowMs, epoch, isRevoked, key: keyDigest(row.publicKey), generation };
}

/** The entry of a device. */
export function deviceEntry({ serial, state, stateSinceMs }: DeviceRow): DeviceEntry {
  return { kind: 'device', id: serial, atMs: stateSinceMs, state };
}

/** The entry of what a device has used; undefined while it has used nothing. */
export function counterEntry(
  { serial, highestCounter, unknownCounter }: DeviceRow,
  nowMs: number,
): CounterEntry | undefined {
  const counter = Math.max(highestCounter, unknownCounter);
  return counter === 0 ? undefined : { kind: 'counter', id: serial, atMs: nowMs, counter };
}

const DEVICE_STATES: ReadonlySet<DeviceRow['state']> = new Set([
  'inStock',
  'active',
  'suspended',
  'tampered',
  'decommissioned',
]);

/** Whether a text is a state of devices. */
export function isDeviceState(text: DeviceRow['state']): boolean {
  return DEVICE_STATES.has(text);
}

/** Whether a device in this state may take cards. */
export function isInUse(state: DeviceRow['state']): boolean {
  return state === 'active' || state === 'inStock';
}

/** SHA-256 of a public key in PEM, hex. */
export function keyDigest(pem: string): string {
  return createHash('sha256').update(pem).digest('hex');
}
