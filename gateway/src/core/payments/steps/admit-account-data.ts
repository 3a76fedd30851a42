import { toHex } from '@tillbridge/wire/bytes.js';
import { present } from '@tillbridge/wire/present.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { lateRecords, RESTORE_HELD } from '../../../kernel/restored-database/restore-gap.js';
import type { DeviceRow, UsedKsnRow } from '../../../kernel/store/rows.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import { type AccountDataSender, admitDevice, maySell } from '../../../security/devices/admit-device.js';
import { type KsnParts, ksnParts } from '../../../security/devices/ksn.js';
import { decideKsnUse, type KsnUse } from '../../../security/devices/ksn-use.js';
import { pinKsnOf } from '../../../security/devices/pin-ksn.js';
import { AccountDataError } from '../rules/account-data-error.js';
import type { Enciphered, PaymentRequest, PosData } from '../rules/requests.js';
import { saleOf } from '../rules/sale-of.js';
import type { PaymentContext } from './payment-context.js';

/** Account data that may be deciphered. */
export interface AdmittedAccountData {
  readonly device: DeviceRow;
  /** Names layout and cipher. */
  readonly profile: string;
  /** The KSN that is used up by looking at the data. */
  readonly use: KsnUse;
  readonly ksn: KsnParts;
  /** The change that claims an unused KSN: the commit finds out. Absent where the intent was committed with it. */
  readonly taken?: readonly Change[];
}

/** Account data under the KSN of a transaction, and the device that it names, where there is one. */
interface SentData {
  readonly sred: Enciphered;
  readonly ksn: KsnParts;
  readonly device: DeviceRow | undefined;
}

/** The account data of a request, whose device is being read; undefined where it has none. */
export type PrefetchedDevice = Promise<SentData | undefined>;

/**
 * Lets account data of a terminal in, over REST and over the bridge alike: from an active device of the sender, under a KSN that its sale may
 * use. Undefined where the request has none.
 * @throws AccountDataError
 */
export async function admitAccountData(
  context: PaymentContext,
  request: PaymentRequest,
  paymentId: string,
  ahead: PrefetchedDevice,
): Promise<AdmittedAccountData | undefined> {
  const { pos } = request;
  if (pos?.isUnreadable) throw new AccountDataError('no-ksn');
  if (!pos?.sred) return undefined;
  const sent = await ahead;
  if (!sent) throw new AccountDataError('no-ksn');
  const { device, profile } = await knownDevice(context, request, pos, sent);
  const { ksn } = sent;
  const use = useOf(context, request, paymentId, { ...sent, serial: device.serial });
  return { device, profile, use, ksn, taken: await takeFresh(context, request, use, device) };
}

/** The same for a request whose intent was committed: its KSN is used up, by itself. @throws AccountDataError */
export async function admitAgain(
  context: PaymentContext,
  request: PaymentRequest,
  paymentId: string,
): Promise<AdmittedAccountData | undefined> {
  const sent = await sentData(context, request);
  if (!sent) return undefined;
  const { ksn, device } = sent;
  if (!device) throw new AccountDataError('unknown-device');
  const use = useOf(context, request, paymentId, { ...sent, serial: device.serial });
  return { device, profile: device.deviceType, use, ksn };
}

/** The use of the KSN of a PIN block that came with account data; undefined where it belongs to another device or transaction. */
export function pinUse(
  context: PaymentContext,
  request: PaymentRequest,
  paymentId: string,
  { device, ksn }: AdmittedAccountData,
  pin: Enciphered,
): KsnUse | undefined {
  const parts = pinKsnOf(device, ksn, pin.ksn);
  if (!parts) return undefined;
  return {
    ...useOf(context, request, paymentId, { sred: pin, ksn: parts, serial: device.serial }),
    counter: null,
  };
}

/**
 * Gives the changes by which a sale takes its KSNs: at first as if none had been used, and read for each further round of the commit.
 */
export function ksnTaker(
  context: PaymentContext,
  request: PaymentRequest,
  admitted: AdmittedAccountData | undefined,
  ofPin: KsnUse | undefined,
): () => Promise<readonly Change[]> {
  let ready = admitted?.taken;
  return async () => {
    const account = ready ?? (admitted ? await takeAgain(context, request, admitted.use) : []);
    ready = undefined;
    return ofPin ? [...account, ...(await takeAgain(context, request, ofPin))] : account;
  };
}

/** The changes by which a sale takes a KSN, read anew. @throws AccountDataError */
export async function takeAgain(
  context: PaymentContext,
  request: PaymentRequest,
  use: KsnUse,
): Promise<readonly Change[]> {
  const device = await context.store.get('devices', [use.serial]);
  if (!device) throw new AccountDataError('unknown-device');
  return takeKsn(context, request, use, device);
}

/** The changes by which a sale claims an unused KSN; almost every KSN is unused, so the commit does the check. */
async function takeFresh(
  context: PaymentContext,
  request: PaymentRequest,
  use: KsnUse,
  device: DeviceRow,
): Promise<readonly Change[]> {
  // Most devices have used nothing that was forgotten.
  if (isUnknown(use, device)) return takeKsn(context, request, use, device);
  return (
    claimOf(context, request, use, { device, stored: undefined }) ?? takeKsn(context, request, use, device)
  );
}

