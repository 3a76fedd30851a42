import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { isCurrency } from '@tillbridge/wire/payment/currency-codes.js';
import { auditOf } from '../../kernel/audit/audit.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { newId } from '../../kernel/store/new-id.js';
import type { EntityRow, SettlementAccountRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { SettlementAccount } from './rules/account.js';
import { type FeeSchedule, STANDARD_FEES } from './rules/fees.js';
import { type AccountDeps, SettlementAccounts } from './settlement-accounts.js';

/** What an operator sets of an account; absent: it stays. Null: as for everybody. */
interface AccountChange {
  readonly aboveId?: string | null;
  readonly clearingMerchantId?: string | null;
  readonly currency?: string | null;
  readonly fees?: FeeSchedule | null;
  readonly ftpPassword?: string | null;
}

/** Makes a PSP, or a division of one: the owner of merchants in reconciliation (docs/reconciliation.md). @throws OperatorError */
export async function createOrganisation(
  { store, clock, random }: AccountDeps,
  { name, pspId }: { readonly name: string; readonly pspId?: string },
): Promise<EntityRow> {
  if (pspId !== undefined && (await store.get('entities', [pspId]))?.kind !== 'psp')
    throw new OperatorError(`there is no PSP ${pspId}: "entity list" shows them`);
  const row: EntityRow = {
    id: newId(random),
    kind: pspId === undefined ? 'psp' : 'division',
    parentId: pspId ?? null,
    name,
    compatibility: 'specification',
    createdAtMs: clock.nowMs(),
    version: 1,
  };
  await store.commit([{ op: 'insert', table: 'entities', row }]);
  return row;
}

/** How a merchant is settled. @throws OperatorError for what is no merchant */
export async function accountOf(deps: AccountDeps, merchantId: string): Promise<SettlementAccount> {
  await requireMerchant(deps.store, merchantId);
  const account = await new SettlementAccounts(deps).of(merchantId);
  if (!account) throw new OperatorError(`there is no merchant ${merchantId}`);
  return account;
}

/** Changes how a merchant is settled, with a record of who did; counts from the next settlement on. @throws OperatorError for what cannot be */
export async function setAccount(
  deps: AccountDeps & { readonly actor: string },
  merchantId: string,
  change: AccountChange,
): Promise<void> {
  const { store, actor } = deps;
  await requireMerchant(store, merchantId);
  const { aboveId, clearingMerchantId, currency } = change;
  if (aboveId != null && !['psp', 'division'].includes((await store.get('entities', [aboveId]))?.kind ?? ''))
    throw new OperatorError(`there is no PSP or division ${aboveId}: "entity list" shows them`);
  if (clearingMerchantId != null && !/^[\x21-\x7e]{5,64}$/.test(clearingMerchantId))
    throw new OperatorError(
      'the number at the clearing institute has 5 to 64 printable characters, no blanks',
    );
  if (currency != null && !isCurrency(currency))
    throw new OperatorError(`${currency} is no currency: an ISO 4217 code such as EUR, in capital letters`);
  const stored = await store.get('settlementAccounts', [merchantId]);
  const { fees, ...same } = change;
  const row: SettlementAccountRow = {
    ...(stored ?? EMPTY),
    entityId: merchantId,
    ...same,
    ...(fees !== undefined && { fees: fees === null ? null : JSON.stringify(fees) }),
  };
  const { ftpPassword, ...shown } = change;
  const isFtp = ftpPassword !== undefined;
  const action = `settlement ${isFtp ? 'ftp-account' : 'account'}`;
  const detail = isFtp ? { removed: ftpPassword === null } : shown;
  await store.commit([
    { op: stored ? 'update' : 'insert', table: 'settlementAccounts', row },
    auditOf(deps, { actor, action, subject: merchantId, detail }),
  ]);
}

const EMPTY: Omit<SettlementAccountRow, 'entityId'> = {
  aboveId: null,
  clearingMerchantId: null,
  currency: null,
  fees: null,
  ftpPassword: null,
  version: 1,
};

/** Largest fee, in minor units. */
const MAX_FEE = 1_000_000;
/** The whole amount. */
const MAX_BASIS_POINTS = 10_000;

const fee = (description: string, preset: number) =>
  wholeNumber(0, MAX_FEE, { description, default: preset });
const FEES = section(
  {
    basisPoints: wholeNumber(0, MAX_BASIS_POINTS, {
      description: 'Of each debit.',
      default: STANDARD_FEES.basisPoints,
    }),
    fixedMinor: fee('Of each debit.', STANDARD_FEES.fixedMinor),
    perOperation: section(
      {
        AUTH_FEE: fee('Of each authorization.', STANDARD_FEES.perOperation.AUTH_FEE),
        CAPTURE_FEE: fee('Of each capture.', STANDARD_FEES.perOperation.CAPTURE_FEE),
        CANCEL_FEE: fee('Of each reversal.', STANDARD_FEES.perOperation.CANCEL_FEE),
        REFUND_FEE: fee('Of each refund.', STANDARD_FEES.perOperation.REFUND_FEE),
      },
      { expected: 'an object of fees', default: {} },
    ),
  },
  { expected: 'an object with basisPoints, fixedMinor or perOperation' },
);

/** Reads fees out of JSON, what is left out as it is for everybody. @throws OperatorError naming what is wrong */
export const readFees: (json: string, file?: string) => FeeSchedule = jsonReader(
  FEES,
  'the schedule of fees',
  (reason) => new OperatorError(reason),
);

async function requireMerchant(store: Pick<Store, 'get'>, id: string): Promise<void> {
  const entity = await store.get('entities', [id]);
  if (entity?.kind !== 'merchant') throw new OperatorError(`${id} is no merchant: "entity list" shows them`);
}
