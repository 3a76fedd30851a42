import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { EchoValue } from '../../../kernel/api/echo.js';
import { isMailAddress, oneLine, outboxChange } from '../../../kernel/outbox/outbox-row.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { echoOf } from '../rules/lifecycle-facts.js';
import { verificationResultsOf } from '../rules/verification-results.js';

/**
 * The e-mail with which the payer of a direct debit receives its mandate, the amount and the date; nothing for other payments, and without an
 * address. Pure.
 */
export function mandateMail(payment: PaymentRow, merchant: string, nowMs: number): readonly Change[] {
  const { id, brand, state, type, entityId, amountMinor: minor, currency } = payment;
  const collects = (type === 'DB' || type === 'PA') && state !== 'declined';
  if (!collects || accountMethodOf(brand ?? undefined)?.kind !== 'direct-debit') return [];
  const echo = echoOf(payment);
  const recipient = textAt(echo.customer, 'email');
  const mandate = groupAt(echo.bankAccount).mandate;
  const dueDate = echo.transactionDueDate;
  if (recipient === undefined || !isMailAddress(recipient) || typeof dueDate !== 'string') return [];
  const amount = `${formatAmount({ minor, currency })} ${currency}`;
  const { payee } = verificationResultsOf(payment);
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Amount', amount],
    ['Due date', dueDate],
    ['Mandate', textAt(mandate, 'id')],
    ['Signed on', textAt(mandate, 'dateOfSignature')],
    ['Account holder', textAt(echo.bankAccount, 'holder')],
    ['Creditor', payee?.holder ?? merchant],
    ['Reference', payment.reference ?? id],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${oneLine(value)}`]));
  const body = [
    `${oneLine(merchant)} will collect the following amount by direct debit from your bank account.`,
    '',
    ...lines,
    '',
    'You can ask your bank for the money back within eight weeks of the debit.',
    '',
  ].join('\n');
  const title = `Direct debit of ${amount} on ${dueDate}: ${merchant}`;
  const about = { channel: 'mail', kind: 'mandate', subjectId: id, entityId } as const;
  return [outboxChange({ ...about, recipient, title, body }, nowMs)];
}

function groupAt(value: EchoValue | undefined): { readonly [name: string]: EchoValue } {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}

function textAt(value: EchoValue | undefined, name: string): string | undefined {
  const found = groupAt(value)[name];
  return typeof found === 'string' ? found : undefined;
}
