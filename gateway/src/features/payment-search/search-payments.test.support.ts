import { shortId } from '@tillbridge/wire/payment/short-id.js';
import { BEGINNING, NO_CARD } from '../../core/payments/rules/drafts.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

export const ENTITY = 'e'.repeat(32);
export const OTHER_ENTITY = 'f'.repeat(32);

/** What a payment of these tests has; a number that no other has. */
type Given = Partial<Omit<PaymentRow, 'version'>> & {
  readonly number?: number;
  readonly email?: string | undefined;
};

/** A payment with the least that its row needs. */
export function paymentOf({
  number = 0,
  email,
  ...given
}: Given & { readonly atMs?: number; readonly lateMs?: number }): PaymentRow {
  const { atMs: _at, lateMs: _late, ...columns } = given;
  const id = (number + 1).toString(16).padStart(32, '0');
  return {
    ...BEGINNING,
    ...NO_CARD,
    ...{ referencedId: null, rootId: null, maxCaptures: null, vaultId: null, acquirerReference: null },
    ...{
      captureReference: null,
      agentId: null,
      messageId: null,
      terminalId: null,
      reference: null,
      offline: null,
    },
    ...{
      id,
      shortId: shortId(id),
      entityId: ENTITY,
      type: 'DB',
      state: 'captured',
      amountMinor: 100,
      currency: 'EUR',
    },
    ...{ resultCode: '000.100.110', description: '', responseCode: '00', acquirer: 'INTERNAL' },
    ...{ echo: JSON.stringify(email === undefined ? {} : { customer: { email } }), createdAtMs: 0 },
    ...columns,
    version: 1,
  } as PaymentRow;
}

/** Stores the entities whose payments these are. */
export async function makeEntities(store: Pick<Store, 'commit'>): Promise<void> {
  for (const id of [ENTITY, OTHER_ENTITY])
    await store.commit([
      {
        op: 'insert',
        table: 'entities',
        row: {
          ...{ id, kind: 'merchant', parentId: null, name: id },
          ...{ compatibility: 'specification', createdAtMs: 1, version: 1 },
        },
      },
    ]);
}
