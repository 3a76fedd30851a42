import { type ExchangeMessage, NO_CURRENCY } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { present } from '@tillbridge/wire/present.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  decideExchange,
  type ExchangeEvent,
  heldAgain,
  isDeclinedStandIn,
  REVERSAL_PAUSES_MS,
  reversalMessage,
} from './decide-exchange.js';
import { type ExchangeRecord, stored } from './exchange-record.js';

const AT = '20261123072200';
const REQUEST: ExchangeMessage = {
  kind: 'financial',
  isAdvice: false,
  isResponse: false,
  isRepeat: false,
  stan: '000001',
  at: AT,
  transaction: 'purchase',
  amount: { minor: 1234, currency: 'EUR' },
  pan: '4200000000000000',
  track2: '4200000000000000=3112',
  pinBlock: '0011223344556677',
  cvv: '123',
  terminalId: 'T1',
};
const SENT: ExchangeRecord = {
  reference: 'r',
  sequence: 0,
  request: stored(REQUEST),
  state: 'sent',
  lateApprovals: 0,
  createdAtMs: 0,
  version: 1,
};
const answer = (responseCode: string): ExchangeMessage => ({ ...REQUEST, isResponse: true, responseCode });
const number = (stan: string) => ({ stan, at: AT, sequence: Number(stan) });
const answered = (record: ExchangeRecord, code: string, stan = '000009') =>
  decideExchange(record, { kind: 'answered', answer: answer(code), number: number(stan), nowMs: 100 });
const unanswered = (record: ExchangeRecord) =>
  decideExchange(record, { kind: 'unanswered', number: number('000002'), nowMs: 100 });
const sent = (record: ExchangeRecord, nowMs = 100) =>
  decideExchange(record, { kind: 'reversal-sent', nowMs });
const acknowledged = (record: ExchangeRecord, stan = '000002', responseCode = '00') =>
  decideExchange(record, {
    kind: 'reversal-answered',
    answer: { ...answer(responseCode), kind: 'reversal', stan },
  });

it('keeps no card data', () => {
  const text = JSON.stringify([SENT, answered(SENT, '00')]);
  for (const secret of ['4200000000000000', '0011223344556677', '"123"']) expect(text).not.toContain(secret);
});

it('takes an amount without a currency for one in that of the request', () => {
  const reply = (minor: number) =>
    decideExchange(SENT, {
      kind: 'answered',
      answer: { ...answer('00'), amount: { minor, currency: NO_CURRENCY } },
      ...{ number: number('000002'), nowMs: 100 },
    });
  expect(reply(1_234)).toMatchObject({ state: 'answered', answer: { amount: REQUEST.amount } });
  expect(reply(1_235).state).toBe('reversing');
});

describe('a trial sale', () => {
  const sealed = { sealed: 'AB', keyId: 'k' };
  const TRIAL: ExchangeRecord = {
    ...SENT,
    purpose: { operation: 'authorization', captureNow: true, isTrial: true },
    sealed,
  };

  it('is reversed in the change that journals its approval, and holds its card until then', () => {
    const approved = answered(TRIAL, '00', '000002');
    expect(approved).toMatchObject({ state: 'reversing', answer: { responseCode: '00' }, sealed });
    expect(reversalMessage(sent(approved))).toMatchObject({ kind: 'reversal', stan: '000002' });
    const over = acknowledged(sent(approved));
    expect(over.state).toBe('reversed');
    expect(over).not.toHaveProperty('sealed');
  });

  it('that the host declines holds no card, and is not reversed', () => {
    const declined = answered(TRIAL, '05');
    expect(declined.state).toBe('answered');
    expect(declined).not.toHaveProperty('sealed');
  });

  it('without an answer holds its card as long as it may have to be reversed again', () => {
    const reversed = acknowledged(sent(unanswered(TRIAL)));
    expect(reversed).toMatchObject({ state: 'reversed', sealed });
    const again = answered(reversed, '00', '000003');
    expect(again).toMatchObject({ state: 'reversing', sealed, reversal: { stan: '000003' } });
    expect(acknowledged(sent(again), '000003')).not.toHaveProperty('sealed');
  });
});

