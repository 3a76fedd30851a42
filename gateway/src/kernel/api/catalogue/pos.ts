import { alphanumeric, BRAND, digits, type Format, oneOf, pattern } from './rows/format.js';
import { optional, required } from './rows/parameter.js';

/** Enciphered data, key serial numbers and card data. */
const CIPHERED: Format = alphanumeric(1, 2048);

function coordinate(integerDigits: number): Format {
  return pattern(`[+-]?\\d{1,${integerDigits}}\\.\\d{1,8}`, {
    valid: ['0.1', `-${'9'.repeat(integerDigits)}.12345678`, '+4.5'],
    invalid: ['4', '.5', '1.123456789', `${'1'.repeat(integerDigits + 1)}.5`, '1,5'],
  });
}

/** Spec 2.3: pos.* of a request; a required row is required when any of pos.* is sent. */
export const POS_PARAMETERS = [
  optional('pos.deviceId', digits(1, 32), { echoed: true }),
  optional('pos.deviceType', BRAND, { echoed: true }),
  optional('pos.encryptedPin.data', CIPHERED, { sensitive: true }),
  optional('pos.encryptedPin.ksn', CIPHERED, { sensitive: true }),
  optional('pos.encryptedSred.data', CIPHERED, { sensitive: true }),
  optional('pos.encryptedSred.ksn', CIPHERED, { sensitive: true }),
  required(
    'pos.entryMode',
    oneOf('MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'ICC', 'NFC_ICC', 'NFC_MAGSTRIPE'),
    { echoed: true },
  ),
  optional('pos.iccDataRequest', CIPHERED, { sensitive: true }),
  optional('pos.location.accuracy', digits(1, 32), { echoed: true }),
  optional('pos.location.latitude', coordinate(2), { echoed: true }),
  optional('pos.location.longitude', coordinate(3), { echoed: true }),
  optional('pos.panSequenceNumber', digits(1, 32)),
  optional('pos.pinEntryCapability', oneOf('PIN_ENTRY_AVAILABLE', 'PIN_ENTRY_UNAVAILABLE'), { echoed: true }),
  required('pos.terminalId', digits(1, 32), { echoed: true }),
  optional('pos.transactionSequenceNumber', digits(1, 32), { echoed: true }),
  optional('pos.transactionSource', oneOf('POS'), { echoed: true }),
] as const;
