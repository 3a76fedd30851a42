import { present } from '@tillbridge/wire/present.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { intentOfPayment } from '../payments/lookup/find-intent.js';
import { detailOf } from '../payments/rules/intent-detail.js';
import { paymentTypeOf } from '../payments/rules/lifecycle-facts.js';
import { verificationResultsOf } from '../payments/rules/verification-results.js';
import { type Decision, decisionOf } from '../payments/timeline/decisions.js';

/** Payments that follow one, in its timeline at most. */
const MAX_FOLLOW_UPS = 500;

/** An entry of a timeline. */
export interface TimelineEntry extends Omit<Decision, 'atMs'> {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The payment that the decision was on, where that is one that followed. */
  readonly paymentId?: string;
}

type Reads = Pick<Store, 'get' | 'find'>;

/** Every decision on a payment and on those that followed it, in the order of their times. @throws StoreUnavailableError */
export async function timelineOf(store: Reads, payment: PaymentRow): Promise<readonly TimelineEntry[]> {
  const own = await decisionsOn(store, payment);
  const followed = await followUpsOf(store, payment.id);
  const theirs = await Promise.all(
    followed.map(async (each) => {
      const step = `follow-up ${paymentTypeOf(each)}`;
      return (await decisionsOn(store, each)).map((entry) => ({
        ...entry,
        step: `${step}: ${entry.step}`,
        paymentId: each.id,
      }));
    }),
  );
  return [...own, ...theirs.flat()]
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, ...entry }) => ({ at: new Date(atMs).toISOString(), ...entry }));
}

async function followUpsOf(store: Reads, id: string): Promise<readonly PaymentRow[]> {
  const options = { limit: MAX_FOLLOW_UPS };
  const rows = [
    ...(await store.find('payments', 'root', [id], options)),
    ...(await store.find('payments', 'referenced', [id], options)),
  ];
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

async function decisionsOn(store: Reads, payment: PaymentRow): Promise<readonly Decision[]> {
  const intent = await intentOfPayment(store, payment.id);
  const beganAtMs = intent?.createdAtMs ?? payment.createdAtMs;
  const method = methodOf(payment);
  if (payment.state === 'pending') {
    // It has no outcome: what was decided so far stands with its intent.
    const sofar = intent ? (detailOf(intent).decisions ?? []) : [];
    const { resultCode: code } = payment;
    return [...method.map((each) => ({ ...each, atMs: beganAtMs })), ...sofar, waits(code, beganAtMs)];
  }
  const rows = await store.find('decisions', 'payment', [payment.id]);
  return [
    ...method.map((each) => ({ ...each, atMs: beganAtMs })),
    ...rows.map(decisionOf),
    outcomeOf(payment),
  ];
}

function waits(code: string, atMs: number): Decision {
  return { step: 'outcome', by: 'gateway', code, detail: 'pending', atMs };
}

/** The means of payment; none is known of a follow-up without its own card. */
function methodOf({ brand, wallet, numberType, terminalId }: PaymentRow): Omit<Decision, 'atMs'>[] {
  const parts = [brand, wallet, numberType, terminalId === null ? null : `terminal ${terminalId}`];
  const detail = parts.filter((part) => part !== null).join(', ');
  return detail === '' ? [] : [{ step: 'method', by: 'gateway', detail }];
}

/** The word of the acquirer, or of the gateway where it did not ask one. */
function outcomeOf(payment: PaymentRow): Decision {
  const { acquirer, acquirerReference, resultCode: code, responseCode, createdAtMs: atMs } = payment;
  const { extendedDescription, riskScore } = verificationResultsOf(payment);
  const score = riskScore === undefined ? undefined : `risk score ${riskScore}`;
  // A payment that ended at a gate has a reference, and no answer.
  const isAnswered = acquirerReference !== null && responseCode !== null && responseCode !== '';
  return {
    step: isAnswered ? 'acquirer' : 'outcome',
    by: isAnswered ? acquirer : 'gateway',
    code,
    ...present({ rule: isAnswered ? responseCode : undefined, detail: extendedDescription ?? score }),
    atMs,
  };
}