describe('an answer', () => {
  it('in time decides, and a duplicate changes nothing', () => {
    const approved = answered(SENT, '00');
    expect(approved).toMatchObject({ state: 'answered', answer: { responseCode: '00' } });
    expect(answered(approved, '05')).toBe(approved);
    expect(unanswered(approved)).toBe(approved);
  });

  it('that declines late changes nothing', () => {
    const late = sent(unanswered(SENT));
    expect(answered(late, '05')).toBe(late);
    const reversed = acknowledged(late);
    expect(answered(reversed, '05')).toBe(reversed);
  });

  it.each(['08', '11', '16'])('with response code %s approves the whole amount', (code) => {
    expect(answered(SENT, code)).toMatchObject({ state: 'answered', answer: { responseCode: code } });
    expect(answered(sent(unanswered(SENT)), code)).toMatchObject({ state: 'reversing', lateApprovals: 1 });
  });

  it.each<[string, Partial<ExchangeMessage>]>([
    ['no response code', {}],
    ['another amount', { responseCode: '00', amount: { minor: 1235, currency: 'EUR' } }],
    ['another currency', { responseCode: '00', amount: { minor: 1234, currency: 'USD' } }],
    [
      'a part that the request did not allow',
      { responseCode: '10', amount: { minor: 600, currency: 'EUR' } },
    ],
  ])('with %s decides nothing: the request is reversed, and an advice is sent again', (_, values) => {
    const reply = { ...REQUEST, isResponse: true, ...values };
    const event = { kind: 'answered', answer: reply, number: number('000002'), nowMs: 100 } as const;
    expect(decideExchange(SENT, event)).toMatchObject({ state: 'reversing', reversal: { stan: '000002' } });
    const advice = { ...SENT, request: stored({ ...REQUEST, isAdvice: true }) };
    expect(decideExchange(advice, event)).toBe(advice);
    const declined = { ...event, answer: { ...reply, responseCode: '05' } };
    expect(decideExchange(SENT, declined).state).toBe('answered');
  });

  it.each([
    ['all of it', 1234, 'answered'],
    ['a part', 617, 'answered'],
    ['nothing', 0, 'reversing'],
    ['more', 1235, 'reversing'],
    ['no amount', undefined, 'reversing'],
  ])('that approves a part, %s, is taken where that was allowed', (_, minor, state) => {
    const { amount: __, ...bare } = answer('10');
    const reply = { ...bare, ...(minor !== undefined && { amount: { minor, currency: 'EUR' } }) };
    const allowed = { ...SENT, request: stored({ ...REQUEST, partialAllowed: true }) };
    const event = { kind: 'answered', answer: reply, number: number('000002'), nowMs: 100 } as const;
    expect(decideExchange(allowed, event).state).toBe(state);
  });

  it('that approves after another one declined is reversed: the payment is declined', () => {
    const declined = answered(SENT, '91');
    const late = answered(declined, '00', '000003');
    expect(late).toMatchObject({
      state: 'reversing',
      answer: { responseCode: '91' },
      lateApprovals: 1,
      reversal: { stan: '000003', attempts: 0 },
    });
    expect(reversalMessage(late)).toMatchObject({ amount: REQUEST.amount, reasonCode: '4006' });
    const reversed = acknowledged(sent(late), '000003');
    expect(reversed).toMatchObject({ state: 'reversed', answer: { responseCode: '91' } });
  });

  it('that approves before the reversal was sent needs no other reversal', () => {
    expect(answered(unanswered(SENT), '00')).toMatchObject({
      state: 'reversing',
      lateApprovals: 1,
      reversal: { stan: '000002', attempts: 0 },
    });
  });

  it.each(['00', '10'])(
    'that approves (%s) after its reversal is reversed again, under another number',
    (code) => {
      for (const late of [sent(unanswered(SENT)), acknowledged(sent(unanswered(SENT)))]) {
        const again = answered(late, code, '000003');
        expect(again).toMatchObject({
          state: 'reversing',
          lateApprovals: 1,
          reversal: { stan: '000003', attempts: 0 },
        });
        expect(reversalMessage(again)).toMatchObject({ stan: '000003', isRepeat: false });
        // The host acknowledges the first reversal late: that is no answer to the second.
        expect(acknowledged(sent(again), '000002')).toMatchObject({ state: 'reversing' });
        expect(acknowledged(sent(again), '000003')).toMatchObject({ state: 'reversed' });
      }
    },
  );
});

