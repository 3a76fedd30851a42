import type { NewAlert } from '../../../kernel/alerts/alert-changes.js';
import { ACCOUNT_DATA_FAULTS } from '../../../kernel/errors/error-table.js';
import { DEVICE_PROFILE_NAMES } from '../../../kernel/store/tables/devices.js';
import { ksnParts } from '../../../security/devices/ksn.js';
import type { AccountDataError } from '../rules/account-data-error.js';
import { sourceOf } from '../rules/message-changes.js';
import type { PaymentRequest, PosData } from '../rules/requests.js';

/** What may stand in a command that a person copies; what a client sent may be anything. */
const PLAIN_WORD = /^[A-Za-z0-9._-]{1,64}$/;
const PLAIN_SERIAL = /^[A-Za-z0-9-]{1,64}$/;

/** Between what is wrong and the command that corrects it. */
const COMMAND = '; tillbridge-gateway devices ';

/** What the command of an alert does with a device: words in capitals stand for what a person has to add. */
export interface DeviceRemedy {
  readonly step: 'add' | 'assign' | 'resume' | 'show';
  readonly serial?: string;
  /** By the names of the command's options. */
  readonly options: Readonly<Record<string, string>>;
}

/** What the detail of an alert names to be done; undefined where it names nothing. */
export function remedyOf(detail: string): DeviceRemedy | undefined {
  const [step = '', serial = '', ...words] = detail.split(COMMAND)[1]?.split(' ') ?? [];
  if (!isStep(step)) return undefined;
  const options: Record<string, string> = {};
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [name = '', value = ''] = words.slice(at, at + 2);
    if (!PLACEHOLDERS.includes(value)) options[name.replace(/^--/, '')] = value;
  }
  return { step, ...(!PLACEHOLDERS.includes(serial) && { serial }), options };
}

const PLACEHOLDERS: readonly string[] = ['SERIAL', 'TYPE', 'TERMINAL'];

function isStep(word: string): word is DeviceRemedy['step'] {
  return word === 'add' || word === 'assign' || word === 'resume' || word === 'show';
}

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
  // A sender over REST does not learn what is wrong; an agent gets it as what is left to do in its store.
  const { kind, entityId } = request.origin;
  const detail = `${meaning}${COMMAND}${command}`;
  return { code: 'device-refused', subject, ...(kind === 'bridge' && { entityId }), detail };
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
    return `assign ${serial} ${placeOf(request, pos).replace(/^--entity \S+ /, '')}`;
  if (fault === 'not-active') return `resume ${serial}`;
  return fault === 'other-type' ? `show ${serial}` : undefined;
}

function addCommand(request: PaymentRequest, pos: PosData): string | undefined {
  const { deviceType = '', deviceId = '', sred, pin } = pos;
  const account = sred && ksnParts(sred.ksn)?.initialKsn;
  if (account === undefined) return undefined;
  const ofPin = pin && ksnParts(pin.ksn)?.initialKsn;
  const known: readonly string[] = DEVICE_PROFILE_NAMES;
  const type = known.includes(deviceType) ? deviceType : 'TYPE';
  const ownPinKey = ofPin === undefined || ofPin === account ? '' : ` --pin-ksn ${ofPin}`;
  const serial = PLAIN_SERIAL.test(deviceId) ? deviceId : 'SERIAL';
  return `add ${serial} --type ${type} --account-ksn ${account}${ownPinKey} ${placeOf(request, pos)}`;
}

function placeOf({ origin }: PaymentRequest, { terminalId }: PosData): string {
  const terminal = `--terminal ${PLAIN_WORD.test(terminalId) ? terminalId : 'TERMINAL'}`;
  return origin.kind === 'rest'
    ? `--entity ${origin.entityId} ${terminal}`
    : `--agent ${origin.agentId} ${terminal}`;
}
