import type { ParameterError } from '@tillbridge/protocol/api/validate.js';
import { fromHex } from '@tillbridge/protocol/bytes.js';
import type { CardData, Enciphered, PosData } from '../../payments/desk.js';

type Values = ReadonlyMap<string, string>;

const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
const HEX_PARAMETERS = [
  'pos.encryptedPin.data',
  'pos.encryptedPin.ksn',
  'pos.encryptedSred.data',
  'pos.encryptedSred.ksn',
  'pos.iccDataRequest',
] as const;

/** Which parameters of the card and pos groups must be there, given what is there (spec 2.3). */
export function requiredOfInstrument(values: Values): string[] {
  const required: string[] = [];
  const hasCard = hasGroup(values, 'card.');
  const hasPos = hasGroup(values, 'pos.');
  if (hasCard || !hasPos) required.push('card.number', 'card.expiryMonth', 'card.expiryYear');
  if (hasPos) required.push('pos.entryMode', 'pos.terminalId');
  if (hasPos && !hasCard) required.push('pos.encryptedSred.data');
  for (const group of ['pos.encryptedSred', 'pos.encryptedPin']) {
    if (hasGroup(values, `${group}.`)) required.push(`${group}.data`, `${group}.ksn`);
  }
  return [...new Set(required)];
}

/** Rules between the parameters of the two groups. */
export function instrumentErrors(values: Values): ParameterError[] {
  const errors: ParameterError[] = HEX_PARAMETERS.filter((name) => {
    const value = values.get(name);
    return value !== undefined && !HEX.test(value);
  }).map((name) => ({ name, value: null, message: 'must be hex: an even number of the digits 0-9 and A-F' }));
  if (values.has('card.number') && values.has('pos.encryptedSred.data')) {
    errors.push({
      name: 'card.number',
      value: null,
      message: 'must not be sent beside pos.encryptedSred.data',
    });
  }
  return errors;
}

/** The card of valid parameters; undefined when none was sent. */
export function cardOf(values: Values): CardData | undefined {
  const number = values.get('card.number');
  if (number === undefined) return undefined;
  return {
    number,
    expiryMonth: values.get('card.expiryMonth') ?? '',
    expiryYear: values.get('card.expiryYear') ?? '',
    ...optional(values, 'card.cvv', 'cvv'),
    ...optional(values, 'card.holder', 'holder'),
  };
}

/** The pos.* of valid parameters; undefined when none was sent. */
export function posOf(values: Values): PosData | undefined {
  const terminalId = values.get('pos.terminalId');
  if (terminalId === undefined) return undefined;
  const iccData = values.get('pos.iccDataRequest');
  const sred = encipheredOf(values, 'pos.encryptedSred');
  const pin = encipheredOf(values, 'pos.encryptedPin');
  return {
    terminalId,
    entryMode: values.get('pos.entryMode') ?? '',
    ...optional(values, 'pos.deviceType', 'deviceType'),
    ...optional(values, 'pos.deviceId', 'deviceId'),
    ...optional(values, 'pos.panSequenceNumber', 'panSequenceNumber'),
    ...optional(values, 'pos.transactionSequenceNumber', 'transactionSequenceNumber'),
    ...(iccData !== undefined && { iccData: fromHex(iccData) }),
    ...(sred && { sred }),
    ...(pin && { pin }),
  };
}

function encipheredOf(values: Values, group: string): Enciphered | undefined {
  const data = values.get(`${group}.data`);
  const ksn = values.get(`${group}.ksn`);
  return data === undefined || ksn === undefined ? undefined : { data: fromHex(data), ksn: fromHex(ksn) };
}

function optional<K extends string>(values: Values, name: string, key: K): Partial<Record<K, string>> {
  const value = values.get(name);
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<K, string>>);
}

function hasGroup(values: Values, prefix: string): boolean {
  for (const name of values.keys()) if (name.startsWith(prefix)) return true;
  return false;
}