describe('a reversal', () => {
  it('names its original, and repeats carry the flag and the same number', () => {
    const first = unanswered(SENT);
    expect(reversalMessage(first)).toEqual({
      kind: 'reversal',
      isAdvice: true,
      isResponse: false,
      isRepeat: false,
      reasonCode: '4021',
      stan: '000002',
      at: AT,
      transaction: 'purchase',
      amount: { minor: 1234, currency: 'EUR' },
      terminalId: 'T1',
      original: { type: { kind: 'financial', isAdvice: false }, stan: '000001', at: AT },
    });
    expect(reversalMessage(sent(first))).toMatchObject({ stan: '000002', isRepeat: false });
    expect(reversalMessage(sent(sent(first)))).toMatchObject({ stan: '000002', isRepeat: true });
    expect(reversalMessage(SENT)).toBeUndefined();
  });

  it('is sent at once, then after longer and longer pauses, for ever', () => {
    let record = unanswered(SENT);
    expect(record.reversal?.nextAtMs).toBe(100);
    for (const pause of [...REVERSAL_PAUSES_MS, REVERSAL_PAUSES_MS.at(-1) ?? 0]) {
      record = sent(record, 1_000);
      expect(record.reversal?.nextAtMs).toBe(1_000 + pause);
    }
  });

  it('ends only with its acknowledgement', () => {
    const reversing = sent(unanswered(SENT));
    expect(acknowledged(reversing, '000002', '96')).toBe(reversing);
    expect(acknowledged(reversing, '000007')).toBe(reversing);
    const reversed = acknowledged(reversing);
    expect(reversed.state).toBe('reversed');
    expect(unanswered(reversed)).toBe(reversed);
    expect(sent(reversed)).toBe(reversed);
    expect(acknowledged(reversed)).toBe(reversed);
  });

  it('that is wished for takes an approval back, and a decline needs none', () => {
    const wish = (record: ExchangeRecord) =>
      decideExchange(record, {
        kind: 'reverse',
        wanted: { reference: 'v' },
        number: number('000002'),
        nowMs: 5,
      });
    expect(wish(answered(SENT, '00'))).toMatchObject({ state: 'reversing', reversal: { stan: '000002' } });
    expect(reversalMessage(wish(answered(SENT, '00')))).toMatchObject({ reasonCode: '4000' });
    expect(wish(answered(SENT, '05'))).toMatchObject({ state: 'reversed' });
    expect(wish(SENT)).toMatchObject({ state: 'reversing' });
    const reversed = acknowledged(sent(unanswered(SENT)));
    expect(wish(reversed)).toBe(reversed);
  });
});

describe('what the host moved', () => {
  const DAY = { settlementDate: '20261123' };
  const toReversal = (record: ExchangeRecord, stan: string, minor: number, more = {}) =>
    decideExchange(record, {
      kind: 'reversal-answered',
      answer: {
        ...answer('00'),
        kind: 'reversal',
        stan,
        amount: { minor, currency: 'EUR' },
        settlementDate: '20261124',
        ...more,
      },
    });
  const answeredOn = (record: ExchangeRecord, values: Partial<ExchangeMessage>) =>
    decideExchange(record, {
      kind: 'answered',
      answer: { ...answer('00'), ...values },
      number: number('000009'),
      nowMs: 100,
    });

  it('stands on the settlement day of its answer, and on none where the host declines or names no day', () => {
    expect(answeredOn(SENT, DAY).booked).toEqual({ day: 20261123, minor: 1234 });
    const part = { responseCode: '10', amount: { minor: 617, currency: 'EUR' } };
    const allowed = { ...SENT, request: stored({ ...REQUEST, partialAllowed: true }) };
    expect(answeredOn(allowed, { ...DAY, ...part }).booked).toEqual({ day: 20261123, minor: 617 });
    expect(answeredOn(SENT, { ...DAY, responseCode: '05' }).booked).toBeUndefined();
    expect(answeredOn(SENT, {}).booked).toBeUndefined();
    const held = { ...SENT, request: stored({ ...REQUEST, kind: 'authorization' }) };
    expect(answeredOn(held, DAY).booked).toBeUndefined();
  });

  it('and whose answer was lost is known from the answer to its reversal', () => {
    const lost = sent(unanswered(SENT));
    expect(toReversal(lost, '000002', 1234, { captureDate: '20261123' })).toMatchObject({
      booked: { day: 20261123, minor: 1234 },
      reversed: { day: 20261124, minor: 1234 },
    });
    expect(toReversal(lost, '000002', 0).booked).toBeUndefined();
    expect(toReversal(lost, '000002', 1234, { responseCode: '25' }).booked).toBeUndefined();
  });

  it('and gave back by the first of two reversals is known of a late approval', () => {
    const late = answeredOn(sent(unanswered(SENT)), DAY);
    expect(late).toMatchObject({ state: 'reversing', booked: { day: 20261123, minor: 1234 } });
    expect(toReversal(late, '000009', 0)).toMatchObject({
      state: 'reversed',
      reversed: { day: 20261124, minor: 1234 },
    });
  });
});

