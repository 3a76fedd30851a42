import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { ParameterError } from '../../kernel/api/validate.js';

const DAY_MS = 24 * 3_600_000;

/** Due date of a direct debit. */
export const DUE_DATE = {
  /** From the request to the due date where none is sent, in days: banks need one, the payer is notified before. */
  leadDays: 2,
} as const;

/** Groups of a generated mandate id, and the letters of each: enough that none is generated twice. */
const GROUPS = 4;
const GROUP_LETTERS = 5;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The mandate of a direct debit, and the day of its collection. */
export interface DirectDebit {
  readonly mandate: { readonly id: string; readonly signedOn: string };
  /** `yyyy-MM-dd`. */
  readonly dueDate: string;
}

/** The mandate and due date of valid parameters; what is not sent is made: an id of letters and hyphens (docs/payment-methods.md), signed today. */
export function directDebitOf(values: ParameterValues, random: Random, nowMs: number): DirectDebit {
  return {
    mandate: {
      id: values.get('bankAccount.mandate.id') ?? newMandateId(random),
      signedOn: values.get('bankAccount.mandate.dateOfSignature') ?? dayOf(nowMs),
    },
    dueDate: values.get('transactionDueDate') ?? dayOf(nowMs + DUE_DATE.leadDays * DAY_MS),
  };
}

/** Errors for a mandate that was signed after today. Any date may be the due date (docs/payment-methods.md). */
export function directDebitErrors(values: ParameterValues, nowMs: number): ParameterError[] {
  if (accountMethodOf(values.get('paymentBrand'))?.kind !== 'direct-debit') return [];
  const today = dayOf(nowMs);
  const signed = values.get('bankAccount.mandate.dateOfSignature') ?? today;
  if (signed <= today) return [];
  const message = `must not be after today, ${today}`;
  return [{ name: 'bankAccount.mandate.dateOfSignature', value: signed, message }];
}

/** A day of the calendar, UTC: `yyyy-MM-dd`, which sorts as the days do. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function newMandateId(random: Random): string {
  const bytes = random.bytes(GROUPS * GROUP_LETTERS);
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.match(new RegExp(`.{${GROUP_LETTERS}}`, 'g'))?.join('-') ?? letters;
}
