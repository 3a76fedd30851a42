import { alphanumeric, digits, oneOf, type Parameter, pattern } from './parameter.js';

/** Spec 2.3: pos.* of a request; a required row is required when any of pos.* is sent. */
export const POS_PARAMETERS: readonly Parameter[] = [
  { name: 'pos.deviceId', format: digits(1, 32), required: 'O' },
  { name: 'pos.deviceType', format: pattern('[A-Za-z0-9_]{1,32}'), required: 'O' },
  { name: 'pos.encryptedPin.data', format: alphanumeric(1, 2048), required: 'O', sensitive: true },
  { name: 'pos.encryptedPin.ksn', format: alphanumeric(1, 2048), required: 'O', sensitive: true },
  { name: 'pos.encryptedSred.data', format: alphanumeric(1, 2048), required: 'O', sensitive: true },
  { name: 'pos.encryptedSred.ksn', format: alphanumeric(1, 2048), required: 'O', sensitive: true },
  {
    name: 'pos.entryMode',
    format: oneOf('MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'ICC', 'NFC_ICC', 'NFC_MAGSTRIPE'),
    required: 'R',
  },
  { name: 'pos.iccDataRequest', format: alphanumeric(1, 2048), required: 'O', sensitive: true },
  { name: 'pos.location.accuracy', format: digits(1, 32), required: 'O' },
  { name: 'pos.location.latitude', format: pattern('[+-]?\\d{1,2}\\.\\d{1,8}'), required: 'O' },
  { name: 'pos.location.longitude', format: pattern('[+-]?\\d{1,3}\\.\\d{1,8}'), required: 'O' },
  { name: 'pos.panSequenceNumber', format: digits(1, 32), required: 'O' },
  {
    name: 'pos.pinEntryCapability',
    format: oneOf('PIN_ENTRY_AVAILABLE', 'PIN_ENTRY_UNAVAILABLE'),
    required: 'O',
  },
  { name: 'pos.terminalId', format: digits(1, 32), required: 'R' },
  { name: 'pos.transactionSequenceNumber', format: digits(1, 32), required: 'O' },
  { name: 'pos.transactionSource', format: oneOf('POS'), required: 'O' },
];