describe('an answer to a reversal', () => {
  it('before the last one shows on which day the money was given back, and does not end the last one', () => {
    const DAY = { settlementDate: '20261123', amount: { minor: 1234, currency: 'EUR' } } as const;
    const event = { ...answer('00'), ...DAY };
    const late = decideExchange(sent(unanswered(SENT)), {
      ...{ kind: 'answered', answer: event, number: number('000009'), nowMs: 100 },
    });
    const ofReversal = (stan: string, minor: number, settlementDate: string): ExchangeEvent => ({
      kind: 'reversal-answered',
      answer: {
        ...answer('00'),
        ...{ kind: 'reversal', stan, settlementDate, captureDate: '20261123' },
        amount: { minor, currency: 'EUR' },
      },
    });
    const first = decideExchange(late, ofReversal('000002', 1234, '20261123'));
    expect(first).toEqual({ ...late, reversed: { day: 20261123, minor: 1234 } });
    expect(decideExchange(late, ofReversal('000002', 0, '20261123'))).toBe(late);
    expect(decideExchange(sent(first), ofReversal('000009', 0, '20261124'))).toMatchObject({
      state: 'reversed',
      reversed: { day: 20261123, minor: 1234 },
    });
  });

  it('ends it by its number and its time, and by a code of the list', () => {
    const code = fc.nat({ max: 99 }).map((each) => String(each).padStart(2, '0'));
    const answers = fc.record({
      responseCode: fc.oneof(code, fc.constantFrom('00', '21', '25', '94', '91', '12')),
      stan: fc.constantFrom('000002', '000003'),
      at: fc.constantFrom(AT, '20261123072201'),
    });
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 3 }), (values, times) => {
        let reversing = unanswered(SENT);
        for (let time = 0; time < times; time += 1) reversing = sent(reversing);
        const answer = { ...REQUEST, kind: 'reversal', isResponse: true, ...values } as const;
        const next = decideExchange(reversing, { kind: 'reversal-answered', answer });
        const ends = ['00', '21', '25', '94'].includes(values.responseCode);
        const isOfIt = values.stan === '000002' && values.at === AT;
        expect(next.state).toBe(ends && isOfIt ? 'reversed' : 'reversing');
      }),
      propertyRuns(300),
    );
  });
});

