import { describe, expect, it } from 'vitest';
import { UNKNOWN_CODE } from './ledger.test.support.js';
import { OFFLINE_POLICY } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const HOUR_MS = 3_600_000;

async function preauthorized(minor = 5_000): Promise<SaleHarness> {
  const harness = await new SaleHarness().boot();
  await harness.sell({ reference: 'P1', type: 'preauthorization', amount: EUR(minor) });
  return harness;
}

describe('a preauthorization', () => {
  const part = (captureReference: string, final = false) => ({ captureReference, final });

  it('is captured in parts up to its amount, and no further: the refusal has the rest', async () => {
    const harness = await preauthorized();
    await harness.during(harness.service.capture('P1', EUR(2_000), part('C1')));
    await expect(harness.service.capture('P1', EUR(3_001), part('C2'))).rejects.toMatchObject({
      code: 'not-allowed',
      message: expect.stringMatching(
        /EUR 30\.01 is more than the EUR 30\.00 left of the authorized EUR 50\.00/,
      ),
    });
    const answer = await harness.during(harness.service.capture('P1', EUR(3_000), part('C2')));
    expect(answer).toMatchObject({
      outcome: 'approved',
      captures: [
        { captureReference: 'C1', amount: '20.00', final: false, state: 'acknowledged' },
        { captureReference: 'C2', amount: '30.00', final: true, state: 'acknowledged' },
      ],
      cashierText: 'Approved. Captured: EUR 50.00.',
    });
    expect(harness.ledger.captured).toHaveLength(2);
  });

  it('takes a repeated part once, and another part under the same name not at all', async () => {
    const harness = await preauthorized();
    for (let call = 0; call < 2; call += 1) {
      await harness.during(harness.service.capture('P1', EUR(1_000), part('C1')));
    }
    expect(harness.ledger.captured).toHaveLength(1);
    await expect(harness.service.capture('P1', EUR(1_001), part('C1'))).rejects.toMatchObject({
      code: 'reference-conflict',
    });
  });

  it('answers the till whose part came second that nothing is left for it', async () => {
    const harness = await preauthorized();
    const calls = ['C1', 'C2'].map((name) =>
      harness.during(harness.service.capture('P1', EUR(3_000), part(name))),
    );
    const [first, second] = await Promise.allSettled(calls);
    expect(first?.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'not-allowed' } });
    expect(harness.ledger.captured).toHaveLength(1);
  });

  it('answers the till whose reversal came after the capture of all of it', async () => {
    const harness = await preauthorized();
    const calls = [harness.service.capture('P1', EUR(5_000)), harness.service.reverse('P1')].map((call) =>
      harness.during(call),
    );
    const [first, second] = await Promise.allSettled(calls);
    expect(first?.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'not-allowed' } });
  });

  it('has no capture after FINAL', async () => {
    const harness = await preauthorized();
    await harness.during(harness.service.capture('P1', EUR(1_000), part('C1', true)));
    await expect(harness.service.capture('P1', EUR(1), part('C2'))).rejects.toThrow(/FINAL/);
  });

  it('keeps parts that were captured without the gateway, over a restart, in their order', async () => {
    const harness = await preauthorized();
    harness.wire.set('down');
    for (const name of ['C1', 'C2']) {
      await harness.during(harness.service.capture('P1', EUR(1_000), part(name)));
    }
    expect(harness.service.queue()).toMatchObject({ depth: 2 });
    await harness.crash('down');
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.streams.get('11')).toEqual([1, 2]);
    expect((await harness.service.get('P1')).captures).toMatchObject([
      { captureReference: 'C1', state: 'acknowledged' },
      { captureReference: 'C2', state: 'acknowledged' },
    ]);
  });

  it('is never approved without the gateway', async () => {
    const harness = await new SaleHarness().boot('down');
    expect(await harness.sell({ reference: 'P1', type: 'preauthorization' })).toMatchObject({
      outcome: 'failed',
    });
    expect(harness.driver().log).toEqual([]);
  });

  it('reversed by a till releases what is not captured, and reports that', async () => {
    const harness = await preauthorized();
    await harness.during(harness.service.capture('P1', EUR(1_000), part('C1')));
    const answer = await harness.during(harness.service.reverse('P1'));
    expect(answer).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(answer.cashierText).toContain('What was not captured is released; what was captured stays.');
    await expect(harness.service.capture('P1', EUR(1), part('C2'))).rejects.toThrow(/reversed/);
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
    const refund = { reference: 'R1', type: 'refund', originalReference: 'P1' } as const;
    await expect(harness.sell({ ...refund, amount: EUR(1_001) })).rejects.toThrow(
      'originalReference P1 has 10.00 EUR: at most that can be refunded, not 10.01',
    );
    expect(await harness.sell({ ...refund, amount: EUR(1_000) })).toMatchObject({ outcome: 'approved' });
  });

  it('captured as a whole is not reversed and not parked: the till’s error has the remedy', async () => {
    const harness = await preauthorized();
    await harness.during(harness.service.capture('P1', EUR(5_000)));
    await expect(harness.service.reverse('P1')).rejects.toMatchObject({
      code: 'not-allowed',
      message: expect.stringMatching(/all of it is captured.*give the money back with a refund/),
    });
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('captured elsewhere meanwhile: the refused reversal leaves the sale as it was, and nothing is parked', async () => {
    const harness = await preauthorized();
    const [entry] = harness.ledger.standing('P1');
    if (entry) entry.captured = entry.minor;
    const answer = await harness.during(harness.service.reverse('P1'));
    expect(answer).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(answer.cashierText).toContain('The reversal was refused: the sale stands as it was.');
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('an approval of a part', () => {
  const half = (partialApproval: 'accept' | 'reverse') => {
    const harness = new SaleHarness({ policy: { ...OFFLINE_POLICY, partialApproval } });
    harness.ledger.word = () => 'half';
    return harness.boot();
  };

  it('is shown to the till, on the terminal and on the receipt where the policy takes it', async () => {
    const harness = await half('accept');
    const answer = await harness.sell({ reference: 'A1', amount: EUR(5_000) });
    expect(answer).toMatchObject({ outcome: 'approved', amount: '50.00', approvedAmount: '25.00' });
    expect(answer.cashierText).toContain('ONLY EUR 25.00 of EUR 50.00: EUR 25.00 is still to be paid');
    expect(harness.driver().log).toContain('finish ONLY EUR 25.00');
    expect(answer.receipts?.customer).toMatch(/Amount +EUR 25\.00/);
    expect(await harness.during(harness.service.reverse('A1'))).toMatchObject({ outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('bounds the refund and the captures', async () => {
    const harness = await half('accept');
    await harness.sell({ reference: 'A1', amount: EUR(5_000) });
    const refund = { reference: 'R1', type: 'refund', originalReference: 'A1' } as const;
    await expect(harness.sell({ ...refund, amount: EUR(2_501) })).rejects.toThrow(/has 25\.00 EUR/);
    await harness.sell({ reference: 'P1', type: 'preauthorization', amount: EUR(5_000) });
    await expect(harness.service.capture('P1', EUR(2_501))).rejects.toThrow(/EUR 25\.00 left/);
  });

  it('is not requested where the policy does not take it', async () => {
    const harness = await half('reverse');
    expect(await harness.sell({ reference: 'A1' })).toMatchObject({ outcome: 'declined' });
  });

  it('is reversed where it comes all the same', async () => {
    const harness = await half('reverse');
    const authorize = harness.ledger.authorize.bind(harness.ledger);
    harness.ledger.authorize = (envelope) =>
      authorize(
        envelope.kind === 'authorizationRequest'
          ? { ...envelope, body: { ...envelope.body, partialAllowed: true } }
          : envelope,
      );
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ outcome: 'reversed' });
    expect(answer.cashierText).toContain('NOT charged');
    expect(harness.ledger.standing('A1')).toEqual([]);
  });
});

describe('a referral', () => {
  async function referred(): Promise<SaleHarness> {
    const harness = await new SaleHarness().boot();
    harness.ledger.word = () => 'call';
    expect(await harness.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'declined' });
    return harness;
  }

  it('requests a call: not approved, the card not charged', async () => {
    const harness = await referred();
    const answer = await harness.service.get('A1');
    expect(answer.cashierText).toMatch(/wants a call.*NOT approved.*NOT charged/);
    expect(harness.driver().log).toContain('finish CALL ISSUER');
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('is approved by the code of the call, once, and can be reversed', async () => {
    const harness = await referred();
    for (let call = 0; call < 2; call += 1) {
      const answer = await harness.during(harness.service.approveByVoice('A1', 'AB12'));
      expect(answer).toMatchObject({
        outcome: 'approved',
        cashierText: 'Approved by the issuer on the phone.',
      });
    }
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    expect(await harness.during(harness.service.reverse('A1'))).toMatchObject({ outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('takes the code without the gateway and over a restart, and reports that it is not recorded yet', async () => {
    const harness = await referred();
    harness.wire.set('down');
    const answer = await harness.during(harness.service.approveByVoice('A1', 'AB12'));
    expect(answer).toMatchObject({ outcome: 'approved' });
    expect(answer.cashierText).toContain('The gateway has not recorded it yet.');
    expect(harness.service.queue()).toMatchObject({ depth: 1, items: [{ kind: 'voiceAuthorization' }] });
    await harness.crash('down');
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    expect(await harness.service.get('A1')).toMatchObject({ outcome: 'approved' });
  });

  it('reports a code that the issuer refuses, and takes another', async () => {
    const harness = await referred();
    const answer = await harness.during(harness.service.approveByVoice('A1', UNKNOWN_CODE));
    expect(answer).toMatchObject({ outcome: 'declined' });
    expect(answer.cashierText).toContain('does not know the approval code');
    expect(await harness.during(harness.service.approveByVoice('A1', 'AB12'))).toMatchObject({
      outcome: 'approved',
    });
    expect(harness.ledger.standing('A1')).toHaveLength(1);
  });

  it('refuses a code for anything else, for one that is no code, and after a day', async () => {
    const harness = await referred();
    await expect(harness.service.approveByVoice('A1', 'much too long')).rejects.toMatchObject({
      code: 'bad-request',
    });
    harness.ledger.word = () => 'no';
    await harness.sell({ reference: 'A2' });
    await expect(harness.service.approveByVoice('A2', 'AB12')).rejects.toMatchObject({ code: 'not-allowed' });
    await harness.clock.advance(25 * HOUR_MS);
    await expect(harness.service.approveByVoice('A1', 'AB12')).rejects.toThrow(/24 hours/);
  });
});

describe('a gateway that is silent for days', () => {
  async function silent(): Promise<SaleHarness> {
    const harness = await new SaleHarness().boot();
    harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => true };
    const call = harness.sell({ reference: 'A1' });
    await harness.clock.advance(500);
    harness.wire.set('down');
    await call;
    expect(await harness.service.get('A1')).toMatchObject({ state: 'unknown' });
    return harness;
  }

  it('parks the sale with a reason that a person sees, and reverses it when it is back', async () => {
    const harness = await silent();
    await harness.clock.advance(25 * HOUR_MS);
    const answer = await harness.service.get('A1');
    expect(answer).toMatchObject({ state: 'parked', outcome: null });
    expect(answer.cashierText).toMatch(
      /Staff must resolve this sale: it is not known whether the card was charged/,
    );
    expect(answer.timeline.at(-1)?.detail).toBe('gateway-silent: the gateway has not answered for 24 h');
    expect(harness.service.queue()).toMatchObject({
      depth: 1,
      items: [{ reference: 'A1', kind: 'reversal' }],
    });
    harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => false };
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('counts the days over restarts', async () => {
    const harness = await silent();
    for (let restart = 0; restart < 3; restart += 1) {
      await harness.clock.advance(8 * HOUR_MS);
      await harness.crash('down');
    }
    await harness.clock.advance(HOUR_MS / 6);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'parked' });
  });

  it('lets staff resolve it, but not as approved while its reversal waits', async () => {
    const harness = await silent();
    await expect(harness.service.resolve('A1', 'reversed', 'x')).rejects.toThrow(/only a parked sale/);
    await harness.clock.advance(25 * HOUR_MS);
    await expect(harness.service.resolve('A1', 'approved', 'x')).rejects.toThrow(/reversal still waits/);
    const answer = await harness.service.resolve('A1', 'reversed', 'by the record of the acquirer');
    expect(answer).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(answer.cashierText).toContain('Manually resolved. reversed: by the record of the acquirer');
  });
});

describe('a reversal that the gateway will not take', () => {
  it('is tried again under a new id when a person requests it', async () => {
    const harness = await new SaleHarness().boot();
    harness.ledger.parks = ({ kind }) => kind === 'reversal';
    harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => true };
    const answer = await harness.sell({ reference: 'A1' });
    expect(['unknown', 'reversing', 'parked']).toContain(answer.state);
    await harness.clock.advance(600_000);
    harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => false };
    await harness.clock.advance(600_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'parked' });
    harness.ledger.parks = () => false;
    expect(await harness.during(harness.service.reverse('A1'))).toMatchObject({
      state: 'done',
      outcome: 'reversed',
    });
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });
});
