import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { clearAlert } from '../../kernel/alerts/alert-changes.js';
import { auditOf } from '../../kernel/audit/audit.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import type { DeviceRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import { afterStep, type DeviceStep, statesBefore } from '../../security/devices/device-states.js';
import type { WrittenDevice } from '../../security/devices/inventory-file.js';
import { InventoryError } from './inventory-error.js';

/** What the inventory works with. */
export interface InventoryDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly random: Random;
  /** Who requests it, for the audit records that each change commits with it. */
  readonly actor: string;
  /** Entities whose devices alone there are, for a merchant; absent for the operator. */
  readonly owners?: readonly string[];
}

/** Where a device is used. */
interface Assignment {
  /** Absent: its merchant sends its account data over REST. */
  readonly agentId?: string;
  readonly terminalId?: string;
}

/** Limits of the inventory. */
const INVENTORY_LIMITS = {
  /** Devices of one import. */
  imported: 5_000,
} as const;

/** Adds devices, all or none. One with an agent or a terminal is active at once, any other in stock. @throws InventoryError */
export async function addDevices(
  deps: InventoryDeps,
  written: readonly WrittenDevice[],
): Promise<readonly DeviceRow[]> {
  const { store, clock } = deps;
  if (written.length > INVENTORY_LIMITS.imported)
    throw new InventoryError(
      'too-many',
      `${written.length} devices are more than ${INVENTORY_LIMITS.imported}`,
    );
  const rows: DeviceRow[] = [];
  const places = new Map<string, Change>();
  for (const each of written) {
    const row = await newRow(store, each, clock.nowMs());
    const same = rows.find((other) => isSame(other, row));
    if (same) throw taken(row, `${same.serial} of the same list`);
    if (isPlaced(row)) places.set(row.agentId, await placeOf(store, row, row, rows));
    rows.push(row);
  }
  try {
    const added = rows.flatMap((row): Change[] => [
      { op: 'insert', table: 'devices', row },
      auditOfDevice(deps, 'add', row),
    ]);
    await store.commit([...added, ...places.values(), ...(await refusalsEnded(deps, rows))]);
    return rows;
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw (
      (await firstConflict(store, rows)) ??
      new InventoryError('busy', 'an agent changed meanwhile: try again')
    );
  }
}

/** The device of a serial. @throws InventoryError unknown-device, for another's too */
export async function findDevice(
  { store, owners }: Pick<InventoryDeps, 'store' | 'owners'>,
  serial: string,
): Promise<DeviceRow> {
  const row = await store.get('devices', [serial]);
  if (!row || owners?.includes(row.entityId) === false)
    throw new InventoryError('unknown-device', `there is no device ${serial}`);
  return row;
}

/** Puts a device to use, or moves it. @throws InventoryError */
export function assignDevice(deps: InventoryDeps, serial: string, to: Assignment): Promise<DeviceRow> {
  return changeDevice(deps, 'assign', serial, async (device) => {
    const stepped = stepOf(device, 'assign', deps.clock.nowMs());
    const row = { ...stepped, agentId: to.agentId ?? null, terminalId: to.terminalId ?? null };
    return { row, ...(isPlaced(row) && { place: [await placeOf(deps.store, row, device)] }) };
  });
}

/** Suspends, resumes or ends a device. @throws InventoryError */
export function stepDevice(
  deps: InventoryDeps,
  serial: string,
  step: Exclude<DeviceStep, 'assign'>,
): Promise<DeviceRow> {
  return changeDevice(deps, step, serial, async (device) => ({
    row: stepOf(device, step, deps.clock.nowMs()),
  }));
}

/** Ends a lock of a device or of an entity, and forgets its failures. @returns whether there were any */
export async function unlock(
  deps: InventoryDeps,
  kind: 'device' | 'entity',
  subject: string,
): Promise<boolean> {
  return retried(deps, async () => {
    const row = await deps.store.get('accountFailures', [kind, subject]);
    if (!row) return false;
    const { failures, version } = row;
    await deps.store.commit([
      { op: 'delete', table: 'accountFailures', key: [kind, subject], version },
      clearAlert(kind === 'device' ? 'device-locked' : 'entity-locked', subject, deps.clock.nowMs()),
      auditOf(deps, { actor: deps.actor, action: 'devices unlock', subject, detail: { kind, failures } }),
    ]);
    return true;
  });
}