describe('an exchange that the host may have carried out without an answer here', () => {
  const doubted = (record: ExchangeRecord) =>
    decideExchange(record, { kind: 'doubted', number: number('000008'), nowMs: 500 });
  let reversed: ExchangeRecord;
  beforeEach(() => {
    reversed = acknowledged(sent(unanswered(SENT)));
  });

  it('is reversed again under a separate number, and ends with what the host gave back', () => {
    const again = doubted(reversed);
    expect(again).toMatchObject({
      state: 'reversing',
      reversal: { stan: '000008', attempts: 0, nextAtMs: 500 },
    });
    expect(reversalMessage(again)).toMatchObject({
      stan: '000008',
      isRepeat: false,
      original: { stan: '000001' },
    });
    const moved = { amount: REQUEST.amount, settlementDate: '20261124', captureDate: '20261123' };
    const answer = {
      ...REQUEST,
      kind: 'reversal',
      isResponse: true,
      responseCode: '00',
      stan: '000008',
    } as const;
    expect(
      decideExchange(sent(again), { kind: 'reversal-answered', answer: { ...answer, ...present(moved) } }),
    ).toMatchObject({
      state: 'reversed',
      booked: { day: 20261123, minor: 1234 },
      reversed: { day: 20261124, minor: 1234 },
    });
  });

  it('is reversed by a repeat first, whose answer states what the reversal has done since', () => {
    const again = decideExchange(reversed, { kind: 'doubted', nowMs: 500 });
    const reversal = { stan: '000002', nextAtMs: 500, againSinceMs: 500 };
    expect(again).toMatchObject({ state: 'reversing', reversal });
    expect(reversalMessage(sent(again))).toMatchObject({ stan: '000002', isRepeat: true });
  });

  it('is booked and reversed where a reversal that was late is answered', () => {
    const lateReversal = (minor: number) =>
      decideExchange(reversed, {
        kind: 'reversal-answered',
        answer: {
          ...answer('00'),
          ...{ kind: 'reversal', stan: '000002', amount: { minor, currency: 'EUR' } },
          ...{ settlementDate: '20261124', captureDate: '20261123' },
        },
      });
    expect(lateReversal(0)).toBe(reversed);
    expect(lateReversal(1234)).toMatchObject({
      state: 'reversed',
      booked: { day: 20261123, minor: 1234 },
      reversed: { day: 20261124, minor: 1234 },
    });
  });

  it.each([
    ['that has an outcome', () => answered(SENT, '00')],
    ['that is being reversed', () => sent(unanswered(SENT))],
    ['whose answer came late', () => acknowledged(answered(sent(unanswered(SENT)), '00'), '000009')],
    [
      'of which the reversal gave something back',
      () => ({ ...reversed, booked: { day: 20261123, minor: 1234 } }),
    ],
    [
      'that was never sent',
      () => ({ reference: 'r', state: 'reversed', lateApprovals: 0, createdAtMs: 0, version: 1 }),
    ],
  ] satisfies readonly (readonly [string, () => ExchangeRecord])[])('is none %s', (_, recordOf) => {
    const record = recordOf();
    expect(doubted(record)).toBe(record);
  });
});

describe('a stand-in', () => {
  const APPROVED_HERE: ExchangeRecord = {
    ...SENT,
    request: stored({ ...REQUEST, isAdvice: true }),
    state: 'advice-pending',
    standIn: { approvalCode: '000001', attempts: 0, nextAtMs: 0 },
    sealed: { keyId: 'k', sealed: '00' },
  };
  const send = (record: ExchangeRecord, nowMs = 100) =>
    decideExchange(record, { kind: 'advice-sent', nowMs });
  const reverse = (record: ExchangeRecord) =>
    decideExchange(record, {
      kind: 'reverse',
      wanted: { reference: 'v' },
      number: number('000003'),
      nowMs: 100,
    });

  it('is repeated until the host answers, and its stored data is deleted then', () => {
    const once = send(APPROVED_HERE);
    expect(once.standIn).toMatchObject({ attempts: 1, nextAtMs: 100 + (REVERSAL_PAUSES_MS[0] ?? 0) });
    expect(answered(once, '91')).toBe(once);
    expect(unanswered(once)).toBe(once);
    const done = answered(once, '00');
    expect(done).toMatchObject({ state: 'answered', answer: { responseCode: '00' } });
    expect(done.sealed).toBeUndefined();
    expect(isDeclinedStandIn(done)).toBe(false);
    const declined = answered(once, '51');
    expect(isDeclinedStandIn(declined)).toBe(true);
    // The issuer takes it in the end: it agrees with the gateway.
    expect(answered(declined, '00')).toMatchObject({ state: 'answered', answer: { responseCode: '00' } });
  });

  it('that was never sent to the host is reversed without a message', () => {
    const reversed = reverse(APPROVED_HERE);
    expect(reversed).toMatchObject({ state: 'reversed', reversal: { reference: 'v', attempts: 0 } });
    expect(reversed.sealed).toBeUndefined();
  });

  it('that may have reached the host is reversed by a message', () => {
    const reversing = reverse(send(APPROVED_HERE));
    expect(reversing.state).toBe('reversing');
    expect(reversing.sealed).toBeUndefined();
    expect(reversalMessage(reversing)).toMatchObject({ kind: 'reversal', amount: REQUEST.amount });
    // Its answer comes late: it is reversed again.
    expect(answered(decideExchange(reversing, { kind: 'reversal-sent', nowMs: 1 }), '00').lateApprovals).toBe(
      1,
    );
  });

  it('whose advice the host may have carried out after its reversal is reversed again', () => {
    const sending = decideExchange(reverse(send(APPROVED_HERE)), { kind: 'reversal-sent', nowMs: 1 });
    const reversed = acknowledged(sending, '000003');
    expect(reversed.state).toBe('reversed');
    const again = decideExchange(reversed, { kind: 'doubted', nowMs: 500 });
    expect(again).toMatchObject({ state: 'reversing', reversal: { stan: '000003', againSinceMs: 500 } });
    const neverSent = reverse(APPROVED_HERE);
    expect(decideExchange(neverSent, { kind: 'doubted', nowMs: 500 })).toBe(neverSent);
  });

  it('that the host declined is reversed without a message', () => {
    expect(reverse(answered(send(APPROVED_HERE), '51'))).toMatchObject({
      state: 'reversed',
      reversal: { reference: 'v' },
    });
  });
});

