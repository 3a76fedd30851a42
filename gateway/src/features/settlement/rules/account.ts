import type { FeeSchedule } from './fees.js';

/** How a merchant account is settled, and who stands above it (docs/reconciliation.md). */
export interface SettlementAccount {
  readonly entityId: string;
  readonly entityName: string;
  readonly merchantId: string;
  readonly pspId: string;
  readonly divisionId?: string;
  /** 5 to 64 characters. */
  readonly clearingMerchantId: string;
  /** Null: each payment in its own currency. */
  readonly currency: string | null;
  readonly fees: FeeSchedule;
}
