import { describe, expect, test } from 'vitest';
import { decideLedger, type LedgerRequest, type LedgerView } from './ledger.js';
import { isReversed, type LedgerRow } from './ledger-rows.js';

const NOTHING: LedgerView = { tombstoned: false };

function request(overrides: Partial<LedgerRequest> = {}): LedgerRequest {
  return {
    kind: 'authorization',
    acquirerReference: 'a1',
    amount: { minor: 1_000, currency: 'EUR' },
    messageId: null,
    originalReference: null,
    captureNow: false,
    terminalId: '1',
    instrument: null,
    last4Digits: '0000',
    panHash: 'hash',
    giftCard: null,
    parametersHash: 'p1',
    atMs: 0,
    issuer: { responseCode: '00', approvalCode: '123456' },
    ...overrides,
  };
}

/** Requests carried out one after the other on a ledger of their own. */
class Ledger {
  readonly rows = new Map<string, LedgerRow>();
  readonly tombstones = new Set<string>();

  apply(overrides: Partial<LedgerRequest>) {
    const wanted = request({ acquirerReference: `r${this.rows.size}`, ...overrides });
    const original = this.rows.get(wanted.originalReference ?? '');
    let root = original;
    while (root?.originalReference && root.kind !== 'receipt') root = this.rows.get(root.originalReference);
    const existing = this.rows.get(wanted.acquirerReference);
    const decision = decideLedger(wanted, {
      tombstoned: this.tombstones.has(wanted.acquirerReference),
      ...(existing && { existing }),
      ...(original && { original }),
      ...(root && root !== original && { root }),
    });
    for (const row of [...decision.updates, ...(decision.insert ? [decision.insert] : [])])
      this.rows.set(row.acquirerReference, row);
    if (decision.tombstone !== undefined) this.tombstones.add(decision.tombstone);
    return decision.answer.responseCode;
  }

  row(reference: string): LedgerRow {
    const row = this.rows.get(reference);
    if (!row) throw new Error(`no ${reference}`);
    return row;
  }
}

/** A reversal; whatever amount it names is not trusted. */
const reversalOf = (originalReference: string) => ({ kind: 'reversal', originalReference }) as const;
const euros = (minor: number) => ({ amount: { minor, currency: 'EUR' } });

test('the same reference gives the stored answer; with other content it is refused', () => {
  const first = decideLedger(request(), NOTHING);
  expect(first.answer).toEqual({
    approved: true,
    resultCode: '000.100.110',
    responseCode: '00',
    approvalCode: '123456',
  });
  const view = { ...NOTHING, existing: first.insert as LedgerRow };
  const again = decideLedger(request({ issuer: { responseCode: '05' } }), view);
  expect(again).toEqual({ answer: first.answer, updates: [] });
  const other = decideLedger(request({ parametersHash: 'p2' }), view);
  expect(other.answer).toMatchObject({ approved: false, responseCode: '94', resultCode: '800.100.167' });
  expect(other.insert).toBeUndefined();
});