/** Lets a device from stock take the place of another, which goes out of use, in one commit. @throws InventoryError */
export async function swapDevices(
  deps: InventoryDeps,
  serial: string,
  replacement: string,
): Promise<{ readonly old: DeviceRow; readonly new: DeviceRow }> {
  const nowMs = deps.clock.nowMs();
  return retried(deps, async () => {
    const [old, spare] = [await findDevice(deps, serial), await findDevice(deps, replacement)];
    if (spare.state !== 'inStock')
      throw new InventoryError('wrong-state', `${replacement} is ${spare.state}, not in stock`);
    if (spare.serial === old.serial)
      throw new InventoryError('wrong-state', `${serial} cannot take its own place: name another device`);
    if (spare.entityId !== old.entityId)
      throw new InventoryError('foreign-place', `${replacement} belongs to another entity than ${serial}`);
    const { agentId, terminalId } = old;
    const isTampered = old.state === 'tampered';
    const ended = isTampered ? old : stepOf(old, 'decommission', nowMs);
    const begun = { ...stepOf(spare, 'assign', nowMs), agentId, terminalId };
    // One that was tampered with stands for no terminal any more: another device may have got its place.
    const place = isTampered && isPlaced(begun) ? [await placeOf(deps.store, begun, old)] : [];
    await deps.store.commit([
      { op: 'update', table: 'devices', row: ended },
      { op: 'update', table: 'devices', row: begun },
      ...place,
      auditOfDevice(deps, 'swap', ended, { replacement }),
      ...(await refusalsEnded(deps, [begun])),
    ]);
    return { old: ended, new: begun };
  });
}

function changeDevice(
  deps: InventoryDeps,
  step: DeviceStep,
  serial: string,
  change: (device: DeviceRow) => Promise<{ readonly row: DeviceRow; readonly place?: readonly Change[] }>,
): Promise<DeviceRow> {
  return retried(deps, async () => {
    const { row, place = [] } = await change(await findDevice(deps, serial));
    const record = auditOfDevice(deps, step, row);
    const ended = await refusalsEnded(deps, [row]);
    await deps.store.commit([{ op: 'update', table: 'devices', row }, ...place, record, ...ended]);
    return row;
  });
}

/**
 * Where devices are used from now on, what was refused there before is no alert any more: the next refusal raises it again. Over REST the
 * channels of a merchant use its devices.
 */
async function refusalsEnded(
  { store, clock }: Pick<InventoryDeps, 'store' | 'clock'>,
  devices: readonly DeviceRow[],
): Promise<readonly Change[]> {
  const active = devices.filter(({ state }) => state === 'active');
  const terminals = active.filter(isPlaced).map(({ agentId, terminalId }) => `${agentId}/${terminalId}`);
  const owners = new Set(active.filter((row) => !isPlaced(row)).map(({ entityId }) => entityId));
  const channels = await Promise.all([...owners].map((owner) => store.find('entities', 'parent', [owner])));
  const senders = [...owners, ...channels.flat().map(({ id }) => id)];
  return [...new Set([...terminals, ...senders])].map((subject) =>
    clearAlert('device-refused', subject, clock.nowMs()),
  );
}

/** The record of what was done with a device, and by whom. */
function auditOfDevice(
  deps: InventoryDeps,
  command: DeviceStep | 'add' | 'swap',
  { serial, entityId, agentId, terminalId, state }: DeviceRow,
  more: Readonly<Record<string, string>> = {},
): Change {
  const detail = { entityId, agentId, terminalId, state, ...more };
  return auditOf(deps, { actor: deps.actor, action: `devices ${command}`, subject: serial, detail });
}

/** A device that sells changes with every sale. */
function retried<T>(deps: InventoryDeps, round: () => Promise<T>): Promise<T> {
  const busy = () => new InventoryError('busy', 'the device is being used: try again');
  return decideAgain(deps, round, { busy });
}

