import { systemClock } from '@tillbridge/platform/system-clock.js';
import { nameOf } from '../../app/ledger-check/difference.js';
import { InvariantCheck } from '../../app/ledger-check/invariant-check.js';
import { PostgresStore, STORE_SCHEMA_NAME } from '../../kernel/store/postgres/postgres-store.js';
import { startNode } from './nodes-harness.test.support.js';
import {
  message,
  openPaymentHarness,
  QUIET,
  tillReversal,
  tillSale,
} from './payment-harness.test.support.js';
import type { GatewayPaymentService } from './service.js';

/** Sales that are on their way at once, each with its reversal. */
const AT_ONCE = 16;

/**
 * Turns of the event loop that a reversal begins before its sale: twice as many and some more after a sale that came first, half of them after one
 * that did not. So either wins sometimes, however fast the machine is.
 */
const LEAD_STEP = 24;
const MOST_LEAD = 20_000;

/** What races of authorizations against their reversals came to. */
interface RaceResult {
  /** Of the sales how many were approved before their reversal came. */
  readonly approvedFirst: number;
  /** Approvals of the acquirer that stand although the till has its reversal. */
  readonly charged: number;
  /** Where payments, stored answers and the acquirer's record differ. */
  readonly differences: readonly string[];
}

/**
 * Sends sales of one agent to one node and the reversal of each to another one at the same moment, on one PostgreSQL database. Whatever the
 * order, the till has its reversal: no cardholder may be charged.
 */
export async function raceReversals(databaseUrl: string, sales: number): Promise<RaceResult> {
  const harness = await openPaymentHarness(() =>
    PostgresStore.open({ url: databaseUrl, schema: STORE_SCHEMA_NAME }),
  );
  const [left, right] = [await startNode(databaseUrl, harness), await startNode(databaseUrl, harness)];
  let approvedFirst = 0;
  let lead = 0;
  const race = async (at: number): Promise<void> => {
    const [one, other] = at % 2 === 0 ? [left, right] : [right, left];
    const reversal = reversed(other.service, `r${at}`, `m${at}`);
    await turns(lead);
    const [sold] = await Promise.all([one.service.authorize(tillSale(`m${at}`, `R-${at}`)), reversal]);
    const isFirst = sold.disposition === 'approved';
    if (isFirst) approvedFirst += 1;
    lead = isFirst ? Math.min(MOST_LEAD, 2 * lead + LEAD_STEP) : lead >> 1;
  };
  try {
    for (let at = 0; at < sales; at += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, sales - at) }, (_, nth) => race(at + nth)));
    const check = new InvariantCheck({
      store: left.store,
      records: [left.acquirer],
      clock: systemClock,
      log: QUIET,
    });
    await check.full();
    const differences = check.known.list().map(({ kind, subject }) => `${kind} ${nameOf(subject)}`);
    const charged = (await left.acquirer.transactions()).filter(
      ({ kind, approved, reversed: isReversed }) => kind === 'authorization' && approved && !isReversed,
    ).length;
    return { approvedFirst, charged, differences };
  } finally {
    await left.close();
    await right.close();
    harness.mayDiffer = true;
    await harness.dispose();
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The till sends its reversal until it is answered, as the agent's journal does. */
async function reversed(
  service: GatewayPaymentService,
  messageId: string,
  originalId: string,
): Promise<void> {
  const request = { ...tillReversal(messageId, originalId), origin: message(messageId) };
  for (;;) {
    try {
      await service.followUp(request);
      return;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TryLaterError') throw error;
    }
  }
}
