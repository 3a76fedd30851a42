import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { Change } from '../../../kernel/store/store.js';
import { type AcquirerRequest, AcquirerUnreachableError } from '../../acquirers/acquirer.js';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  followUp,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  VISA,
} from '../payment-harness.test.support.js';

const APPROVED = '000.100.110';
const RISK_REFUSED = '100.400.020';

describe.each(ENGINES)('a PA.CP on the %s engine', (engine) => {
  let disk: FailingStore;
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(async (home) => {
      disk = new FailingStore(await storeOf(engine)(home));
      return disk;
    });
  });
  afterEach(() => harness.dispose());

  const pay = (more: Parameters<typeof restPayment>[0] = {}) =>
    harness.service.authorize(restPayment({ type: 'PA.CP', risk: {}, ...more }));
  const code = async (...request: Parameters<typeof followUp>) =>
    (await harness.service.followUp(followUp(...request))).resultCode;
  const row = (paymentId: string | undefined) => harness.service.find(paymentId ?? '', ENTITY);
  /** Kind, amount and whether it stands, of every approved transaction. */
  const record = async () =>
    (await harness.transactions())
      .filter(({ approved }) => approved)
      .map(({ kind, amount, reversed }) => `${kind} ${amount}${reversed ? ' reversed' : ''}`);
  /** The line breaks at the next request of a kind, before or after the acquirer has seen it. */
  const breakAt = (kind: AcquirerRequest['kind'], when: 'before' | 'after') => {
    const send = harness.line.send.bind(harness.line);
    harness.line.send = async (request) => {
      if (request.kind !== kind) return send(request);
      if (when === 'after') await send(request);
      throw new AcquirerUnreachableError('the line is cut');
    };
    return () => {
      harness.line.send = send;
    };
  };
  const pendingId = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TryLaterError);
    return (error as TryLaterError).paymentId ?? '';
  };

  it('authorizes, looks at the risk, captures', async () => {
    const paid = await pay();
    expect(paid).toMatchObject({ disposition: 'approved', resultCode: APPROVED });
    expect(await row(paid.paymentId)).toMatchObject({
      type: 'PA',
      state: 'captured',
      authorizedMinor: 1_234,
      capturedMinor: 1_234,
      captureCount: 1,
      capturesClosed: 1,
      answer: expect.stringContaining('"riskScore":0'),
    });
    expect(harness.line.sent.map(({ kind }) => kind)).toEqual(['authorization', 'capture']);
    expect(harness.line.sent.filter((request) => 'captureNow' in request)).toEqual([]);
    expect(await record()).toEqual(['authorization 12.34', 'capture 12.34']);
  });

  it('captures where no risk is looked at, too', async () => {
    const { paymentId } = await harness.service.authorize(restPayment({ type: 'PA.CP' }));
    expect(await row(paymentId)).toMatchObject({ capturedMinor: 1_234 });
    expect(await record()).toContain('capture 12.34');
  });

  it('is captured whole: nothing is left to capture, all can be given back', async () => {
    const { paymentId } = await pay();
    expect(await code('CP', paymentId, 1)).toBe('700.400.100');
    expect(await code('INCREMENTAL_AUTH', paymentId, 1)).toBe('700.300.300');
    expect(await code('RF', paymentId, 1_235)).toBe('700.400.200');
    expect(await code('RF', paymentId, 1_000)).toBe(APPROVED);
    expect(await code('RV', paymentId)).toBe('700.400.300');
    expect(await code('RF', paymentId, 234)).toBe(APPROVED);
    expect(await record()).toEqual(['authorization 12.34', 'capture 12.34', 'refund 10.00', 'refund 2.34']);
  });

  it('is reversed whole: the capture and what held the money', async () => {
    const { paymentId } = await pay();
    expect(await code('RV', paymentId)).toBe(APPROVED);
    expect(await row(paymentId)).toMatchObject({ state: 'reversed', capturedMinor: 0, reversedMinor: 1_234 });
    expect(await code('RV', paymentId)).toBe('700.400.300');
    expect(await code('RF', paymentId, 1)).toBe('700.400.200');
    expect(await record()).toEqual([
      'authorization 12.34 reversed',
      'capture 12.34 reversed',
      'reversal 12.34',
      'reversal 12.34',
    ]);
  });

  it.each([
    ['the CVV', { card: { number: VISA, expiryMonth: '12', expiryYear: '2031', cvv: '000' } }],
    ['a score that a test requests', { risk: { forcedScore: 100 } }],
  ])('ends where the risk check refuses it for %s, and gives the money free', async (_, more) => {
    const refused = await pay(more);
    expect(refused).toMatchObject({ disposition: 'declined', resultCode: RISK_REFUSED });
    expect(refused).not.toHaveProperty('approvalCode');
    expect(await row(refused.paymentId)).toMatchObject({ state: 'declined', authorizedMinor: 0 });
    expect(await record()).toEqual(['authorization 12.34 reversed', 'reversal 12.34']);
  });

  it('gives the money free when the acquirer will not capture', async () => {
    const send = harness.line.send.bind(harness.line);
    harness.line.send = async (request) =>
      request.kind === 'capture'
        ? { approved: false, responseCode: '05', resultCode: '800.100.152' }
        : send(request);
    const refused = await pay();
    expect(refused).toMatchObject({ disposition: 'declined', resultCode: '800.100.152' });
    expect(await record()).toEqual(['authorization 12.34 reversed', 'reversal 12.34']);
  });

  it('requests no capture where the authorization is declined', async () => {
    const card = { number: '5200000000001013', expiryMonth: '12', expiryYear: '2031' };
    expect((await pay({ card })).resultCode).toBe('800.100.203');
    expect(harness.line.sent).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'is finished by the resolver when the line breaks %s its capture, and taken once',
    async (when) => {
      const mend = breakAt('capture', when);
      const paymentId = await pendingId(pay());
      expect((await row(paymentId))?.state).toBe('pending');
      expect(await code('RV', paymentId)).toBe('700.400.570');
      mend();
      harness.restart();
      expect(await harness.service.resolveOpen()).toBe(0);
      expect(await row(paymentId)).toMatchObject({ state: 'captured', capturedMinor: 1_234 });
      expect(await record()).toEqual(['authorization 12.34', 'capture 12.34']);
    },
  );

  it('comes to the same risk verdict after a crash', async () => {
    const mend = breakAt('reversal', 'before');
    const card = { number: VISA, expiryMonth: '12', expiryYear: '2031', cvv: '000' };
    const paymentId = await pendingId(pay({ card }));
    mend();
    harness.restart();
    expect(await harness.service.resolveOpen()).toBe(0);
    expect(await row(paymentId)).toMatchObject({ state: 'declined', resultCode: RISK_REFUSED });
    expect(await record()).toEqual(['authorization 12.34 reversed', 'reversal 12.34']);
  });

  it('survives a disk that fails after the capture', async () => {
    disk.failWhen = (changes: readonly Change[]) =>
      changes.some((change) => change.op === 'update' && change.table === 'intents');
    await pendingId(pay());
    disk.failWhen = () => false;
    harness.restart();
    expect(await harness.service.resolveOpen()).toBe(0);
    expect(await record()).toEqual(['authorization 12.34', 'capture 12.34']);
  });

  it.each(['before', 'after'] as const)(
    'is reversed once when the line breaks %s the second of its reversals',
    async (when) => {
      const { paymentId } = await pay();
      const send = harness.line.send.bind(harness.line);
      let reversals = 0;
      harness.line.send = async (request) => {
        if (request.kind !== 'reversal' || ++reversals === 1) return send(request);
        if (when === 'after') await send(request);
        throw new AcquirerUnreachableError('the line is cut');
      };
      await pendingId(harness.service.followUp(followUp('RV', paymentId)));
      harness.line.send = send;
      harness.restart();
      expect(await harness.service.resolveOpen()).toBe(0);
      expect(await row(paymentId)).toMatchObject({ state: 'reversed', lockedBy: null });
      expect(await record()).toEqual([
        'authorization 12.34 reversed',
        'capture 12.34 reversed',
        'reversal 12.34',
        'reversal 12.34',
      ]);
    },
  );

  it('keeps the payment details on request, of an approval alone', async () => {
    const paid = await row((await pay({ createRegistration: true })).paymentId);
    expect(JSON.parse(paid?.answer ?? '')).toMatchObject({ registrationId: paid?.vaultId });
    const refused = await row(
      (await pay({ createRegistration: true, risk: { forcedScore: 100 } })).paymentId,
    );
    expect(JSON.parse(refused?.answer ?? '')).not.toHaveProperty('registrationId');
  });
});