function stepOf(device: DeviceRow, step: DeviceStep, nowMs: number): DeviceRow {
  const after = afterStep(device, step, nowMs);
  if (after) return after;
  const states = statesBefore(step).join(', ');
  throw new InventoryError(
    'wrong-state',
    `${device.serial} is ${device.state}; ${step} needs one of ${states}`,
  );
}

/** A row of a new device. Without an entity it belongs to that of its agent. */
async function newRow(store: Store, written: WrittenDevice, nowMs: number): Promise<DeviceRow> {
  const { serial, deviceType, accountKsn, pinKsn = null, agentId = null, terminalId = null } = written;
  const agent = agentId === null ? undefined : await store.get('agents', [agentId]);
  const entityId = written.entityId ?? agent?.entityId;
  if (entityId === undefined || !(await store.get('entities', [entityId])))
    throw new InventoryError('unknown-entity', `${serial}: there is no entity ${entityId ?? '(none named)'}`);
  return {
    serial,
    deviceType,
    accountKsn,
    pinKsn,
    entityId,
    agentId,
    terminalId,
    // One of an agent without a terminal is refused.
    state: terminalId === null ? 'inStock' : 'active',
    stateSinceMs: nowMs,
    highestCounter: 0,
    forgottenCounter: 0,
    unknownCounter: 0,
    createdAtMs: nowMs,
    version: 1,
  };
}

type Placed = DeviceRow & { readonly agentId: string };

function isPlaced(row: DeviceRow): row is Placed {
  return row.agentId !== null;
}

/**
 * The agent is the entity's or its merchant's, it has the terminal, and no other device stands for it.
 * @returns the change that conflicts with another request that puts a device there at this moment
 * @throws InventoryError
 */
async function placeOf(
  store: Store,
  { serial, agentId, terminalId, entityId }: Placed,
  self: DeviceRow,
  more: readonly DeviceRow[] = [],
): Promise<Change> {
  const agent = await store.get('agents', [agentId]);
  if (!agent) throw new InventoryError('unknown-agent', `${serial}: there is no agent ${agentId}`);
  const owner = await store.get('entities', [agent.entityId]);
  if (entityId !== agent.entityId && entityId !== owner?.parentId)
    throw new InventoryError('foreign-place', `${serial}: agent ${agentId} belongs to another entity`);
  if (terminalId === null || !(JSON.parse(agent.terminals) as string[]).includes(terminalId))
    throw new InventoryError('unknown-terminal', `${serial}: agent ${agentId} has no terminal ${terminalId}`);
  const there = [...(await store.find('devices', 'terminal', [agentId, terminalId])), ...more];
  const other = there.find(
    (row) =>
      row.serial !== self.serial &&
      row.agentId === agentId &&
      row.terminalId === terminalId &&
      (row.state === 'active' || row.state === 'suspended'),
  );
  if (other)
    throw new InventoryError(
      'terminal-taken',
      `${serial}: ${other.serial} stands for terminal ${terminalId}`,
    );
  return { op: 'update', table: 'agents', row: agent };
}

function isSame(one: DeviceRow, other: DeviceRow): boolean {
  if (one.serial === other.serial || one.accountKsn === other.accountKsn) return true;
  return one.pinKsn !== null && one.pinKsn === other.pinKsn;
}

async function firstConflict(store: Store, rows: readonly DeviceRow[]): Promise<InventoryError | undefined> {
  for (const row of rows) {
    const [bySerial, [byAccount], [byPin]] = [
      await store.get('devices', [row.serial]),
      await store.find('devices', 'account', [row.accountKsn]),
      row.pinKsn === null ? [] : await store.find('devices', 'pin', [row.pinKsn]),
    ];
    const other = bySerial ?? byAccount ?? byPin;
    if (other) return taken(row, other.serial);
  }
  return undefined;
}

function taken({ serial }: DeviceRow, other: string): InventoryError {
  return new InventoryError('taken', `${serial}: serial or initial KSN is that of ${other}`);
}
