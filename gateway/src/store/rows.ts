import type { RowOf } from '@tillbridge/protocol/platform/sqlite/table.js';
import type { TABLES, TableName } from './tables.js';

export type { TableName } from './tables.js';

/** The row of every table by name: what its columns (tables.ts) say. */
export type Rows = { readonly [T in TableName]: RowOf<(typeof TABLES)[T]> };

export type EntityRow = Rows['entities'];
export type StorePolicyRow = Rows['storePolicies'];
export type TokenRow = Rows['tokens'];
export type AuditRow = Rows['audit'];
export type AgentRow = Rows['agents'];
export type EnrolmentCodeRow = Rows['enrolmentCodes'];
export type IntentRow = Rows['intents'];
export type PaymentRow = Rows['payments'];
export type ClaimRow = Rows['claims'];
export type InboxRow = Rows['inbox'];
export type OfflineWindowRow = Rows['offlineWindows'];
export type JournalHeadRow = Rows['journalHeads'];
export type ParkedRow = Rows['parked'];
export type DeviceRow = Rows['devices'];
export type UsedKsnRow = Rows['usedKsns'];
export type AccountFailuresRow = Rows['accountFailures'];
export type UsedAtcRow = Rows['usedAtcs'];
export type CartPaymentRow = Rows['cartPayments'];
export type SellerPartRow = Rows['sellerParts'];
export type DecisionRow = Rows['decisions'];
export type ReviewDecisionRow = Rows['reviewDecisions'];
export type AgreementRow = Rows['agreements'];
export type UsedWalletTokenRow = Rows['usedWalletTokens'];
export type WalletKeyRow = Rows['walletKeys'];
export type WalletRootRow = Rows['walletRoots'];
export type AlertRow = Rows['alerts'];
export type EventRow = Rows['events'];
export type WebhookEndpointRow = Rows['webhookEndpoints'];
export type DeliveryRow = Rows['deliveries'];
export type SettlementAccountRow = Rows['settlementAccounts'];
export type SettlementRow = Rows['settlements'];
export type SettlementRecordRow = Rows['settlementRecords'];
export type SettlementCursorRow = Rows['settlementCursors'];
export type SettlementRunRow = Rows['settlementRuns'];
export type ReconciliationFileRow = Rows['reconciliationFiles'];
export type DataKeyRow = Rows['dataKeys'];
export type VaultRow = Rows['vault'];
export type WaitRow = Rows['waits'];
export type AuthenticationRow = Rows['authentications'];
export type IdempotencyRow = Rows['idempotency'];
export type CheckoutRow = Rows['checkouts'];
