import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { FieldValues } from '@tillbridge/wire/terminals/abecs/field-values.js';
import type { SaleOn } from '../core/maker-session.js';
import type { AbecsConfig } from './config.js';
import type { AbecsDevice } from './device.js';
import type { AbecsLink } from './link.js';

/** What every step of a sale works with. */
export interface SaleContext extends SaleOn<AbecsLink> {
  readonly config: AbecsConfig;
  readonly device: AbecsDevice;
}

/** What GCX and GOX ask for both: amount, type, currency, and objects that the tables do not hold. */
export function transactionFields({ values }: SaleContext): FieldValues {
  const { type, amount, other, currency, sequence, exponent } = values;
  return {
    SPE_TRNTYPE: type,
    SPE_AMOUNT: amount.toString('hex'),
    ...(other && { SPE_CASHBACK: other.toString('hex') }),
    SPE_TRNCURR: currency.toString('hex').slice(-3),
    SPE_EMVDATA: encodeTlv([tlv('9F41', sequence), tlv('5F36', exponent)]),
  };
}
