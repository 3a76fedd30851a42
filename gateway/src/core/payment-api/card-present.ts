import { fromHex } from '@tillbridge/wire/bytes.js';
import { present } from '@tillbridge/wire/present.js';
import { DEVICE_TYPES, deviceTypeOf } from '@tillbridge/wire/terminals/device-types.js';
import { nearMatch } from '@tillbridge/wire/text/near-match.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import type { BillingAddress, CardData, Enciphered, PosData } from '../payments/rules/requests.js';

const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
const HEX_PARAMETERS = [
  'pos.encryptedPin.data',
  'pos.encryptedPin.ksn',
  'pos.encryptedSred.data',
  'pos.encryptedSred.ksn',
  'pos.iccDataRequest',
] as const;
const ENCIPHERED = ['pos.encryptedPin', 'pos.encryptedSred'] as const;

/** Rules between the parameters of the two groups. */
export function instrumentErrors(values: ParameterValues): ParameterError[] {
  if (!values.has('card.number') || !values.has('pos.encryptedSred.data')) return [];
  const message = 'must not be sent together with pos.encryptedSred.data';
  return [{ name: 'card.number', value: null, message }];
}

/** Whether terminal data cannot be read: no hex, or enciphered under a key whose serial number was not sent. */
export function isUnreadable(values: ParameterValues): boolean {
  const isHex = (name: string): boolean => HEX.test(values.get(name) ?? '00');
  const isWhole = (group: string): boolean => values.has(`${group}.data`) === values.has(`${group}.ksn`);
  return !HEX_PARAMETERS.every(isHex) || !ENCIPHERED.every(isWhole);
}

/**
 * Errors for account data of a device type that is no terminal model. Whether it is that of the device is for the service to say, and to keep
 * to itself.
 */
export function deviceTypeErrors(values: ParameterValues): ParameterError[] {
  const value = values.get('pos.deviceType');
  const isSent = !isUnreadable(values) && values.has('pos.encryptedSred.data');
  if (!isSent || value === undefined || deviceTypeOf(value)) return [];
  const near = nearMatch(value, DEVICE_TYPES);
  const meant = near === undefined ? '' : `; did you mean ${near}?`;
  return [{ name: 'pos.deviceType', value, message: `must be one of [${DEVICE_TYPES.join(', ')}]${meant}` }];
}

/** The card of valid parameters; undefined when none was sent. */
export function cardOf(values: ParameterValues): CardData | undefined {
  const number = values.get('card.number');
  if (number === undefined) return undefined;
  return {
    number,
    expiryMonth: values.get('card.expiryMonth') ?? '',
    expiryYear: values.get('card.expiryYear') ?? '',
    ...present({
      cvv: values.get('card.cvv'),
      holder: values.get('card.holder'),
      numberType: values.get('card.numberType') as CardData['numberType'],
    }),
  };
}

/** The billing address of valid parameters, as the issuer checks it; undefined when none was sent. */
export function billingOf(values: ParameterValues): BillingAddress | undefined {
  const address: BillingAddress = present({
    street: values.get('billing.street1'),
    postcode: values.get('billing.postcode'),
  });
  return Object.keys(address).length > 0 ? address : undefined;
}

/** The pos.* of valid parameters; undefined when none was sent. */
export function posOf(values: ParameterValues): PosData | undefined {
  const terminalId = values.get('pos.terminalId');
  if (terminalId === undefined) return undefined;
  const common = {
    terminalId,
    entryMode: values.get('pos.entryMode') ?? '',
    ...present({
      deviceType: values.get('pos.deviceType'),
      deviceId: values.get('pos.deviceId'),
      panSequenceNumber: values.get('pos.panSequenceNumber'),
      transactionSequenceNumber: values.get('pos.transactionSequenceNumber'),
    }),
  };
  if (isUnreadable(values)) return { ...common, isUnreadable: true };
  const iccData = values.get('pos.iccDataRequest');
  return {
    ...common,
    ...present({
      iccData: iccData === undefined ? undefined : fromHex(iccData),
      sred: encipheredOf(values, 'pos.encryptedSred'),
      pin: encipheredOf(values, 'pos.encryptedPin'),
    }),
  };
}

function encipheredOf(values: ParameterValues, group: string): Enciphered | undefined {
  const data = values.get(`${group}.data`);
  const ksn = values.get(`${group}.ksn`);
  return data === undefined || ksn === undefined ? undefined : { data: fromHex(data), ksn: fromHex(ksn) };
}