/** The changes by which a sale takes a KSN, and that hold the commit to the device's state. @throws AccountDataError */
async function takeKsn(
  context: PaymentContext,
  request: PaymentRequest,
  use: KsnUse,
  device: DeviceRow,
): Promise<readonly Change[]> {
  const { store, clock } = context;
  const { offline } = request;
  if (!maySell(device, offline?.decidedAtMs)) throw new AccountDataError('not-active', use.serial);
  const stored = await store.get('usedKsns', [use.ksn]);
  if (!stored && offline && isUnknown(use, device)) await requireConfirmed(store, clock.nowMs(), use);
  const claim = claimOf(context, request, use, { device, stored });
  if (!claim) throw new AccountDataError('ksn-used', use.serial);
  return claim;
}

/** The changes that claim a KSN; undefined where the sale may not use it. */
function claimOf(
  { clock }: PaymentContext,
  { offline }: PaymentRequest,
  use: KsnUse,
  { device, stored }: { readonly device: DeviceRow; readonly stored: UsedKsnRow | undefined },
): readonly Change[] | undefined {
  const { forgottenCounter, unknownCounter } = device;
  const known = { stored, forgottenCounter, unknownCounter };
  const taken = decideKsnUse(use, known, offline !== undefined, clock.nowMs());
  return taken && [taken, ...guardsOf(device, use)];
}

/** Whether a database that was put back may have forgotten that a KSN was used. */
function isUnknown({ counter }: KsnUse, { unknownCounter }: DeviceRow): boolean {
  return counter !== null && counter <= unknownCounter;
}

/**
 * A record of a sale of before the database was put back waits for the operator, and comes too late a month after that.
 * @throws TryLaterError, AccountDataError
 */
async function requireConfirmed(store: Pick<Store, 'get'>, nowMs: number, { serial }: KsnUse): Promise<void> {
  const verdict = await lateRecords(store, nowMs);
  if (verdict === 'wait') throw new TryLaterError(RESTORE_HELD);
  if (verdict === 'refuse') throw new AccountDataError('ksn-used', serial);
}

/** A device that is suspended in the meantime sells no more. */
function guardsOf({ serial, state }: DeviceRow, { counter }: KsnUse): readonly Change[] {
  // The PIN of a transaction, whose account data has the guard.
  if (counter === null) return [];
  const guard: Change = {
    op: 'require-field',
    table: 'devices',
    key: [serial],
    column: 'state',
    equals: state,
  };
  return [guard, { op: 'raise-counter', serial, column: 'highestCounter', to: counter }];
}

async function knownDevice(
  context: PaymentContext,
  request: PaymentRequest,
  pos: PosData,
  { ksn, device }: SentData,
): Promise<{ readonly device: DeviceRow; readonly profile: string }> {
  const { store, deviceKeySets, clock } = context;
  const { entityId } = request.origin;
  // The entity of most devices is that of the payment; else its merchant's devices count too.
  const entity = device?.entityId === entityId ? undefined : await store.get('entities', [entityId]);
  const failures = await Promise.all([
    store.get('accountFailures', ['entity', entityId]),
    device && store.get('accountFailures', ['device', device.serial]),
  ]);
  const sender = senderOf(request, pos, [entityId, ...(entity?.parentId ? [entity.parentId] : [])]);
  const verdict = admitDevice(ksn, sender, { device, failures, keySets: deviceKeySets() }, clock.nowMs());
  if (verdict.ok) return { device: verdict.device, profile: verdict.profile };
  const isForeign = verdict.fault === 'foreign-device';
  throw new AccountDataError(verdict.fault, isForeign ? undefined : device?.serial);
}

/** The account data that a request brings; undefined where there is none, or its KSN is that of no transaction. @throws StoreUnavailableError */
async function sentData({ store }: PaymentContext, { pos }: PaymentRequest): Promise<SentData | undefined> {
  if (!pos?.sred) return undefined;
  const { sred } = pos;
  const ksn = ksnParts(sred.ksn);
  if (!ksn) return undefined;
  const [device] = await store.find('devices', 'account', [ksn.initialKsn]);
  return { sred, ksn, device };
}

/** Begins to read the device of a request while its message is read: one round trip to the database less. The result may go unused. */
export function prefetchDevice(context: PaymentContext, request: PaymentRequest): PrefetchedDevice {
  const sent = sentData(context, request);
  sent.catch(() => undefined);
  return sent;
}

function senderOf(
  { origin, offline }: PaymentRequest,
  { terminalId, deviceType }: PosData,
  entityIds: readonly string[],
): AccountDataSender {
  return {
    entityIds,
    terminalId,
    ...(origin.kind === 'bridge' && { agentId: origin.agentId }),
    ...present({ deviceType }),
    ...(offline && { decidedOfflineAtMs: offline.decidedAtMs }),
  };
}

function useOf(
  { fingerprint }: PaymentContext,
  request: PaymentRequest,
  paymentId: string,
  { sred, ksn, serial }: Pick<SentData, 'sred' | 'ksn'> & { readonly serial: string },
): KsnUse {
  return {
    ksn: ksn.ksn,
    serial,
    counter: ksn.counter,
    sale: saleOf(request, paymentId),
    data: fingerprint('account data', toHex(sred.data)),
    paymentId,
  };
}
