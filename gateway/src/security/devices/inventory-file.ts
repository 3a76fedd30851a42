import { placeText } from '@tillbridge/platform/schema/fault.js';
import { oneOf, ruledText, section, text } from '@tillbridge/platform/schema/fields.js';
import { faultReader } from '@tillbridge/platform/schema/reader.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { DEVICE_PROFILE_NAMES } from '../../kernel/store/tables/devices.js';
import { isInitialKsn } from './ksn.js';

/** A field of a written device that breaks its rule. */
interface DeviceProblem {
  readonly field: string;
  readonly problem: string;
}

const optionalText = (expected: string, form: RegExp) => Type.Optional(text(expected, form));
const initialKsn = ruledText(
  '20 hex digits, or 24 of AES DUKPT, with the counter zero (an initial KSN)',
  (value) => (typeof value === 'string' && isInitialKsn(value) ? undefined : {}),
);
const DEVICE = section(
  {
    serial: text('1 to 64 letters, digits and hyphens', /^[A-Za-z0-9-]{1,64}$/),
    deviceType: oneOf(DEVICE_PROFILE_NAMES),
    accountKsn: initialKsn,
    pinKsn: Type.Optional(initialKsn),
    entityId: optionalText('32 lowercase hex digits', /^[0-9a-f]{32}$/),
    agentId: optionalText('1 to 64 letters, digits, dots, hyphens or underscores', /^[A-Za-z0-9._-]{1,64}$/),
    terminalId: optionalText('1 to 32 digits', /^\d{1,32}$/),
  },
  { rule: deviceFault },
);

/** A device as an operator writes it down. */
export type WrittenDevice = Static<typeof DEVICE>;

const readWritten = faultReader(DEVICE);

/** The device that a value of a file or of options writes down, or everything that is wrong with it. Pure. */
export function readDevice(value: unknown): WrittenDevice | readonly DeviceProblem[] {
  const read = readWritten(isMapping(value) ? textsOf(value) : value);
  if ('value' in read) return read.value;
  return read.faults.map(({ path, problem }) => ({ field: placeText(path) || 'the device', problem }));
}

/** What fields of a device say of each other. */
function deviceFault(device: Partial<WrittenDevice> | null): RuleFault | undefined {
  const { agentId, terminalId, accountKsn, pinKsn } = device ?? {};
  if (agentId !== undefined && terminalId === undefined)
    return { at: 'terminalId', problem: 'is missing: a device behind an agent stands for a terminal' };
  if (pinKsn !== undefined && pinKsn === accountKsn)
    return { at: 'pinKsn', problem: 'is that of the account data: leave it out' };
  return undefined;
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Numbers of a YAML file stand for their digits; KSNs are in capitals. Null and nothing are the same. */
function textsOf(written: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(written)
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([field, value]) => {
        const text = typeof value === 'number' ? String(value) : value;
        return [field, typeof text === 'string' && KSN_FIELDS.includes(field) ? text.toUpperCase() : text];
      }),
  );
}

const KSN_FIELDS: readonly string[] = ['accountKsn', 'pinKsn'];
