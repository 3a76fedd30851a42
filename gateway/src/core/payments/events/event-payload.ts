import { present } from '@tillbridge/wire/present.js';
import { answerFrame } from '../../../kernel/http/request/answer-frame.js';
import type { EventRow, PaymentRow } from '../../../kernel/store/rows.js';
import { type BinTable, findBin } from '../rules/bin-table.js';
import { verificationResultsOf } from '../rules/verification-results.js';
import { type PaymentAnswer, paymentAnswer } from '../view/payment-view.js';
import { notificationFields, registrationOf } from './payment-notification.js';

type BinEntry = NonNullable<ReturnType<typeof findBin>>;

/** What an event shows of a stored payment and its row does not hold: what may be another at a later delivery. */
interface EventFrame {
  readonly buildNumber: string;
  /** Name of the entity. */
  readonly name: string;
  /** Of the payload; absent where it is the id of the event. */
  readonly ndc?: string;
  /** What the table of issuers has of the card. */
  readonly bin?: BinEntry;
}

/** What the column of an event of a stored payment has; the payload of every other event has no such member alone. */
interface FramedPayload {
  readonly frame: EventFrame;
}

/** What an event was made with. */
interface EventSources {
  readonly bins: BinTable;
  readonly entityName: string;
  readonly buildNumber: string;
  readonly ndc: string;
  readonly nowMs: number;
}

/** The payload of an event of a payment in full, as a notification shows it. Pure. */
export function paymentPayload(payment: PaymentRow, sources: EventSources): object {
  return { ...answerOf(payment, sources), ...notificationFields(payment, sources.entityName) };
}

/**
 * What is stored of an event of a payment that is stored in the same commit: no more than {@link eventPayload} needs in addition to its row.
 * What of a row a notification shows never changes once it is stored.
 * @param id of the event
 */
export function framedPayload(payment: PaymentRow, id: string, sources: EventSources): FramedPayload {
  const { buildNumber, entityName, ndc, bins } = sources;
  const bin = payment.bin === null ? undefined : findBin(bins, payment.bin);
  return { frame: { buildNumber, name: entityName, ...(ndc !== id && { ndc }), ...present({ bin }) } };
}

/**
 * The payload of an event as a text of JSON, the same at each delivery.
 * @param payment its payment as it is stored now
 * @returns undefined where the payment is needed and is not there
 */
export function eventPayload(event: EventRow, payment: PaymentRow | undefined): string | undefined {
  const stored = JSON.parse(event.payload) as FramedPayload | { readonly frame?: never };
  if (!stored.frame) return event.payload;
  if (!payment) return undefined;
  const sources = sourcesOf(event, stored.frame, payment);
  if (event.kind !== 'registration-created') return JSON.stringify(paymentPayload(payment, sources));
  const { registrationId = '' } = verificationResultsOf(payment);
  return JSON.stringify(registrationOf(answerOf(payment, sources), registrationId));
}

function answerOf(payment: PaymentRow, sources: EventSources): PaymentAnswer {
  return paymentAnswer(payment, answerFrame(payment.resultCode, sources), sources);
}

function sourcesOf(
  { id, createdAtMs }: EventRow,
  { buildNumber, name, ndc = id, bin }: EventFrame,
  payment: PaymentRow,
): EventSources {
  const bins = new Map(bin && payment.bin !== null ? [[payment.bin.slice(0, 6), bin]] : []);
  return { buildNumber, entityName: name, ndc, nowMs: createdAtMs, bins };
}
