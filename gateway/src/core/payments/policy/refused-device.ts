import type { NewAlert } from '../../../kernel/alerts/alert-changes.js';
import { ACCOUNT_DATA_FAULTS } from '../../../kernel/errors/error-table.js';
import { DEVICE_PROFILE_NAMES } from '../../../kernel/store/tables/devices.js';
import { ksnParts } from '../../../security/devices/ksn.js';
import type { AccountDataError } from '../rules/account-data-error.js';
import { sourceOf } from '../rules/message-changes.js';
import type { PaymentRequest, PosData } from '../rules/requests.js';

/** What may stand in a command that a person copies; what a client sent may be anything. */
const PLAIN_WORD = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The alert about a device that the inventory has not, or has otherwise, with the command that corrects it. Undefined for what no command
 * corrects: then the data itself is wrong, or another's. Pure.
 */
export function refusedDeviceAlert(
  request: PaymentRequest,
  { fault, serial }: Pick<AccountDataError, 'fault' | 'serial'>,
): NewAlert | undefined {
  const { pos } = request;
  const command = pos && commandOf(request, pos, fault, serial);
  if (command === undefined) return undefined;
  const [meaning] = ACCOUNT_DATA_FAULTS[fault];
  const subject = sourceOf(request.origin);
  return { code: 'device-refused', subject, detail: `${meaning}; tillbridge-gateway ${command}` };
}

function commandOf(
  request: PaymentRequest,
  pos: PosData,
  fault: AccountDataError['fault'],
  serial: string | undefined,
): string | undefined {
  if (fault === 'unknown-device') return addCommand(request, pos);
  if (serial === undefined) return undefined;
  // A device of a merchant who sends over REST has no agent.
  if (fault === 'other-terminal')
    return `devices assign ${serial} ${placeOf(request, pos).replace(/^--entity \S+ /, '')}`;
  if (fault === 'not-active') return `devices resume ${serial}`;
  return fault === 'other-type' ? `devices show ${serial}` : undefined;
}

function addCommand(request: PaymentRequest, pos: PosData): string | undefined {
  const { deviceType = '', sred, pin } = pos;
  const account = sred && ksnParts(sred.ksn)?.initialKsn;
  if (account === undefined) return undefined;
  const ofPin = pin && ksnParts(pin.ksn)?.initialKsn;
  const known: readonly string[] = DEVICE_PROFILE_NAMES;
  const type = known.includes(deviceType) ? deviceType : 'TYPE';
  const ownPinKey = ofPin === undefined || ofPin === account ? '' : ` --pin-ksn ${ofPin}`;
  return `devices add SERIAL --type ${type} --account-ksn ${account}${ownPinKey} ${placeOf(request, pos)}`;
}

function placeOf({ origin }: PaymentRequest, { terminalId }: PosData): string {
  const terminal = `--terminal ${PLAIN_WORD.test(terminalId) ? terminalId : 'TERMINAL'}`;
  return origin.kind === 'rest'
    ? `--entity ${origin.entityId} ${terminal}`
    : `--agent ${origin.agentId} ${terminal}`;
}
