import { present } from '@tillbridge/wire/present.js';
import type { Echo } from '../../../kernel/api/echo.js';
import type { AnswerFrame } from '../../../kernel/http/request/answer-frame.js';
import type { RegistrationRow } from '../../../kernel/store/rows.js';

/** The body of every answer about a registration, and the payload of its events. */
export function registrationAnswer(row: RegistrationRow, frame: AnswerFrame): object {
  const { id, kind, brand, bin, last4Digits, holder, expiryMonth, expiryYear, echo } = row;
  const shown =
    kind === 'card'
      ? { card: present({ bin, last4Digits, holder, expiryMonth, expiryYear }) }
      : { bankAccount: present({ last4Digits, holder }) };
  return {
    id,
    paymentType: 'RG',
    ...present({ paymentBrand: brand }),
    ...(JSON.parse(echo) as Echo),
    ...shown,
    ...frame,
  };
}
