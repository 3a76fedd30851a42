import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { AcquirerChargeback } from '../../acquirers/acquirer.js';
import { type ChargebackVerdict, decideChargeback, isChargeback, isOfChargeback } from './chargeback.js';
import { BEGINNING } from './drafts.js';

const DAY_MS = 86_400_000;
const PAID = {
  ...BEGINNING,
  id: 'debit',
  type: 'DB',
  state: 'captured',
  amountMinor: 1_000,
  authorizedMinor: 1_000,
  capturedMinor: 1_000,
  rootId: null,
  vaultId: 'card',
  acquirer: 'internal',
  echo: '{}',
  createdAtMs: 10 * DAY_MS,
} as PaymentRow;
const REPORTED: AcquirerChargeback = {
  kind: 'chargeback',
  reference: 'first',
  originalReference: 'debit',
  reason: '10.4',
  atMs: 11 * DAY_MS,
  amountMinor: 400,
};
interface Ledger {
  readonly target: PaymentRow;
  readonly root: PaymentRow;
  readonly booked: readonly PaymentRow[];
}
const LEDGER: Ledger = { target: PAID, root: PAID, booked: [] };

/** Id of the payment that a report becomes. */
const idOf = (reference: string) => Buffer.from(reference).toString('hex');

function decide(ledger: Ledger, reported: Partial<AcquirerChargeback> = {}, mode: 'test' | 'live' = 'test') {
  const whole = { ...REPORTED, ...reported };
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `${idOf(whole.reference)}${ids > 1 ? ids : ''}`;
  };
  return decideChargeback({ ...ledger, mode }, whole, newId);
}

function bookedOf(verdict: ChargebackVerdict) {
  if (verdict.kind !== 'booked') throw new Error(`not booked: ${JSON.stringify(verdict)}`);
  return verdict;
}

/** The ledger with what a verdict wrote. */
function after({ target, root, booked }: Ledger, { payment, changed }: ReturnType<typeof bookedOf>): Ledger {
  const latest = (row: PaymentRow) => changed.find(({ id }) => id === row.id) ?? row;
  return { target: latest(target), root: latest(root), booked: [...booked.map(latest), payment] };
}

describe('a chargeback', () => {
  it('becomes a separate payment without the card, and is taken from the payment', () => {
    const { payment, changed } = bookedOf(decide(LEDGER));
    expect(payment).toMatchObject({
      id: idOf('first'),
      type: 'CB',
      state: 'completed',
      amountMinor: 400,
      referencedId: 'debit',
      rootId: 'debit',
      vaultId: null,
      acquirer: 'internal',
      acquirerReference: 'first',
      responseCode: '10.4',
      resultCode: '000.100.220',
      createdAtMs: 11 * DAY_MS,
    });
    expect(changed).toEqual([{ ...PAID, chargedBackMinor: 400 }]);
  });

  it('names the source that reported it', () => {
    expect(bookedOf(decide(LEDGER, { source: 'file' })).payment.acquirer).toBe('file');
  });

  it('waits while a request on the payment runs, unless it is booked or took nothing', () => {
    const locked = { ...LEDGER, root: { ...PAID, lockedBy: 'refund' } };
    expect(decide(locked)).toEqual({ kind: 'later' });
    expect(decide(locked, { amountMinor: 0 })).toEqual({ kind: 'nothing' });
    const { payment } = bookedOf(decide(LEDGER));
    expect(decide({ ...locked, booked: [payment] })).toEqual({ kind: 'known', payment });
  });

  it('counts its window from the due date where that is later than the payment', () => {
    const window = { reason: 'MS03', atMs: 0 };
    const lastMs = (ledger: Ledger) => {
      for (let day = 0; day < 1_000; day += 1)
        if (decide(ledger, { ...window, atMs: PAID.createdAtMs + day * DAY_MS }).kind === 'refused')
          return day - 1;
      return Number.NaN;
    };
    const due = (date: string): Ledger => {
      const row = { ...PAID, echo: JSON.stringify({ transactionDueDate: date }) };
      return { ...LEDGER, target: row, root: row };
    };
    expect(lastMs(due('1970-01-16'))).toBe(lastMs(LEDGER) + 5);
    expect(lastMs(due('1970-01-02'))).toBe(lastMs(LEDGER));
    const late = { ...window, atMs: PAID.createdAtMs + (lastMs(LEDGER) + 1) * DAY_MS };
    expect(decide(LEDGER, late)).toEqual({ kind: 'refused', why: 'too-late' });
  });

  it('is given back with the code of the mode', () => {
    const ledger = after(LEDGER, bookedOf(decide(LEDGER)));
    const reversal = { kind: 'chargeback-reversal', reference: 'back', chargeback: 'first' } as const;
    const { payment } = bookedOf(decide(ledger, reversal));
    expect(payment).toMatchObject({ type: 'CR', referencedId: idOf('first'), resultCode: '000.100.110' });
    expect(bookedOf(decide(ledger, reversal, 'live')).payment.resultCode).toBe('000.000.000');
  });
});

