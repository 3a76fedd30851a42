import type { ParameterValues } from '@tillbridge/protocol/api/catalogue/sections.js';
import type { ParameterError } from '@tillbridge/protocol/api/validate.js';
import { fromHex } from '@tillbridge/protocol/bytes.js';
import { present } from '@tillbridge/protocol/present.js';
import { decideKeyProfile } from '../../payments/decide/key-profile.js';
import type { BillingAddress, CardData, Enciphered, PosData } from '../../payments/decide/requests.js';
import type { DeviceKeySets } from '../../security/keys/device-key-sets.js';

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
  const message = 'must not be sent beside pos.encryptedSred.data';
  return [{ name: 'card.number', value: null, message }];
}

/** Whether terminal data cannot be read: no hex, or enciphered under a key whose serial number was not sent. */
export function isUnreadable(values: ParameterValues): boolean {
  const isHex = (name: string): boolean => HEX.test(values.get(name) ?? '00');
  const isWhole = (group: string): boolean => values.has(`${group}.data`) === values.has(`${group}.ksn`);
  return !HEX_PARAMETERS.every(isHex) || !ENCIPHERED.every(isWhole);
}

/** Errors for a terminal's account data without a device type, which is sent or known from the key set. */
export function deviceTypeErrors(values: ParameterValues, keySets: () => DeviceKeySets): ParameterError[] {
  const sred = isUnreadable(values) ? undefined : encipheredOf(values, 'pos.encryptedSred');
  const deviceType = values.get('pos.deviceType');
  const verdict = sred && decideKeyProfile(deviceType, sred.ksn, keySets());
  if (!verdict || verdict.ok) return [];
  return [{ name: 'pos.deviceType', value: deviceType ?? null, message: verdict.message }];
}

/** The card of valid parameters; undefined when none was sent. */
export function cardOf(values: ParameterValues): CardData | undefined {
  const number = values.get('card.number');
  if (number === undefined) return undefined;
  return {
    number,
    expiryMonth: values.get('card.expiryMonth') ?? '',
    expiryYear: values.get('card.expiryYear') ?? '',
    ...present({ cvv: values.get('card.cvv'), holder: values.get('card.holder') }),
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

/** The pos.* of valid parameters that are readable; undefined when none was sent. */
export function posOf(values: ParameterValues, keySets: () => DeviceKeySets): PosData | undefined {
  const terminalId = values.get('pos.terminalId');
  if (terminalId === undefined) return undefined;
  const readable = !isUnreadable(values);
  const iccData = readable ? values.get('pos.iccDataRequest') : undefined;
  const sred = readable ? encipheredOf(values, 'pos.encryptedSred') : undefined;
  const pin = readable ? encipheredOf(values, 'pos.encryptedPin') : undefined;
  const sentType = values.get('pos.deviceType');
  const verdict = sred && decideKeyProfile(sentType, sred.ksn, keySets());
  return {
    terminalId,
    entryMode: values.get('pos.entryMode') ?? '',
    ...present({
      deviceType: verdict?.ok ? verdict.profile : sentType,
      deviceId: values.get('pos.deviceId'),
      panSequenceNumber: values.get('pos.panSequenceNumber'),
      transactionSequenceNumber: values.get('pos.transactionSequenceNumber'),
      iccData: iccData === undefined ? undefined : fromHex(iccData),
      sred,
      pin,
    }),
  };
}

function encipheredOf(values: ParameterValues, group: string): Enciphered | undefined {
  const data = values.get(`${group}.data`);
  const ksn = values.get(`${group}.ksn`);
  return data === undefined || ksn === undefined ? undefined : { data: fromHex(data), ksn: fromHex(ksn) };
}
