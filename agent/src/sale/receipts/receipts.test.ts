import { describe, expect, it } from 'vitest';
import { DISPLAY_TEXTS, DISPLAY_WIDTH, displayText } from '../machine/state/display-texts.js';
import { emvSummary, mergeIccData } from '../machine/state/emv-summary.js';
import type { Fact } from '../machine/state/facts.js';
import {
  AAC,
  APPROVED,
  ARQC,
  AT,
  chipCard,
  DECLINED,
  iccData,
  REQUEST,
  stateOf,
  TC,
} from '../sale.test.support.js';
import { cashierText } from '../service/cashier-texts.js';
import { RECEIPT_WIDTH, receipts } from './receipts.js';

const { facts } = chipCard();
const AMOUNT = { minor: 1_234, currency: 'EUR' };
const emv = emvSummary(iccData(TC, { '8A': '5933', '9F34': '5E0300' }), facts);
const authorizing: Fact = { kind: 'authorizing', messageId: 'm1', card: facts, emv };
const answered: Fact = {
  kind: 'answered',
  late: false,
  answer: { ...APPROVED, approvalCode: '123456', brand: 'VISA' },
};
const approved: Fact = { kind: 'ended', outcome: 'approved', mode: 'online', reason: 'approved' };
const record: Fact = {
  kind: 'offline-record',
  messageId: 'o1',
  approval: 'card-approved',
  card: facts,
  emv,
  decidedAtMs: AT,
  amount: AMOUNT,
};
const offline: Fact = {
  kind: 'ended',
  outcome: 'approved',
  mode: 'offline-card',
  reason: 'approved-offline',
};

