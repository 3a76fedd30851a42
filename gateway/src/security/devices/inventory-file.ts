import { DEVICE_PROFILE_NAMES, type DeviceProfileName } from '../../kernel/store/tables/devices.js';
import { isInitialKsn } from './ksn.js';

/** A device as an operator writes it down. */
export interface WrittenDevice {
  readonly serial: string;
  readonly deviceType: DeviceProfileName;
  readonly accountKsn: string;
  readonly pinKsn?: string;
  readonly entityId?: string;
  readonly agentId?: string;
  readonly terminalId?: string;
}

/** A field of a written device that breaks its rule. */
interface DeviceProblem {
  readonly field: string;
  readonly problem: string;
}

interface Rule {
  readonly form: (value: string) => boolean;
  readonly expected: string;
  readonly isRequired?: true;
}

const INITIAL_KSN = 'expected 20 hex digits, or 24 of AES DUKPT, with the counter zero (an initial KSN)';

/** The fields of a device and their rules. */
const RULES: Readonly<Record<keyof WrittenDevice, Rule>> = {
  serial: {
    form: (value) => /^[A-Za-z0-9-]{1,64}$/.test(value),
    expected: 'expected 1 to 64 letters, digits and hyphens',
    isRequired: true,
  },
  deviceType: {
    form: (value) => DEVICE_PROFILE_NAMES.some((type) => type === value),
    expected: `expected one of ${DEVICE_PROFILE_NAMES.join(', ')}`,
    isRequired: true,
  },
  accountKsn: { form: isInitialKsn, expected: INITIAL_KSN, isRequired: true },
  pinKsn: { form: isInitialKsn, expected: INITIAL_KSN },
  entityId: { form: (value) => /^[0-9a-f]{32}$/.test(value), expected: 'expected 32 lowercase hex digits' },
  agentId: {
    form: (value) => /^[A-Za-z0-9._-]{1,64}$/.test(value),
    expected: 'expected 1 to 64 letters, digits, dots, hyphens or underscores',
  },
  terminalId: { form: (value) => /^\d{1,32}$/.test(value), expected: 'expected 1 to 32 digits' },
};

const FIELDS = Object.keys(RULES) as (keyof WrittenDevice)[];
const KSN_FIELDS: readonly string[] = ['accountKsn', 'pinKsn'];

/** The device that a value of a file or of options writes down, or everything that is wrong with it. Pure. */
export function readDevice(value: unknown): WrittenDevice | readonly DeviceProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ field: 'the device', problem: `expected the fields ${FIELDS.join(', ')}` }];
  const written = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(written).filter((key) => !FIELDS.some((field) => field === key));
  const problems: DeviceProblem[] = unknown.map((field) => ({ field, problem: 'is no field of a device' }));
  const device: Record<string, string> = {};
  for (const field of FIELDS) {
    const { form, expected, isRequired } = RULES[field];
    const text = textOf(written[field], field);
    if (text === undefined && isRequired) problems.push({ field, problem: `is missing: ${expected}` });
    else if (text !== undefined && !form(text)) problems.push({ field, problem: expected });
    else if (text !== undefined) device[field] = text;
  }
  if (device.agentId !== undefined && device.terminalId === undefined)
    problems.push({
      field: 'terminalId',
      problem: 'is missing: a device behind an agent stands for a terminal',
    });
  if (device.pinKsn !== undefined && device.pinKsn === device.accountKsn)
    problems.push({ field: 'pinKsn', problem: 'is that of the account data: leave it out' });
  return problems.length > 0 ? problems : (device as unknown as WrittenDevice);
}

/** Numbers of a YAML file stand for their digits; KSNs are told in capitals. Null and nothing are the same. */
function textOf(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '\0';
  return KSN_FIELDS.includes(field) ? text.toUpperCase() : text;
}
