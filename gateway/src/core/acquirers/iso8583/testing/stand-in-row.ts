import { StoreLinkJournal } from '../journal/store-link-journal.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';

/** A sale that the gateway approved by itself. */
function standInRecord(
  owner: { readonly entityId: string; readonly paymentId: string },
  values: Partial<ExchangeRecord> & Pick<ExchangeRecord, 'reference'> & { readonly sequence: number },
): ExchangeRecord {
  return {
    request: {
      ...{ kind: 'financial', isAdvice: true, isResponse: false, isRepeat: false },
      ...{ stan: String(values.sequence).padStart(6, '0'), at: '20261123072200', terminalId: 'T1' },
      amount: { minor: 1_234, currency: 'EUR' },
    },
    purpose: { operation: 'authorization', captureNow: true, card: 'fingerprint' },
    standIn: { ...owner, approvalCode: '000001', attempts: 0, nextAtMs: 5_000 },
    state: 'advice-pending',
    lateApprovals: 0,
    createdAtMs: 1_000,
    version: 1,
    ...values,
  };
}

/** Journals a sale that the gateway approved by itself. */
export async function insertStandIn(
  store: ConstructorParameters<typeof StoreLinkJournal>[0]['store'],
  ...values: Parameters<typeof standInRecord>
): Promise<void> {
  await new StoreLinkJournal({ store, acquirer: 'EXTERNAL' }).begin(standInRecord(...values));
}