describe('receipts', () => {
  it('show what a cardholder and a dispute need, within the paper', () => {
    const printed = receipts(stateOf(REQUEST, authorizing, answered, approved));
    expect(printed?.customer.split('\n').every((line) => line.length <= RECEIPT_WIDTH)).toBe(true);
    expect(printed?.customer).toMatchInlineSnapshot(`
      "         CUSTOMER COPY
                    SALE

      Date     2026-11-20 12:00:00 UTC
      Terminal                      77
      Sequence                       1
      Reference                     R1
      Amount                 EUR 12.34

      Card            ************0119
      Brand                       VISA
      Entry                       chip

      AID               A0000000031010
      Application          VISA CREDIT
      TVR                   0000008000
      TSI                         E800
      ARC                           Y3
      ATC                         0042
      TC              A1B2C3D4E5F60708

                  APPROVED
      Approval code             123456"
    `);
  });

  it('tell the cardholder alone what is left, and both how much cash was handed out', () => {
    const reported = {
      availableBalance: { minor: 50_000, currency: 'EUR' },
      cashBack: { minor: 2_000, currency: 'EUR' },
    };
    const answeredWithBalance = { ...answered, answer: { ...APPROVED, ...reported } } as Fact;
    const { customer = '', merchant = '' } =
      receipts(stateOf(REQUEST, authorizing, answeredWithBalance, approved)) ?? {};
    expect(customer).toMatch(/Cash back +EUR 20\.00\nAvailable balance +EUR 500\.00/);
    expect(merchant).toMatch(/Cash back +EUR 20\.00/);
    expect(merchant).not.toContain('500.00');
    const declined: Fact = {
      kind: 'ended',
      outcome: 'declined',
      mode: 'online',
      reason: 'declined-by-issuer',
    };
    const refused = receipts(stateOf(REQUEST, authorizing, answeredWithBalance, declined));
    expect(refused?.customer).not.toContain('500.00');
  });

  it('say what was paid where a part was approved, and of what', () => {
    const part = { ...answered, answer: { ...APPROVED, amountMinor: 1_000, currency: 'EUR' } } as Fact;
    const { customer = '' } = receipts(stateOf(REQUEST, authorizing, part, approved)) ?? {};
    expect(customer).toMatch(/Amount +EUR 10\.00\nOf a total of +EUR 12\.34/);
  });

  it('bear the approval code of a call, and say that it came by voice', () => {
    const referred: Fact = { ...answered, answer: { ...DECLINED, responseCode: '01' } } as Fact;
    const code = {
      kind: 'voice-authorization',
      messageId: 'v1',
      originalMessageId: 'm1',
      approvalCode: 'AB12',
      amount: AMOUNT,
    } as const;
    const byVoice: Fact = { kind: 'ended', outcome: 'approved', mode: 'online', reason: 'approved-by-voice' };
    const { merchant = '' } = receipts(stateOf(REQUEST, authorizing, referred, code, byVoice)) ?? {};
    expect(merchant).toMatch(/APPROVED\n +VOICE AUTHORIZATION\nApproval code +AB12/);
  });

  it('ask for a signature on the merchant copy where the card wants one', () => {
    const printed = receipts(stateOf(REQUEST, authorizing, answered, approved));
    expect(printed?.merchant).toContain('Signature');
    expect(printed?.merchant).toContain('Payment');
    expect(printed?.customer).not.toContain('Signature');
  });

  it('say that an offline approval is subject to authorization, without an approval code', () => {
    const printed = receipts(stateOf(REQUEST, record, offline));
    for (const text of [printed?.customer, printed?.merchant]) {
      expect(text).toContain('OFFLINE');
      expect(text).toContain('SUBJECT TO AUTHORIZATION');
      expect(text).toMatch(/ARC +Y3/);
      expect(text).not.toContain('Approval code');
    }
  });

  const deferred: readonly Fact[] = [
    { ...record, approval: 'deferred', emv: emvSummary(iccData(ARQC), facts) } as Fact,
    { kind: 'ended', outcome: 'approved', mode: 'offline-deferred', reason: 'approved-deferred' },
  ];
  const word = (answer: typeof APPROVED): Fact => ({ kind: 'acknowledged', messageId: 'o1', answer });
  const coded = { ...APPROVED, approvalCode: '123456' };
  const later: Fact = {
    kind: 'ended',
    outcome: 'declined',
    mode: 'offline-card',
    reason: 'declined-later',
  };
  const expired: Fact = {
    kind: 'ended',
    outcome: 'expired',
    mode: 'offline-card',
    reason: 'expired-offline',
  };

  it('never call a deferred sale approved before it is, and bear no approval code', () => {
    const printed = receipts(stateOf(REQUEST, ...deferred));
    expect(
      printed?.customer
        .split('\n\n')
        .at(-1)
        ?.split('\n')
        .map((line) => line.trim()),
    ).toEqual(['TAKEN OFFLINE', 'NOT AUTHORIZED', 'SUBJECT TO AUTHORIZATION']);
    expect(printed?.merchant).toContain('THE MERCHANT CARRIES THE RISK');
    expect(printed?.customer).not.toMatch(/APPROVED|Approval code|RISK/);
    expect(printed?.customer).toMatch(/ARQC +A1B2C3D4E5F60708/);
  });

  it.each([
    ['deferred', deferred],
    ['card-approved', [record, offline]],
  ] as const)('say when a %s sale was authorized after all, with the code', (_kind, facts) => {
    const printed = receipts(stateOf(REQUEST, ...facts, word(coded)));
    expect(printed?.customer).toContain('TAKEN OFFLINE, AUTHORIZED LATER');
    expect(printed?.customer).toMatch(/Approval code +123456/);
    expect(printed?.customer).not.toContain('SUBJECT TO');
  });

  it('tell the cashier that an offline sale is sure by now, and that one waited too long', () => {
    const text = (...more: readonly Fact[]) => cashierText(stateOf(REQUEST, record, offline, ...more));
    expect(text()).toBe('Approved offline by the card; subject to authorization.');
    expect(text(word(coded))).toBe('Approved offline by the card; authorized since.');
    expect(text({ kind: 'too-old' })).toContain('do not count on the money');
    expect(cashierText(stateOf(REQUEST, ...deferred, word(coded)))).toBe(
      'Taken offline without authorization; authorized since.',
    );
  });

  const declinedLater = (mode: 'offline-card' | 'offline-deferred'): Extract<Fact, { kind: 'ended' }> => ({
    kind: 'ended',
    outcome: 'declined',
    mode,
    reason: 'declined-later',
  });

  it('never say that a deferred sale was approved, also when it is declined or too old', () => {
    const expired: Fact = {
      ...declinedLater('offline-deferred'),
      outcome: 'expired',
      reason: 'expired-offline',
    };
    for (const end of [declinedLater('offline-deferred'), expired]) {
      const text = cashierText(stateOf(REQUEST, ...deferred, word(DECLINED), end));
      expect(text).toMatch(/^Taken offline/);
      expect(text).not.toMatch(/approved/i);
      expect(text).toContain('no money was received');
    }
    const byCard = cashierText(
      stateOf(REQUEST, record, offline, word(DECLINED), declinedLater('offline-card')),
    );
    expect(byCard).toContain('Approved offline, but DECLINED later');
  });

  it.each([
    ['declined later', [word(DECLINED), later], 'DECLINED LATER'],
    ['expired', [{ kind: 'too-old' }, word(DECLINED), expired], 'EXPIRED'],
  ] as const)('say that a sale taken offline was %s, and not paid', (_what, facts, title) => {
    const printed = receipts(stateOf(REQUEST, record, offline, ...(facts as readonly Fact[])));
    for (const text of [printed?.customer, printed?.merchant]) {
      expect(text).toContain(title);
      expect(text).toContain('TAKEN OFFLINE, NOT PAID');
      expect(text).not.toMatch(/APPROVED|Approval code|Signature/);
    }
  });

  it('say that a record waited too long, while the last word is out', () => {
    const printed = receipts(stateOf(REQUEST, record, offline, { kind: 'too-old' }));
    expect(printed?.customer).toContain('NOT FORWARDED IN TIME');
    expect(printed?.customer.split('\n').every((line) => line.length <= RECEIPT_WIDTH)).toBe(true);
  });

  it('are not printed before the end, nor without a card', () => {
    expect(receipts(stateOf(REQUEST, authorizing, answered))).toBeUndefined();
    expect(
      receipts(stateOf(REQUEST, { kind: 'ended', outcome: 'cancelled', mode: null, reason: 'card-timeout' })),
    ).toBeUndefined();
  });

  it('say declined without an approval code', () => {
    const declined: Fact = {
      kind: 'ended',
      outcome: 'declined',
      mode: 'online',
      reason: 'declined-by-issuer',
    };
    const text = receipts(
      stateOf(REQUEST, authorizing, { ...answered, answer: DECLINED } as Fact, declined),
    )?.customer;
    expect(text).toContain('DECLINED');
    expect(text).not.toContain('Approval code');
  });
});

