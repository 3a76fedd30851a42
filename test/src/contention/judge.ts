import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { RestAnswer } from '../tenants/rest-client.js';
import { boundsOf, type ContentionCase, type Count } from './cases/contention-case.js';

/** An answer, and whether it should be that of a payment. */
export interface Answered extends RestAnswer {
  readonly isOfPayment: boolean;
}

/** What requests have changed. */
export interface Effects {
  /** Approved transactions in the acquirer's record, by their kind. */
  readonly money: Readonly<Record<string, number>>;
  /** Rows more or fewer, by their table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Approved payments of the merchant that there were not before. */
  readonly payments: readonly Pick<PaymentRow, 'id'>[];
}

/** What must not be, in words; empty: nothing. Pure. */
export function faultsOf(
  tried: ContentionCase,
  atOnce: number,
  answers: readonly Answered[],
  effects: Effects,
): readonly string[] {
  const ofPayments = answers.filter(({ isOfPayment }) => isOfPayment);
  const wrong = [
    ...answers.flatMap((answer) => faultsOfAnswer(answer, [200, ...(tried.refused ?? [])])),
    ...countFaults(tried, atOnce, answers, effects),
    ...(tried.answersOther ? [] : unreported(effects.payments, ofPayments)),
  ];
  return [...new Set(wrong)];
}

/** What a single answer must not be. */
function faultsOfAnswer({ status, body }: RestAnswer, statuses: readonly number[]): string[] {
  const { result, ndc, timestamp, buildNumber } = body as Readonly<Record<string, unknown>>;
  const { code, description } = (result ?? {}) as Readonly<Record<string, unknown>>;
  const text = `${status} ${code} ${description}`;
  const isEnvelope =
    isText(code, /^\d{3}\.\d{3}\.\d{3}$/) &&
    isText(description, /./) &&
    isText(ndc, /^[A-Za-z0-9-]{1,69}$/) &&
    isText(timestamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000$/) &&
    isText(buildNumber, /./);
  return [
    ...(statuses.includes(status) ? [] : [`answered ${text}`]),
    ...(isEnvelope ? [] : [`${text}: no envelope: ${JSON.stringify(body)}`]),
  ];
}

function countFaults(
  { accepted = [1, 'all'], different = {}, money = {}, rows = {} }: ContentionCase,
  atOnce: number,
  answers: readonly RestAnswer[],
  effects: Effects,
): string[] {
  const good = answers.filter(({ status }) => status === 200);
  const wrong = [outside('answers 200', good.length, accepted, atOnce)];
  for (const [member, count] of Object.entries(different))
    wrong.push(outside(`different ${member}`, valuesOf(good, member).size, count, atOnce));
  for (const kind of new Set([...Object.keys(money), ...Object.keys(effects.money)]))
    wrong.push(
      outside(`approved: ${kind}`, effects.money[kind] ?? 0, money[kind as LedgerRow['kind']] ?? 0, atOnce),
    );
  for (const [table, count] of Object.entries(rows))
    wrong.push(outside(`rows of ${table}`, effects.rows[table] ?? 0, count, atOnce));
  return wrong.filter((line) => line !== undefined);
}

function outside(what: string, found: number, count: Count, atOnce: number): string | undefined {
  const [from, to] = boundsOf(count, atOnce);
  if (found >= from && found <= to) return undefined;
  return `${what}: ${found}, where ${from === to ? from : `${from} to ${to}`} may be`;
}

function valuesOf(answers: readonly RestAnswer[], member: string): Set<unknown> {
  return new Set(answers.map(({ body }) => (body as Readonly<Record<string, unknown>>)[member]));
}

const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value);

/** Approved payments without an answer, and approvals in answers that are not stored. */
function unreported(payments: Effects['payments'], answers: readonly RestAnswer[]): string[] {
  const reported = valuesOf(
    answers.filter(({ status }) => status === 200),
    'id',
  );
  const kept = new Set<unknown>(payments.map(({ id }) => id));
  return [
    ...[...kept].filter((id) => !reported.has(id)).map(() => 'a payment is approved without an answer'),
    ...[...reported]
      .filter((id) => !kept.has(id))
      .map(() => 'an answer reports an approval that is not stored'),
  ];
}

/** How often each value is there. */
export function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** What was answered and done, in one line. */
export function summaryOf(answers: readonly RestAnswer[], { money, rows }: Effects): string {
  const codes = countsOf(
    answers.map(({ status, body }) => `${status} ${(body as { result?: { code?: string } }).result?.code}`),
  );
  const parts = [codes, money, rows].map((counts) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', '),
  );
  return parts.filter((part) => part !== '').join('; ');
}
