import { toHex } from '@tillbridge/wire/bytes.js';
import { AUC, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { type Bit, bit, hasBit } from '@tillbridge/wire/emv/bits.js';
import { numericOf, type TransactionData } from './transaction-data.js';

/** Transaction types of tag 9C that these rules distinguish (ISO 8583 processing code). */
const CASH = 0x01;
const CASHBACK = 0x09;
/** Tag 9F35 ends in 4, 5 or 6 for an unattended terminal; with cash in 9F40 that is an ATM (EMV Book 4 Annex A1). */
const CASH_CAPABILITY = bit(1, 8, 'Cash');

/** Version, usage and dates of the application against terminal and transaction (EMV Book 3 §10.4). */
export function applyProcessingRestrictions(data: TransactionData, versions: readonly string[]): void {
  const version = data.get('9F08');
  if (version !== undefined && !versions.includes(toHex(version)))
    data.markTvr(
      TVR.differentApplicationVersions,
      `the card has ${toHex(version)}, the terminal ${versions.join(', ')}`,
    );
  if (!usageAllowed(data))
    data.markTvr(TVR.serviceNotAllowed, 'the usage control of the card (9F07) does not allow it here');
  const today = dateOf(data.get('9A'));
  const effective = data.get('5F25');
  if (effective !== undefined && dateOf(effective) > today)
    data.markTvr(TVR.applicationNotYetEffective, `valid from ${toHex(effective)} (YYMMDD)`);
  const expiry = data.get('5F24');
  if (dateOf(expiry) < today)
    data.markTvr(TVR.expiredApplication, `expired on ${toHex(expiry ?? Buffer.alloc(0))} (YYMMDD)`);
}

/** YYMMDD as a number with its century: 50 to 99 are 19xx (EMV Book 4 §6.7.3). */
function dateOf(value: Uint8Array | undefined): number {
  const date = numericOf(value);
  return date + (date >= 500_000 ? 19_000_000 : 20_000_000);
}

function usageAllowed(data: TransactionData): boolean {
  const auc = data.get('9F07');
  if (auc === undefined) return true;
  const unattended = [4, 5, 6].includes(numericOf(data.get('9F35')) % 10);
  const atm = unattended && hasBit(data.get('9F40') ?? Buffer.alloc(5), CASH_CAPABILITY);
  if (!hasBit(auc, atm ? AUC.atms : AUC.otherThanAtms)) return false;
  const issuerCountry = data.get('5F28');
  if (issuerCountry === undefined) return true;
  const domestic = numericOf(issuerCountry) === numericOf(data.get('9F1A'));
  return usageBits(data.get('9C')?.[0] ?? 0, domestic).every((any) => any.some((bit) => hasBit(auc, bit)));
}

/** One bit of each group must be set. */
function usageBits(transactionType: number, domestic: boolean): Bit[][] {
  const goodsOrServices = domestic
    ? [AUC.domesticGoods, AUC.domesticServices]
    : [AUC.internationalGoods, AUC.internationalServices];
  if (transactionType === CASH) return [[domestic ? AUC.domesticCash : AUC.internationalCash]];
  if (transactionType !== CASHBACK) return [goodsOrServices];
  return [goodsOrServices, [domestic ? AUC.domesticCashback : AUC.internationalCashback]];
}
