import { nameOf } from '@tillbridge/gateway/app/ledger-check/difference.js';
import { InvariantCheck } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { ledgerRecord } from '@tillbridge/gateway/core/acquirers/internal/ledger-record.js';
import { isReversed } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import {
  LEDGER_SCHEMA_NAME,
  PostgresLedger,
} from '@tillbridge/gateway/core/acquirers/internal/postgres-ledger.js';
import { findByReference } from '@tillbridge/gateway/core/payments/lookup/find-by-reference.js';
import {
  PostgresStore,
  STORE_SCHEMA_NAME,
} from '@tillbridge/gateway/kernel/store/postgres/postgres-store.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { until } from '../clients/http.js';
import type { ReportedOutcomes } from './reported-outcomes.js';

/** How long the nodes may take to find out what is open after the last fault, in milliseconds. */
const OPEN_MS = 180_000;
const QUIET = { warn: () => undefined, error: () => undefined };

/** Compares the answers to merchants and stores with payments and the acquirer's record, and these with each other. */
export class Audit {
  readonly store: PostgresStore;
  readonly #ledger: PostgresLedger;
  readonly #entityId: string;

  private constructor(store: PostgresStore, ledger: PostgresLedger, entityId: string) {
    this.store = store;
    this.#ledger = ledger;
    this.#entityId = entityId;
  }

  /** Opens what it reads, with this build: a newer one may migrate it later. */
  static async open(url: string, entityId: string): Promise<Audit> {
    const store = await PostgresStore.open({ url, schema: STORE_SCHEMA_NAME });
    const ledger = await PostgresLedger.open({ url, schema: LEDGER_SCHEMA_NAME });
    return new Audit(store, ledger, entityId);
  }

  /** What differs while no payment is under way, in words. */
  async differences(reported: ReportedOutcomes): Promise<readonly string[]> {
    const store = this.store;
    const ledger = this.#ledger;
    const wrong = [...reported.breaches];
    await until('an outcome of every payment', OPEN_MS, async () => {
      const open = await store.find('intents', 'state', ['open'], { limit: 1 });
      return open.length === 0 ? true : undefined;
    });
    const check = new InvariantCheck({ store, records: [ledgerRecord(ledger)], clock, log: QUIET });
    await check.full();
    wrong.push(...check.known.list().map(({ kind, subject }) => `${kind} ${nameOf(subject)}`));
    const charges = (await ledger.all()).filter(
      (row) => row.kind === 'authorization' && row.approved === 1 && !isReversed(row),
    );
    const chargedSales = new Set(charges.map(({ messageId }) => messageId));
    const charged = new Set(charges.map(({ acquirerReference }) => acquirerReference));
    for (const [messageId, outcome] of reported.sales)
      if (chargedSales.has(messageId) !== (outcome === 'approved'))
        wrong.push(`sale ${messageId} was reported as ${outcome}, the acquirer has it otherwise`);
    for (const [reference, outcome] of reported.payments) {
      const found = await findByReference(store, [this.#entityId], reference);
      const references = await Promise.all(
        found.map(async ({ id }) => (await store.get('payments', [id]))?.acquirerReference ?? ''),
      );
      const times = references.filter((each) => charged.has(each)).length;
      if (times !== (outcome === 'approved' ? 1 : 0))
        wrong.push(`${reference} was reported as ${outcome} and charged ${times} times`);
    }
    const approved = [...reported.sales.values(), ...reported.payments.values()].filter(
      (each) => each === 'approved',
    );
    if (charges.length !== approved.length)
      wrong.push(`${charges.length} charges stand, ${approved.length} were reported as approved`);
    return wrong;
  }

  async close(): Promise<void> {
    await this.#ledger.close();
    await this.store.close();
  }
}
