import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { parseAmount, smallestShown } from '@tillbridge/wire/payment/money.js';
import { parse } from 'csv-parse/sync';
import type { RecordEntry } from '../../core/acquirers/acquirer.js';
import { Chargebacks } from '../../core/payments/chargebacks/chargebacks.js';
import {
  followUp,
  MASTERCARD_DECLINED,
  type PaymentHarness,
  restPayment,
} from '../../core/payments/payment-harness.test.support.js';
import type { FollowUpType } from '../../core/payments/rules/requests.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { newId } from '../../kernel/store/new-id.js';
import { CSV_HEADERS } from './rules/columns.js';
import type { SettlementDeps } from './service.js';

/** Numbers that a seed makes: the same seed, the same life. */
function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** The parts of settlement on a harness, and its folder of files. */
export function settlementParts(
  harness: PaymentHarness,
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-files-')),
) {
  const { store, clock, record, context, alerts } = harness;
  const chargebacks = new Chargebacks({ feed: record, context, alerts });
  const deps: SettlementDeps = {
    store,
    clock,
    record,
    random,
    folder,
    bookChargebacks: () => chargebacks.round(),
    alerts,
  };
  return { ...deps, chargebacks };
}

const DECLINED = { number: MASTERCARD_DECLINED, expiryMonth: '12', expiryYear: '2031', cvv: '123' };
const CURRENCIES = ['EUR', 'USD', 'GBP'] as const;

/** Payments with captures, refunds, reversals, chargebacks and what gives them back, each from the seed. */
export async function liveThrough(
  harness: PaymentHarness,
  {
    seed,
    payments,
    settle,
    currencies = CURRENCIES,
  }: {
    readonly seed: number;
    readonly payments: number;
    readonly settle: () => Promise<unknown>;
    readonly currencies?: readonly string[];
  },
): Promise<void> {
  const below = seeded(seed);
  const { service, record } = harness;
  for (let count = 0; count < payments; count += 1) {
    const currency = currencies[below(currencies.length)] ?? 'EUR';
    const unit = smallestShown(currency);
    const units = 100 + below(100_000);
    const isHeld = below(3) === 0;
    const { paymentId = '' } = await service.authorize(
      restPayment({
        type: isHeld ? 'PA' : 'DB',
        amount: { minor: units * unit, currency },
        ...(below(20) === 0 && { card: DECLINED }),
      }),
    );
    const follow = (type: FollowUpType, of: string, part?: number) =>
      service.followUp({
        ...followUp(type, of),
        ...(part !== undefined && { amount: { minor: part * unit, currency } }),
      });
    if (isHeld) {
      const part = 1 + below(units);
      if (below(8) > 0) await follow('CP', paymentId, part);
      if (below(2) > 0) await follow('CP', paymentId, 1 + below(units));
    }
    if (below(5) === 0) await follow('RF', paymentId, 1 + below(units));
    if (below(10) === 0) await follow('RV', paymentId);
    if (below(8) === 0) await chargeBack(harness, paymentId, below);
    await harness.clock.advance(1_000);
    // Settlements in the middle of it: some lives are cut in two.
    if (below(Math.ceil(payments / 4)) === 0) await settle();
  }
  await record.chargebacksAfter(undefined, 1);
}

async function chargeBack(
  { store, record }: PaymentHarness,
  paymentId: string,
  below: (limit: number) => number,
): Promise<void> {
  const payment = await store.get('payments', [paymentId]);
  if (!payment?.acquirerReference) return;
  const { currency, amountMinor } = payment;
  const reference = newId(random);
  const unit = smallestShown(currency);
  const amount = { minor: (1 + below(amountMinor / unit)) * unit, currency };
  const originalReference = payment.acquirerReference;
  const isDone = await record.chargeBack({
    kind: 'chargeback',
    reference,
    originalReference,
    amount,
    reason: '10.4',
  });
  if (!isDone || below(2) === 0) return;
  const back = {
    kind: 'chargeback-reversal',
    reference: newId(random),
    originalReference: reference,
  } as const;
  await record.chargeBack({ ...back, amount, reason: '10.4' });
}

/** The merchants' money by a ledger, by currency in minor units: taken, refunded, charged back and paid out. */
export async function ledgerSums(record: PaymentHarness['record']): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for (let position = 0; ; ) {
    const page = await record.entriesAfter(position, 1_000);
    for (const { entry } of page) sums.set(entry.currency, (sums.get(entry.currency) ?? 0) + heldOf(entry));
    const last = page.at(-1);
    if (!last) return sums;
    position = last.position;
  }
}

function heldOf(entry: RecordEntry): number {
  if (!entry.approved) return 0;
  if (entry.kind === 'credit') return entry.reversedMinor - entry.amountMinor;
  const isRoot = entry.kind === 'authorization' || entry.kind === 'advice' || entry.kind === 'receipt';
  return isRoot ? entry.capturedMinor - entry.refundedMinor - entry.chargedBackMinor : 0;
}

type Sums = ReadonlyMap<string, number>;

/** What files say that merchants have, by currency in minor units: fees are another thing. */
export function fileSums(folder: string, names: readonly string[]): Sums {
  const sums = new Map<string, number>();
  for (const name of names) {
    const [head = '', ...rows] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
    if (head !== CSV_HEADERS.join(';')) throw new Error(`${name} begins with ${head}`);
    for (const row of rows) {
      // No value of these lives has a quote or a semicolon in it.
      const values = row.split(';');
      const of = (header: string): string => values[CSV_HEADERS.indexOf(header)] ?? '';
      if (values.length !== CSV_HEADERS.length) throw new Error(`${name}: ${row}`);
      if (of('ReconciliationType') === 'FEE') continue;
      const { minor, currency } = parseAmount(of('Amount'), of('Currency'));
      sums.set(currency, (sums.get(currency) ?? 0) + minor * (of('Cashflow') === 'POS' ? 1 : -1));
    }
  }
  return sums;
}

/** A row of a file, by its headings. */
export function fileRows(folder: string, name: string): readonly Readonly<Record<string, string>>[] {
  return parse(readFileSync(join(folder, name)), { delimiter: ';', columns: true }) as Record<
    string,
    string
  >[];
}

/** What the reports say of the same: credits less debits of all settlements, and the fees among the debits added again. */
export async function reportSums({ store }: Pick<PaymentHarness, 'store'>): Promise<Sums> {
  const sums = new Map<string, number>();
  const add = (currency: string, minor: number): void =>
    void sums.set(currency, (sums.get(currency) ?? 0) + minor);
  for (const { currency, creditMinor, debitMinor } of await allRows(store, 'settlements'))
    add(currency, creditMinor - debitMinor);
  for (const { recordType, settlementCurrency, settlementMinor } of await allRows(store, 'settlementRecords'))
    if (recordType === 'FEE') add(settlementCurrency, settlementMinor);
  return sums;
}

/** What differs among sums; empty when they agree to the cent. */
export function differencesOf(ledger: Sums, others: Readonly<Record<string, Sums>>): readonly string[] {
  return Object.entries(others).flatMap(([name, sums]) =>
    [...new Set([...ledger.keys(), ...sums.keys()])]
      .filter((currency) => (ledger.get(currency) ?? 0) !== (sums.get(currency) ?? 0))
      .map(
        (currency) => `${name}: ${sums.get(currency)} ${currency}, the ledger has ${ledger.get(currency)}`,
      ),
  );
}