describe('captures and refunds', () => {
  test('stay within what was authorized and captured', () => {
    const ledger = new Ledger();
    expect(ledger.apply({ acquirerReference: 'pa' })).toBe('00');
    expect(ledger.apply({ kind: 'refund', originalReference: 'pa', ...euros(1) })).toBe('13');
    expect(ledger.apply({ kind: 'capture', originalReference: 'pa', ...euros(600) })).toBe('00');
    expect(ledger.apply({ kind: 'capture', originalReference: 'pa', ...euros(401) })).toBe('13');
    expect(ledger.apply({ kind: 'capture', originalReference: 'pa', ...euros(0) })).toBe('13');
    expect(
      ledger.apply({ acquirerReference: 'cp', kind: 'capture', originalReference: 'pa', ...euros(400) }),
    ).toBe('00');
    expect(ledger.apply({ kind: 'refund', originalReference: 'cp', ...euros(999) })).toBe('00');
    expect(ledger.apply({ kind: 'refund', originalReference: 'pa', ...euros(2) })).toBe('13');
    expect(ledger.row('pa')).toMatchObject({ capturedMinor: 1_000, refundedMinor: 999 });
  });

  test('give back a receipt apart from what it follows', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'db', captureNow: true });
    const receipt = { kind: 'receipt', originalReference: 'db' } as const;
    expect(ledger.apply({ acquirerReference: 'rc', ...receipt, ...euros(300) })).toBe('00');
    expect(ledger.apply({ ...receipt, ...euros(0) })).toBe('13');
    expect(ledger.apply({ ...receipt, originalReference: 'never' })).toBe('12');
    expect(
      ledger.apply({ acquirerReference: 'rf', kind: 'refund', originalReference: 'rc', ...euros(300) }),
    ).toBe('00');
    expect(ledger.apply({ kind: 'refund', originalReference: 'rc', ...euros(1) })).toBe('13');
    expect(ledger.row('db')).toMatchObject({ capturedMinor: 1_000, refundedMinor: 0 });
    expect(ledger.apply(reversalOf('rf'))).toBe('00');
    expect(ledger.apply(reversalOf('rc'))).toBe('00');
    expect(ledger.row('rc')).toMatchObject({ capturedMinor: 0, reversedMinor: 300 });
  });

  test('need an approved transaction of the right kind and currency', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'db', captureNow: true });
    ledger.apply({ acquirerReference: 'no', issuer: { responseCode: '51' } });
    expect(ledger.apply({ kind: 'capture', originalReference: 'db' })).toBe('12');
    expect(ledger.apply({ kind: 'capture', originalReference: 'no' })).toBe('12');
    expect(ledger.apply({ kind: 'capture', originalReference: 'never' })).toBe('12');
    const dollars = { amount: { minor: 1, currency: 'USD' } };
    expect(ledger.apply({ kind: 'refund', originalReference: 'db', ...dollars })).toBe('94');
    expect(ledger.row('no')).toMatchObject({ approved: 0, approvalCode: null, resultCode: '800.100.203' });
  });
});

