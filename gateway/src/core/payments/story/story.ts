import type { PaymentRow } from '../../../kernel/store/rows.js';
import { detailOf } from '../rules/intent-detail.js';
import { paymentTypeOf } from '../rules/lifecycle-facts.js';
import { afterEntries } from './after-entries.js';
import { agentEntries, clocksOf, latestReports } from './agent-entries.js';
import type { StoryEntry } from './entry.js';
import { ofFamily } from './family.js';
import { gapsOf, type StoryGap } from './gaps.js';
import { gatewayEntries } from './gateway-entries.js';
import { moneyOf, type PaymentTree, type ShownMoney, treesOf } from './money.js';
import { type ClockOffsets, inCausalOrder } from './order.js';
import type { StorySources } from './sources.js';

/** What happened to a payment: money first, then causes in their order, and what is missing. */
export interface Story {
  readonly paymentId: string;
  readonly money: ShownMoney;
  readonly trees: readonly PaymentTree[];
  readonly entries: readonly StoryEntry[];
  readonly gaps: readonly StoryGap[];
  readonly clocks: ClockOffsets;
}

/**
 * Makes the story of a payment of what the gateway has. Each record of the family is in it once; rows of another payment are left out. Pure: the
 * same rows in any order give the same story.
 * @returns undefined where the rows hold no payment of this id
 */
export function storyOf(all: StorySources, nowMs: number): Story | undefined {
  const payment = paymentOf(all);
  if (!payment) return undefined;
  const sources = ofFamily(all, payment.entityId);
  const root = sources.payments.find(({ id }) => id === payment.rootId) ?? payment;
  const reports = latestReports(sources);
  const clocks = clocksOf(reports);
  const entries = [
    ...gatewayEntries(sources),
    ...agentEntries(sources, reports),
    ...afterEntries(sources),
  ].map((entry) => withFollowUp(entry, payment, sources));
  return {
    paymentId: payment.id,
    money: moneyOf(payment, root, nowMs),
    trees: treesOf(sources.payments, sources.intents),
    entries: inCausalOrder(entries, clocks),
    gaps: gapsOf(sources, reports, nowMs),
    clocks,
  };
}

function paymentOf({ paymentId, payments, intents }: StorySources): PaymentRow | undefined {
  const stored = payments.find(({ id }) => id === paymentId);
  if (stored) return stored;
  const intent = intents.find((each) => each.paymentId === paymentId);
  return intent && detailOf(intent).draft;
}

/** What was decided on a payment that followed names it in its step. */
function withFollowUp(entry: StoryEntry, payment: PaymentRow, { payments }: StorySources): StoryEntry {
  const { paymentId, step } = entry;
  if (paymentId === undefined || paymentId === payment.id) return entry;
  const other = payments.find(({ id }) => id === paymentId);
  return other ? { ...entry, step: `follow-up ${paymentTypeOf(other)}: ${step}` } : entry;
}
