import type { ActionCodes } from '@tillbridge/wire/emv/action-analysis.js';

/** What a terminal knows for one AID. */
export interface ApplicationParameters {
  /** Hex, 5 to 16 bytes; also selects longer names of the card (partial match). */
  readonly aid: string;
  /** Terminal objects by tag: 9F1A, 5F2A, 5F36, 9F15, 9F16, 9F1C, 9F33, 9F35, 9F40, 9F53. */
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** Application version numbers that the terminal accepts, tag 9F09, hex; the first is its own. */
  readonly versions: readonly string[];
  readonly actionCodes: ActionCodes;
}

/** Inputs of terminal risk management, amounts in minor units (EMV Book 3 §10.6). */
export interface RiskInputs {
  readonly floorLimitMinor: number;
  readonly thresholdMinor: number;
  readonly targetPercent: number;
  readonly maxTargetPercent: number;
}

/** Floor limit zero and no random selection: every sale goes online. */
export const ALWAYS_ONLINE: RiskInputs = {
  floorLimitMinor: 0,
  thresholdMinor: 0,
  targetPercent: 0,
  maxTargetPercent: 0,
};

/** The transaction as the host describes it. */
export interface TransactionInputs {
  readonly amountMinor: number;
  readonly cashbackMinor: number;
  /** `YYMMDD`. */
  readonly date: string;
  /** `HHMMSS`. */
  readonly time: string;
  /** ISO 8583 processing code, first two digits (tag 9C). */
  readonly transactionType: number;
  /** ISO 4217 numeric, three digits; the table's currency where the host names none. */
  readonly currency?: string;
  /** Tag 9F41. */
  readonly sequenceNumber: number;
}