describe('reversals', () => {
  test('reverse an authorization once; again is approved and changes nothing', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'db', captureNow: true });
    expect(ledger.apply({ kind: 'reversal', originalReference: 'db' })).toBe('00');
    expect(isReversed(ledger.row('db'))).toBe(true);
    const before = ledger.row('db');
    expect(ledger.apply({ kind: 'reversal', originalReference: 'db' })).toBe('00');
    expect(ledger.row('db')).toEqual(before);
    expect(ledger.apply({ kind: 'refund', originalReference: 'db', ...euros(1) })).toBe('13');
  });

  test('of an unknown reference refuse it for ever', () => {
    const ledger = new Ledger();
    expect(ledger.apply({ kind: 'reversal', originalReference: 'late' })).toBe('00');
    expect(ledger.apply({ acquirerReference: 'late' })).toBe('12');
    expect(ledger.row('late')).toMatchObject({ approved: 0, approvalCode: null, capturedMinor: 0 });
  });

  test('of a declined one move nothing, and a reversal cannot be reversed', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'no', issuer: { responseCode: '05' } });
    expect(ledger.apply({ acquirerReference: 'rv', kind: 'reversal', originalReference: 'no' })).toBe('00');
    expect(isReversed(ledger.row('no'))).toBe(false);
    expect(ledger.apply({ kind: 'reversal', originalReference: 'rv' })).toBe('12');
  });

  test('of a preauthorization take what no capture took', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'pa' });
    ledger.apply({ kind: 'capture', originalReference: 'pa', ...euros(300) });
    expect(ledger.apply({ acquirerReference: 'rv', ...reversalOf('pa') })).toBe('00');
    expect(ledger.row('rv')).toMatchObject({ amountMinor: 700, currency: 'EUR' });
    expect(ledger.apply({ kind: 'capture', originalReference: 'pa', ...euros(1) })).toBe('13');
    expect(isReversed(ledger.row('pa'))).toBe(false);
  });

  test('of a preauthorization that was captured as a whole are refused', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'pa' });
    ledger.apply({ kind: 'capture', originalReference: 'pa' });
    expect(ledger.apply(reversalOf('pa'))).toBe('12');
    expect(ledger.row('pa')).toMatchObject({ capturedMinor: 1_000, reversedMinor: 0 });
  });

  test.each([
    ['less', 1],
    ['more', 99_999],
    ['nothing', 0],
  ])('reverse the approved part, when they name %s', (_what, minor) => {
    const ledger = new Ledger();
    const issuer = { responseCode: '10', approvedMinor: 617 };
    ledger.apply({ acquirerReference: 'db', captureNow: true, issuer });
    expect(ledger.apply({ acquirerReference: 'rv', ...reversalOf('db'), ...euros(minor) })).toBe('00');
    expect(ledger.row('db')).toMatchObject({ amountMinor: 617, reversedMinor: 617, capturedMinor: 0 });
    expect(ledger.row('rv')).toMatchObject({ amountMinor: 617, currency: 'EUR', approved: 1 });
  });

  test('reverse an incremented authorization, and of an increment what is not captured', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'pa' });
    ledger.apply({ acquirerReference: 'in', kind: 'increment', originalReference: 'pa', ...euros(500) });
    ledger.apply({ kind: 'capture', originalReference: 'pa', ...euros(1_200) });
    expect(ledger.apply({ acquirerReference: 'rv', ...reversalOf('in') })).toBe('00');
    expect(ledger.row('rv')).toMatchObject({ amountMinor: 300 });
    expect(ledger.row('pa')).toMatchObject({ amountMinor: 1_200, capturedMinor: 1_200 });
  });

  test('record no money where there was nothing to reverse', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'rv', ...reversalOf('never') });
    expect(ledger.row('rv')).toMatchObject({ approved: 1, amountMinor: 0, currency: 'XXX' });
  });

  test('are one and the same when they come again with other words', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'db', captureNow: true });
    ledger.apply({ acquirerReference: 'rv', ...reversalOf('db'), parametersHash: 'p1' });
    expect(ledger.apply({ acquirerReference: 'rv', ...reversalOf('db'), parametersHash: 'p2' })).toBe('00');
    expect(ledger.apply({ acquirerReference: 'rv', ...reversalOf('other') })).toBe('94');
  });

  test('of captures and refunds give back what they took', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'pa' });
    ledger.apply({ acquirerReference: 'cp', kind: 'capture', originalReference: 'pa', ...euros(500) });
    ledger.apply({ acquirerReference: 'rf', kind: 'refund', originalReference: 'cp', ...euros(200) });
    expect(ledger.apply(reversalOf('rf'))).toBe('00');
    expect(ledger.apply(reversalOf('cp'))).toBe('00');
    expect(ledger.row('pa')).toMatchObject({ capturedMinor: 0, refundedMinor: 0 });
    expect(isReversed(ledger.row('cp')) && isReversed(ledger.row('rf'))).toBe(true);
  });

  test('of a capture leave what was refunded since', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'pa' });
    ledger.apply({ acquirerReference: 'cp', kind: 'capture', originalReference: 'pa', ...euros(500) });
    ledger.apply({ kind: 'refund', originalReference: 'cp', ...euros(200) });
    expect(ledger.apply(reversalOf('cp'))).toBe('00');
    expect(ledger.row('pa')).toMatchObject({ capturedMinor: 200, refundedMinor: 200 });
    expect(ledger.apply(reversalOf('cp'))).toBe('12');
  });

  test('of a capture are refused where a chargeback has taken of it', () => {
    const ledger = new Ledger();
    ledger.apply({ acquirerReference: 'pa' });
    ledger.apply({ acquirerReference: 'cp', kind: 'capture', originalReference: 'pa', ...euros(500) });
    ledger.apply({ acquirerReference: 'cb', kind: 'chargeback', originalReference: 'pa', ...euros(200) });
    expect(ledger.apply(reversalOf('cp'))).toBe('12');
    expect(ledger.row('pa')).toMatchObject({ capturedMinor: 500, chargedBackMinor: 200 });
    ledger.apply({ kind: 'chargeback-reversal', originalReference: 'cb', ...euros(200) });
    expect(ledger.apply(reversalOf('cp'))).toBe('00');
  });
});

test('a reversal that came before the decision it is of may come again under its reference', () => {
  const ledger = new Ledger();
  ledger.apply({ acquirerReference: 'a1', captureNow: true, issuer: { responseCode: '09' } });
  const reversal = { acquirerReference: 'r1', ...reversalOf('a1') };
  expect(ledger.apply(reversal)).toBe('12');
  ledger.apply({ acquirerReference: 'a1', captureNow: true, completes: true });
  expect(ledger.apply(reversal)).toBe('00');
  expect(isReversed(ledger.row('a1'))).toBe(true);
});