describe('an approval that comes again', () => {
  const reverse = (record: ExchangeRecord, wanted: object = { reference: 'v' }) =>
    decideExchange(record, { kind: 'reverse', wanted, number: number('000002'), nowMs: 5 });

  it('changes nothing while the first one stands', () => {
    const approved = answered(SENT, '00');
    expect(answered(approved, '00')).toBe(approved);
  });

  it('after its reversal is reversed again as before, with what was to stay', () => {
    const wanted = { reference: 'v', remaining: { minor: 200, currency: 'EUR' } };
    const reversed = acknowledged(sent(reverse(answered(SENT, '00'), wanted)));
    expect(reversed.state).toBe('reversed');
    expect(reversalMessage(reversed)).toBeUndefined();
    expect(answered(reversed, '00', '000003')).toMatchObject({
      state: 'reversing',
      lateApprovals: 1,
      reversal: { ...wanted, stan: '000003' },
    });
  });

  it('after the host had declined a stand-in that was taken back is reversed', () => {
    const declined = {
      ...SENT,
      state: 'answered',
      standIn: { approvalCode: '000001', attempts: 1, nextAtMs: 0 },
      answer: stored(answer('51')),
    } as const;
    const reversed = reverse(declined);
    expect(reversed).toMatchObject({ state: 'reversed', reversal: { attempts: 0 } });
    expect(answered(reversed, '00', '000003')).toMatchObject({ state: 'reversing', lateApprovals: 1 });
  });
});

describe('a hold whose capture was given back', () => {
  const capture = (state: ExchangeRecord['state']): ExchangeRecord => ({
    ...SENT,
    state,
    purpose: { operation: 'capture', originalReference: 'hold' },
  });
  const captureReversed = (record: ExchangeRecord) =>
    decideExchange(record, { kind: 'capture-reversed', number: number('000005'), nowMs: 900 });
  const reversing = unanswered(SENT);

  it('is named by the end of the reversal of the capture alone', () => {
    expect(heldAgain(capture('reversing'), capture('reversed'))).toBe('hold');
    expect(heldAgain(capture('reversing'), capture('reversing'))).toBeUndefined();
    expect(heldAgain(capture('reversed'), capture('reversed'))).toBeUndefined();
    const refund = {
      ...capture('reversed'),
      purpose: { operation: 'refund', originalReference: 'hold' },
    } as const;
    expect(heldAgain({ ...refund, state: 'reversing' }, refund)).toBeUndefined();
  });

  it('is reversed again as before where its reversal was sent, or is over', () => {
    const wanted = { reference: 'of-it', remaining: { minor: 200, currency: 'EUR' } };
    const approved = answered(SENT, '00');
    const open = decideExchange(approved, { kind: 'reverse', wanted, number: number('000002'), nowMs: 100 });
    const again = { stan: '000005', attempts: 0, nextAtMs: 900, ...wanted };
    for (const record of [
      sent(open),
      acknowledged(sent(open)),
      sent(reversing),
      acknowledged(sent(reversing)),
    ]) {
      const next = captureReversed(record);
      expect(next).toMatchObject({ state: 'reversing', reversal: { stan: '000005', attempts: 0 } });
      if (record.answer) expect(next.reversal).toMatchObject(again);
    }
  });

  it('stays as it is where its reversal is still to be sent, was declined, or is not wanted', () => {
    const declined = decideExchange(answered(SENT, '05'), {
      kind: 'reverse',
      wanted: {},
      number: number('000002'),
      nowMs: 100,
    });
    for (const record of [reversing, declined, answered(SENT, '00'), SENT])
      expect(captureReversed(record)).toBe(record);
  });
});

