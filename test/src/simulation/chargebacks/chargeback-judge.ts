import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import type { MadeChargeback } from './cardholders.js';

/** Minor units by currency. */
type Sums = ReadonlyMap<string, number>;

/** Chargebacks that the acquirer has made and the gateway has not booked yet. */
export async function unbooked(
  made: readonly MadeChargeback[],
  store: Pick<MemoryStore, 'findAfter'>,
): Promise<readonly MadeChargeback[]> {
  const booked = new Set(
    (await allRows(store, 'payments')).map(({ acquirerReference }) => acquirerReference),
  );
  return made.filter(({ isDone, reference }) => isDone && !booked.has(reference));
}

/** P2: what the acquirer took back or gave again is one payment of the gateway, with its amount; what it refused is none. */
export async function checkChargebacks(
  made: readonly MadeChargeback[],
  store: Pick<MemoryStore, 'findAfter'>,
  breach: (text: string) => void,
): Promise<void> {
  const payments = await allRows(store, 'payments');
  for (const { kind, reference, amount, isDone } of made) {
    const own = payments.filter(({ acquirerReference }) => acquirerReference === reference);
    const type = kind === 'chargeback' ? 'CB' : 'CR';
    const isRight = own.every(
      (row) => row.type === type && row.amountMinor === amount.minor && row.currency === amount.currency,
    );
    if (own.length !== (isDone ? 1 : 0) || !isRight)
      breach(
        `${kind} of ${amount.minor} ${amount.currency} was ${isDone ? 'made' : 'refused'}, and is booked as ` +
          (own.map((row) => `${row.type} of ${row.amountMinor} ${row.currency}`).join(', ') || 'nothing'),
      );
  }
}

/** What chargebacks add to what a merchant has: less what they took, with what it won back. */
export function withChargebacks(sums: Sums, made: readonly MadeChargeback[]): Sums {
  const all = new Map(sums);
  for (const { kind, amount, isDone } of made) {
    const sign = kind === 'chargeback' ? -1 : 1;
    if (isDone) all.set(amount.currency, (all.get(amount.currency) ?? 0) + sign * amount.minor);
  }
  return all;
}
