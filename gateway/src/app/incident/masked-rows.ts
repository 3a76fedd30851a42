import { maskText } from '@tillbridge/wire/mask/mask.js';
import { detailOf } from '../../core/payments/rules/intent-detail.js';
import type {
  DecisionRow,
  EventRow,
  InboxRow,
  IntentRow,
  LinkExchangeRow,
  PaymentRow,
  WaitRow,
} from '../../kernel/store/rows.js';

/** What stands in the place of a value that an incident file does not carry. */
const MASKED = '***';

/** Of the parameters that answers repeat: those that rules look at later. */
const KEPT_ECHO = ['lifecycleId', 'chargebackResultCode', 'transactionDueDate'];

/** Of the column `answer`: the findings, and no account data. */
const KEPT_ANSWER = [
  ...['avsResponse', 'cvvResponse', 'riskScore', 'registrationId', 'registrationIsNew', 'balanceMinor'],
  ...['initialTransactionId', 'agreementId', 'refundsClosed'],
];

/** Of a message with a host: fields whose digits may look like those of a card, and are of use to the host alone. */
const HIDDEN_IN_MESSAGES: ReadonlySet<string> = new Set(['card', 'hostData', 'merchantId']);

type Json = { readonly [name: string]: unknown };

/** A payment without what identifies its card or its shopper. */
export function payment(row: PaymentRow): PaymentRow {
  return {
    ...row,
    // Made of the id; its digits may look like a card number.
    shortId: '',
    bin: row.bin === null ? null : row.bin.slice(0, 6),
    holder: hidden(row.holder),
    expiryMonth: hidden(row.expiryMonth),
    expiryYear: hidden(row.expiryYear),
    iccDataResponse: hidden(row.iccDataResponse),
    description: maskText(row.description),
    echo: JSON.stringify(picked(parsed(row.echo), KEPT_ECHO)),
    answer: JSON.stringify(picked(parsed(row.answer), KEPT_ANSWER)),
  };
}

/** An intent with what an outcome leaves of its detail, and what shows how it goes on. */
export function intent(row: IntentRow): IntentRow {
  const { draft, recovery, fenceReference, fencing, expiredCode, mayWait, place, followUp } = detailOf(row);
  const { type, amountMinor, currency, captureReference, referencedId } = draft;
  const kept = {
    draft: { type, amountMinor, currency, captureReference, referencedId },
    ...{ recovery, fenceReference, fencing, expiredCode, mayWait, followUp },
    place: place && { ...place, contentHash: undefined },
  };
  return { ...row, detail: JSON.stringify(kept) };
}

/** A stored answer to a message, without data for the card. */
export function inbox(row: InboxRow): InboxRow {
  const { iccDataResponse: _, ...result } = parsed(row.result);
  const { description } = result;
  const shown = typeof description === 'string' ? { description: maskText(description) } : {};
  return { ...row, result: JSON.stringify({ ...result, ...shown }), contentHash: null };
}

/** A wait: whether it keeps something for a later step, and not what. */
export function wait(row: WaitRow): WaitRow {
  return {
    ...row,
    shopperResultUrl: hidden(row.shopperResultUrl),
    redirect: hidden(row.redirect),
    sealed: hidden(row.sealed),
    keyId: hidden(row.keyId),
  };
}

/** A decision, its texts as those of logs. */
export function decision(row: DecisionRow): DecisionRow {
  return { ...row, detail: row.detail === null ? null : maskText(row.detail) };
}

/** An event without its payload. */
export function event(row: EventRow): EventRow {
  return { ...row, payload: '{}' };
}

/** An exchange with a host; of numbers by which a host finds it the last digits. */
export function exchange(row: LinkExchangeRow): LinkExchangeRow {
  return {
    ...row,
    rrn: row.rrn === null ? null : lastDigits(row.rrn),
    card: hidden(row.card),
    sealed: hidden(row.sealed),
    keyId: hidden(row.keyId),
    request: messageText(row.request),
    purpose: messageText(row.purpose),
    answer: messageText(row.answer),
    reversal: messageText(row.reversal),
    standIn: messageText(row.standIn),
  };
}

function messageText(text: string | null): string | null {
  return text === null ? null : JSON.stringify(message(parsed(text)));
}

function message(value: Json): Json {
  const fields = Object.entries(value).map(([name, field]) => {
    if (HIDDEN_IN_MESSAGES.has(name)) return [name, MASKED] as const;
    if (name === 'rrn' && typeof field === 'string') return [name, lastDigits(field)] as const;
    return [name, typeof field === 'object' && field !== null ? inside(field) : field] as const;
  });
  return Object.fromEntries(fields);
}

function inside(field: object): unknown {
  return Array.isArray(field) ? field : message(field as Json);
}

/** Of a retrieval reference number: its first digits stand for the day, which the exchange has. */
function lastDigits(rrn: string): string {
  return `${'*'.repeat(Math.max(0, rrn.length - 6))}${rrn.slice(-6)}`;
}

function hidden(text: string | null): string | null {
  return text === null ? null : MASKED;
}

function parsed(text: string): Json {
  return JSON.parse(text) as Json;
}

function picked(value: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])));
}