describe('the reversal of a chargeback that was not booked', () => {
  // At the acquirer the refund came after both; here it came first, and left too little.
  const refunded = { ...PAID, refundedMinor: 800 };
  const ledger = { ...LEDGER, target: refunded, root: refunded };
  const reversal = { kind: 'chargeback-reversal', reference: 'back', chargeback: 'first' } as const;

  it('ledger both, which take nothing together', () => {
    expect(decide(ledger)).toEqual({ kind: 'refused', why: 'exceeds' });
    const { payment, chargeback, changed } = bookedOf(decide(ledger, reversal));
    expect(chargeback).toMatchObject({
      type: 'CB',
      state: 'reversed',
      amountMinor: 400,
      acquirerReference: 'first',
      referencedId: 'debit',
      resultCode: '000.100.220',
    });
    expect(payment).toMatchObject({
      type: 'CR',
      amountMinor: 400,
      acquirerReference: 'back',
      referencedId: chargeback?.id,
    });
    expect(payment.id).not.toBe(chargeback?.id);
    expect(changed).toEqual([refunded]);
    const booked = [chargeback, payment].filter((row) => row !== undefined);
    expect(decide({ ...ledger, booked })).toEqual({ kind: 'known', payment: chargeback });
    expect(decide({ ...ledger, booked }, reversal)).toEqual({ kind: 'known', payment });
  });

  it.each([
    ['of more than was ever captured', { amountMinor: 1_001 }],
    ['that names no chargeback', { chargeback: '' }],
  ])('is refused %s', (_what, more) => {
    expect(decide(ledger, { ...reversal, ...more })).toEqual({ kind: 'refused', why: 'no-chargeback' });
  });
});

/** One report: of a chargeback of the debit or of one of its captures, or of the reversal of an earlier report. */
const report = fc.record({
  kind: fc.constantFrom('chargeback', 'chargeback', 'chargeback-reversal'),
  /** `exact`: all that is left, or of a reversal what the chargeback took. */
  minor: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.constant('exact' as const)),
  capture: fc.constantFrom(undefined, 0, 1),
  of: fc.nat(2),
  isAgain: fc.boolean(),
});

it('any reports take no more than was captured and not refunded, of each capture too, and give back what one took', () => {
  const ledger = fc.record({
    captured: fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 0, max: 600 })),
    refunded: fc.tuple(fc.nat(300), fc.nat(300)),
    reports: fc.array(report, { maxLength: 12 }),
  });
  fc.assert(
    fc.property(ledger, ({ captured, refunded, reports }) => {
      const parts = captured.map((capturedMinor, n): PaymentRow => {
        const refundedMinor = Math.min(refunded[n] ?? 0, capturedMinor);
        return { ...PAID, id: `capture-${n}`, rootId: 'debit', type: 'CP', capturedMinor, refundedMinor };
      });
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const total = sum(captured);
      const given = sum(parts.map(({ refundedMinor }) => refundedMinor));
      let root: PaymentRow = { ...PAID, authorizedMinor: total, capturedMinor: total, refundedMinor: given };
      let booked: readonly PaymentRow[] = [];
      /** The reference: what each report took, of which part, and whether it was given back. */
      const taken = new Map<string, { part: number | undefined; minor: number; isBack: boolean }>();
      const standing = (part?: number) =>
        sum(
          [...taken.values()]
            .filter((each) => !each.isBack && (part === undefined || each.part === part))
            .map(({ minor }) => minor),
        );
      for (const [n, { kind, minor, capture, of, isAgain }] of reports.entries()) {
        const earlier = [...taken.keys()][of];
        const one = earlier === undefined ? undefined : taken.get(earlier);
        const isBack = kind === 'chargeback-reversal';
        const part = isBack ? one?.part : capture;
        const target = part === undefined ? root : (parts[part] ?? root);
        const reference = !isBack && isAgain && earlier !== undefined ? earlier : `report-${n}`;
        const left = Math.min(
          total - given - standing(),
          part === undefined ? total : target.capturedMinor - target.refundedMinor - standing(part),
        );
        const amountMinor = minor === 'exact' ? (isBack ? (one?.minor ?? 1) : left) : minor;
        const verdict = decide(
          { target, root, booked },
          {
            kind: kind as AcquirerChargeback['kind'],
            reference,
            amountMinor,
            ...(earlier && { chargeback: earlier }),
          },
        );
        if (reference === earlier) expect(verdict.kind).toBe('known');
        else if (amountMinor === 0) expect(verdict.kind).toBe('nothing');
        else if (isBack)
          expect(verdict.kind).toBe(one && !one.isBack && one.minor === amountMinor ? 'booked' : 'refused');
        else expect(verdict.kind).toBe(amountMinor <= left ? 'booked' : 'refused');
        if (verdict.kind !== 'booked') continue;
        if (isBack && one) one.isBack = true;
        else taken.set(reference, { part, minor: amountMinor, isBack: false });
        const latest = (row: PaymentRow) => verdict.changed.find(({ id }) => id === row.id) ?? row;
        root = latest(root);
        for (const [at, row] of parts.entries()) parts[at] = latest(row);
        booked = [...booked.map(latest), verdict.payment];
        expect(root.chargedBackMinor).toBe(standing());
        for (const [at, row] of parts.entries()) expect(row.chargedBackMinor).toBe(standing(at));
        expect(booked.filter((row) => isChargeback(row) && row.state !== 'reversed')).toHaveLength(
          [...taken.values()].filter((each) => !each.isBack).length,
        );
      }
    }),
    propertyRuns(150),
  );
});

it('distinguishes chargebacks and their reversals from other payments', () => {
  const types = ['CB', 'CR', 'RF', 'DB'] as const;
  expect(types.filter((type) => isOfChargeback({ type }))).toEqual(['CB', 'CR']);
});

it('takes together with its reversal a chargeback of all that was captured, and of no more', () => {
  const reversal = { kind: 'chargeback-reversal', chargeback: 'before' } as const;
  const capture = { ...PAID, id: 'capture', capturedMinor: 600 };
  const both = (amountMinor: number, target: PaymentRow = PAID) =>
    decide({ ...LEDGER, target }, { ...reversal, amountMinor }).kind;
  expect([both(1_000), both(1_001)]).toEqual(['booked', 'refused']);
  expect([both(600, capture), both(601, capture)]).toEqual(['booked', 'refused']);
});
