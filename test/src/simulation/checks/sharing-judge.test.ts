import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import { CSV_HEADERS } from '@tillbridge/gateway/features/settlement/rules/columns.js';
import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { describe, expect, it } from 'vitest';
import type { SharedRequest, SharedRequests } from '../sharing/shared-request.js';
import { linesOf } from './file-lines.js';
import { fileSums } from './settlement-check.js';
import { checkShared, differencesOf, reportedSums } from './sharing-judge.js';

let requests = 0;

function request(
  kind: SharedRequest['kind'],
  minor: number,
  about: Partial<SharedRequest> = {},
): SharedRequest {
  requests += 1;
  return {
    reference: `S-${requests}`,
    kind,
    amount: { minor, currency: 'KWD' },
    outcome: 'approved',
    ...about,
  };
}

/** The findings of the judge about requests whose payments the store and the ledger hold as given. */
async function judged(
  shared: Partial<SharedRequests>,
  payments: readonly {
    readonly reference: string;
    readonly state: string;
    readonly approved: 0 | 1;
    readonly reversedMinor?: number;
  }[],
): Promise<readonly string[]> {
  const breaches: string[] = [];
  const known = payments.map(({ reference, state }, at) => ({
    reference,
    state,
    acquirerReference: `r${at}`,
  }));
  const find = async (_table: string, _index: string, [, reference]: readonly unknown[]) =>
    known.filter((each) => each.reference === reference) as unknown as PaymentRow[];
  const store = Object.assign(new MemoryStore(), { find });
  const rows = payments.map(
    ({ approved, reversedMinor = 0 }, at) =>
      ({ acquirerReference: `r${at}`, approved, amountMinor: 1, reversedMinor }) as LedgerRow,
  );
  await checkShared({ entityId: 'e', requests: [], cards: [], ...shared }, store, rows, {
    breach: (_promise, detail) => void breaches.push(detail),
  });
  return breaches;
}

describe('requests that came at once', () => {
  it('end as their merchant was answered, each with one payment', async () => {
    const paid = request('payment', 100);
    const { reference } = paid;
    const captured = { reference, state: 'captured', approved: 1 } as const;
    expect(await judged({ requests: [paid] }, [captured])).toEqual([]);
    expect(await judged({ requests: [paid] }, [])).toEqual([
      `${reference} was reported as approved, and the gateway knows nothing of it`,
    ]);
    expect(await judged({ requests: [paid] }, [captured, captured])).toEqual([`${reference} has 2 payments`]);
    expect(await judged({ requests: [{ ...paid, outcome: 'declined' }] }, [captured])).toHaveLength(1);
    expect(await judged({ requests: [paid] }, [{ ...captured, approved: 0 }])).toHaveLength(1);
    expect(await judged({ requests: [{ ...paid, outcome: 'absent' }] }, [])).toEqual([]);
    const takenBack = { reference, state: 'declined', approved: 1, reversedMinor: 1 } as const;
    expect(await judged({ requests: [{ ...paid, outcome: 'declined' }] }, [takenBack])).toEqual([]);
  });

  it('begin an agreement with one card', async () => {
    const first = (pan: string, outcome: SharedRequest['outcome']) =>
      request('payment', 1, { agreement: { id: 'A', pan }, outcome: outcome ?? 'approved' });
    const of = async (...requests: SharedRequest[]) =>
      judged(
        { requests },
        requests.map(({ reference, outcome }) =>
          outcome === 'approved'
            ? ({ reference, state: 'captured', approved: 1 } as const)
            : ({ reference, state: 'declined', approved: 0 } as const),
        ),
      );
    expect(await of(first('1', 'approved'), first('1', 'approved'), first('2', 'declined'))).toEqual([]);
    expect(await of(first('1', 'approved'), first('2', 'approved'))).toHaveLength(1);
  });

  it('store a card of a customer once', async () => {
    const cards = [{ pan: '1', customerId: 'c', ids: ['a', 'b'] }];
    expect(await judged({ cards }, [])).toContain('a card of c was reported as 2 registrations');
  });
});

describe('what a merchant was answered that it has', () => {
  it('is what was taken, less what was given back', () => {
    const [paid, hold, given] = [request('payment', 1_000), request('hold', 900), request('payment', 500)];
    const requests = [
      ...[paid, hold, given, request('payment', 7_000, { outcome: 'declined' })],
      ...[request('refund', 300, { of: paid }), request('refund', 100, { of: given })],
      ...[request('capture', 200, { of: hold }), request('capture', 800, { of: hold, outcome: 'declined' })],
      ...[request('reversal', 500, { of: given }), request('reversal', 900, { of: hold })],
    ];
    expect(reportedSums(requests)).toEqual(new Map([['KWD', 900]]));
  });

  it('differs from others by currency', () => {
    const reported = new Map([['KWD', 900]]);
    expect(differencesOf(reported, { 'the ledger': new Map([['KWD', 900]]) })).toEqual([]);
    expect(differencesOf(reported, { 'the ledger': new Map([['JPY', 1]]) })).toHaveLength(2);
  });

  it('stands in files with two digits, whatever its currency has', () => {
    const line = (values: Readonly<Record<string, string>>): string =>
      CSV_HEADERS.map((header) => values[header] ?? '').join(';');
    const text = [
      CSV_HEADERS.join(';'),
      line({ Currency: 'KWD', Amount: '1.20', Cashflow: 'POS' }),
      line({ Currency: 'JPY', Amount: '700.00', Cashflow: 'POS' }),
      line({ Currency: 'JPY', Amount: '200.00', Cashflow: 'NEG' }),
      line({ Currency: 'JPY', Amount: '9.00', Cashflow: 'NEG', ReconciliationType: 'FEE' }),
    ].join('\n');
    expect(fileSums(linesOf([`${text}\n`]))).toEqual(
      new Map([
        ['KWD', 1_200],
        ['JPY', 500],
      ]),
    );
  });
});