describe('cashier texts', () => {
  it('name no issuer that was not reached', () => {
    const answer = { disposition: 'declined', resultCode: '900.100.301' } as const;
    const end: Fact = { kind: 'ended', outcome: 'declined', mode: 'online', reason: 'declined-by-issuer' };
    const text = cashierText(stateOf(REQUEST, authorizing, { kind: 'answered', late: false, answer }, end));
    expect(text).toBe('The issuer could not be reached. The card was NOT charged; it is safe to try again.');
  });

  it('speak of a refund as of money that was not given back', () => {
    const declined: Fact = {
      kind: 'ended',
      outcome: 'declined',
      mode: 'online',
      reason: 'refused-by-gateway',
    };
    const text = cashierText(stateOf({ ...REQUEST, type: 'refund' }, authorizing, declined));
    expect(text).toBe('Refused by the gateway. NOTHING was given back; it is safe to try again.');
    expect(cashierText(stateOf(REQUEST, authorizing, declined))).toContain(
      'The card was NOT charged; it is safe',
    );
  });

  it('promise a safe second try only where no money can have moved', () => {
    const safe = (...more: readonly Fact[]) =>
      cashierText(stateOf(REQUEST, authorizing, ...more)).includes('safe to try again');
    const unknown: Fact = { kind: 'unknown', reason: 'no-answer' };
    const reversal: Fact = {
      kind: 'reversal',
      messageId: 'r1',
      originalMessageId: 'm1',
      reason: 'no-answer',
      otherwise: 'failed',
      amount: AMOUNT,
    };
    expect(safe(unknown)).toBe(false);
    expect(safe(unknown, reversal)).toBe(false);
    expect(safe(unknown, reversal, { kind: 'parked', messageId: 'r1', code: 'x', text: 'y' })).toBe(false);
    expect(
      safe(unknown, reversal, { kind: 'ended', outcome: 'reversed', mode: null, reason: 'no-answer' }),
    ).toBe(true);
    expect(safe(answered, approved)).toBe(false);
  });

  it('fit the smallest display, also with an amount', () => {
    for (const text of Object.values(DISPLAY_TEXTS)) expect(text.length).toBeLessThanOrEqual(DISPLAY_WIDTH);
    const part = (minor: number) => displayText('approved-in-part', { minor, currency: 'EUR' });
    expect(part(1_000)).toBe('ONLY EUR 10.00');
    expect(part(100_000)).toBe('ONLY EUR 1000.00');
    expect(part(1_000_000)).toBe('PARTLY APPROVED');
  });
});

describe('EMV summary', () => {
  it('reads the receipt fields and names the cryptogram', () => {
    expect(emvSummary(iccData(AAC, { '84': 'A0000000041010' }))).toEqual({
      aid: 'A0000000041010',
      tvr: '0000008000',
      tsi: 'E800',
      ac: 'A1B2C3D4E5F60708',
      acType: 'AAC',
      atc: '0042',
      cvm: '1F0302',
    });
    expect(emvSummary(Buffer.from('9F26FF', 'hex'), facts)).toEqual({
      aid: 'A0000000031010',
      label: 'VISA CREDIT',
    });
  });

  it('lets the final data replace the first, and keeps what only the first had', () => {
    const merged = mergeIccData(iccData(ARQC, { '5F34': '01' }), iccData(TC, { '8A': '5933' }));
    expect(emvSummary(merged)).toMatchObject({ acType: 'TC', arc: 'Y3' });
    expect(Buffer.from(merged).toString('hex')).toContain('5f340101');
    expect(
      Buffer.from(merged)
        .toString('hex')
        .match(/9f2701/g),
    ).toHaveLength(1);
  });
});
