import { pattern } from './rows/format.js';
import { optional } from './rows/parameter.js';

/** Spec 2.9: the reason of a chargeback that was received apart from the acquirer. */
export const CHARGEBACK_PARAMETERS = [
  optional(
    'chargebackResultCode',
    pattern('000\\.100\\.2\\d{2}', {
      valid: ['000.100.200', '000.100.299'],
      invalid: ['000.100.300', '000.100.2', '000.100.2000', '000100200', '000.100.2xx'],
    }),
    { echoed: true },
  ),
] as const;
