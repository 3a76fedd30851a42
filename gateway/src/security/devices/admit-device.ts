import type { ACCOUNT_DATA_FAULTS } from '../../kernel/errors/error-table.js';
import type { AccountFailuresRow, DeviceRow } from '../../kernel/store/rows.js';
import type { DeviceKeySets } from '../keys/device-key-sets.js';
import { isLocked } from './account-failures.js';
import { decideKeyProfile } from './key-profile.js';
import type { KsnParts } from './ksn.js';

/** Why account data is not taken; for the log and for the operator, never for who sent it. */
export type AccountDataFault = keyof typeof ACCOUNT_DATA_FAULTS;

/** The sender of account data. */
export interface AccountDataSender {
  /** The entity that the payment is made for, and its merchant. */
  readonly entityIds: readonly string[];
  /** Over the bridge. */
  readonly agentId?: string;
  /** `pos.terminalId`. */
  readonly terminalId: string;
  /** `pos.deviceType`. */
  readonly deviceType?: string;
  /** When the sale was decided without the gateway. */
  readonly decidedOfflineAtMs?: number;
}

/** What the gate knows of a device and of its owner. */
export interface KnownDevice {
  readonly device: DeviceRow | undefined;
  readonly failures: readonly (AccountFailuresRow | undefined)[];
  readonly keySets: DeviceKeySets;
}

/** The profile under which the account data of a device is deciphered, or why it is not taken. */
type DeviceVerdict =
  | { readonly ok: true; readonly device: DeviceRow; readonly profile: string }
  | { readonly ok: false; readonly fault: AccountDataFault };

/** Whether account data under a KSN is taken from its sender: one gate for REST and bridge. Pure. */
export function admitDevice(
  ksn: KsnParts,
  sender: AccountDataSender,
  { device, failures, keySets }: KnownDevice,
  nowMs: number,
): DeviceVerdict {
  if (!device) return refuse('unknown-device');
  if (!isOwn(device, sender)) return refuse('foreign-device');
  if (!isAtTerminal(device, sender)) return refuse('other-terminal');
  if (!maySell(device, sender.decidedOfflineAtMs)) return refuse('not-active');
  if (failures.some((row) => isLocked(row, nowMs))) return refuse('locked');
  const profile = decideKeyProfile(sender.deviceType, device.deviceType, ksn.ksn, keySets);
  return profile === undefined ? refuse('other-type') : { ok: true, device, profile };
}

/** Over the bridge the agent's own devices alone; over REST those of the entity or of its merchant. */
function isOwn(device: DeviceRow, { entityIds, agentId }: AccountDataSender): boolean {
  return entityIds.includes(device.entityId) && (agentId === undefined || device.agentId === agentId);
}

/** A device behind an agent has a terminal; one of a merchant over REST need not. */
function isAtTerminal(device: DeviceRow, { terminalId }: AccountDataSender): boolean {
  return device.terminalId === null ? device.agentId === null : device.terminalId === terminalId;
}

/**
 * Whether a device may sell. What it took while it was active may come late; a device that was tampered with is believed nothing.
 * @param decidedOfflineAtMs when the sale was decided without the gateway
 */
export function maySell({ state, stateSinceMs }: DeviceRow, decidedOfflineAtMs: number | undefined): boolean {
  if (state === 'active') return true;
  const was = state === 'suspended' || state === 'decommissioned';
  return was && decidedOfflineAtMs !== undefined && decidedOfflineAtMs < stateSinceMs;
}

function refuse(fault: AccountDataFault): DeviceVerdict {
  return { ok: false, fault };
}