describe('the message of a reversal', () => {
  const values = { approvalCode: '123456', hostData: { '63': 'x' } };
  const approved = () =>
    decideExchange(
      { ...SENT, request: stored({ ...REQUEST, timeZone: 'Europe/Berlin' }) },
      { kind: 'answered', answer: { ...answer('00'), ...values }, number: number('000009'), nowMs: 100 },
    );
  const reverse = (record: ExchangeRecord) =>
    decideExchange(record, {
      kind: 'reverse',
      wanted: { reference: 'v' },
      number: number('000002'),
      nowMs: 5,
    });

  it('repeats what the host has approved by', () => {
    expect(reversalMessage(reverse(approved()))).toMatchObject({ ...values, timeZone: 'Europe/Berlin' });
  });

  it('repeats nothing of a decline', () => {
    const declined = {
      ...approved(),
      state: 'reversing',
      reversal: { stan: '000002', at: AT, attempts: 0, nextAtMs: 0 },
    } as const;
    const message = reversalMessage({ ...declined, answer: stored({ ...answer('51'), ...values }) });
    for (const name of Object.keys(values)) expect(message).not.toHaveProperty(name);
  });
});

describe('what changes nothing', () => {
  const reversing = () => sent(unanswered(SENT));

  it('is a wish for a reversal that is under way', () => {
    const record = reversing();
    const event = {
      kind: 'reverse',
      wanted: { reference: 'v' },
      number: number('000003'),
      nowMs: 5,
    } as const;
    expect(decideExchange(record, event)).toBe(record);
  });

  it('is an advice that was sent when it was answered already', () => {
    const standIn = { approvalCode: '000001', attempts: 1, nextAtMs: 0 };
    const record = { ...answered(SENT, '00'), standIn };
    expect(decideExchange(record, { kind: 'advice-sent', nowMs: 5 })).toBe(record);
    expect(decideExchange(SENT, { kind: 'advice-sent', nowMs: 5 })).toBe(SENT);
  });

  it('is an acknowledgement where nothing is reversed, or of an earlier reversal that states no amount', () => {
    expect(acknowledged(SENT)).toBe(SENT);
    const late = { ...answered(reversing(), '00', '000003'), booked: { day: 20261123, minor: 1234 } };
    const { amount: _, ...withoutAmount } = answer('00');
    const earlier = {
      ...withoutAmount,
      kind: 'reversal',
      stan: '000002',
      settlementDate: '20261124',
    } as const;
    expect(decideExchange(late, { kind: 'reversal-answered', answer: earlier })).toBe(late);
  });

  it('is a decline of what was never sent', () => {
    const { request: _, ...tombstone } = { ...SENT, state: 'reversed' as const };
    const amount = { minor: 1, currency: NO_CURRENCY };
    const event = {
      kind: 'answered',
      answer: { ...answer('51'), amount },
      number: number('000003'),
      nowMs: 5,
    } as const;
    expect(decideExchange(tombstone, event)).toBe(tombstone);
  });
});

it.each([
  ['answered', true, '51', true],
  ['answered', true, '00', false],
  ['answered', false, '51', false],
  ['answered', true, undefined, false],
  ['reversed', true, '51', false],
  ['advice-pending', true, undefined, false],
] as const)(
  'a stand-in that is %s (%s), with the answer %s, was declined: %s',
  (state, isStandIn, code, is) => {
    const standIn = { approvalCode: '000001', attempts: 1, nextAtMs: 0 };
    const record = {
      ...SENT,
      state,
      ...(isStandIn && { standIn }),
      ...(code && { answer: stored(answer(code)) }),
    };
    expect(isDeclinedStandIn(record)).toBe(is);
  },
);
