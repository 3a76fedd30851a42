import { describe, expect, it } from 'vitest';
import type { CompleteOutcome, StartOutcome } from '../drivers/core/driver.js';
import { chipCard, iccData, TC } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';

const GONE = { kind: 'failed', failure: 'terminal-gone', detail: 'unplugged' } as const;
const READ: StartOutcome = { kind: 'online-required', card: chipCard() };
const AGREED: CompleteOutcome = { kind: 'approved', iccData: iccData(TC) };

/** A harness whose sale stands still at one step, and how it goes on: as it would have, or without its terminal. */
interface Held {
  readonly harness: SaleHarness;
  goOn(terminalGone?: boolean): void;
}

type Hold = (harness: SaleHarness) => Held['goOn'];

/** Steps of a sale at which something may happen to it. */
const STEPS: Readonly<Record<string, { readonly state: string; readonly hold: Hold }>> = {
  'waiting for the card': {
    state: 'reading-card',
    hold: (harness) => {
      let end: (outcome: StartOutcome) => void = () => undefined;
      harness.driver().reads = () => new Promise((resolve) => (end = resolve));
      return (gone) => end(gone ? GONE : READ);
    },
  },
  'waiting for the answer': {
    state: 'authorizing',
    hold: (harness) => {
      harness.wire.faultRates = { ...harness.wire.faultRates, delayMs: () => 5_000 };
      return (gone) => {
        if (gone) harness.driver().completes = () => GONE;
      };
    },
  },
  'waiting for the second cryptogram': {
    state: 'completing',
    hold: (harness) => {
      let end: (outcome: CompleteOutcome) => void = () => undefined;
      harness.driver().completes = ({ kind }) =>
        kind === 'declined' ? { kind, iccData: iccData(0) } : new Promise((resolve) => (end = resolve));
      return (gone) => end(gone ? GONE : AGREED);
    },
  },
  'finding out what became of it': {
    state: 'unknown',
    hold: (harness) => {
      harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => true };
      harness.clock.setTimer(40, () => harness.wire.set('down'));
      return () => {
        harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => false };
        harness.wire.set('up');
      };
    },
  },
  'its reversal on the way': {
    state: 'reversing',
    hold: (harness) => {
      const completes = harness.driver().completes;
      harness.driver().completes = () => {
        harness.driver().completes = completes;
        harness.wire.set('down');
        return GONE;
      };
      return () => harness.wire.set('up');
    },
  },
  approved: { state: 'done', hold: () => () => undefined },
};

/** What happens to it there. */
const DEEDS: Readonly<Record<string, (held: Held) => unknown>> = {
  nothing: ({ goOn }) => goOn(),
  'the till cancels': ({ harness, goOn }) => {
    const cancelled = harness.service.cancel('A1');
    goOn();
    return harness.during(cancelled);
  },
  'the terminal is gone': ({ goOn }) => goOn(true),
  'the agent is killed and comes back': async ({ harness }) => {
    await harness.crash('up');
  },
  'the agent is killed and comes back without the gateway': async ({ harness }) => {
    await harness.crash('down');
    await harness.clock.advance(60_000);
    harness.wire.set('up');
  },
  'the same till repeats its request': ({ harness, goOn }) => {
    const again = harness.sell({ reference: 'A1' });
    goOn();
    return harness.during(again);
  },
  'another till wants the terminal': ({ harness, goOn }) => {
    const other = harness.service.request({
      reference: 'B1',
      type: 'sale',
      amount: { minor: 500, currency: 'EUR' },
    });
    goOn();
    return harness.during(other.catch(() => undefined));
  },
  'the gateway is gone for an hour': async ({ harness, goOn }) => {
    harness.wire.set('down');
    goOn();
    await harness.clock.advance(3_600_000);
    harness.wire.set('up');
  },
};

const CASES = Object.keys(STEPS).flatMap((step) => Object.keys(DEEDS).map((deed) => [step, deed] as const));

async function heldAt(step: string): Promise<Held> {
  const harness = await new SaleHarness().boot();
  const { state, hold } = STEPS[step] ?? { state: '', hold: () => () => undefined };
  const goOn = hold(harness);
  // The till hangs up: no client waits for the answer of this call.
  await harness.service.request(
    { reference: 'A1', type: 'sale', amount: { minor: 1_234, currency: 'EUR' } },
    { wait: false },
  );
  for (let waited = 0; (await harness.service.get('A1')).state !== state; waited += 20) {
    if (waited > 60_000) throw new Error(`the sale did not come to ${state}`);
    await harness.clock.advance(20);
  }
  return { harness, goOn };
}

describe.each(CASES)('%s: %s', (step, deed) => {
  it('ends in one truth, at the till and at the acquirer', async () => {
    const held = await heldAt(step);
    const { harness } = held;
    await DEEDS[deed]?.(held);
    await harness.clock.advance(600_000);
    const answer = await harness.service.get('A1');
    expect(answer.state).toBe('done');
    const standing = harness.ledger.standing('A1');
    expect(standing.length === 1).toBe(answer.outcome === 'approved');
    if (answer.cashierText.includes('NOT charged')) expect(standing).toEqual([]);
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
    expect(harness.service.status().open).toEqual([]);
    expect(
      harness.wire.sent.filter(({ kind }) => kind === 'authorizationRequest').length,
    ).toBeLessThanOrEqual(2);
    expect(harness.faults).toEqual([]);
  });
});

describe('the answer to the till', () => {
  const outcomeOf = async (step: string, deed: string) => {
    const held = await heldAt(step);
    await DEEDS[deed]?.(held);
    await held.harness.clock.advance(600_000);
    return (await held.harness.service.get('A1')).outcome;
  };

  it.each([
    ['waiting for the card', 'nothing', 'approved'],
    ['waiting for the answer', 'nothing', 'approved'],
    ['waiting for the second cryptogram', 'nothing', 'approved'],
    ['finding out what became of it', 'nothing', 'reversed'],
    ['its reversal on the way', 'nothing', 'reversed'],
    ['waiting for the card', 'the till cancels', 'cancelled'],
    // Its reversal overtakes the request, which is refused when it comes.
    ['waiting for the answer', 'the till cancels', 'cancelled'],
    ['waiting for the second cryptogram', 'the till cancels', 'reversed'],
    ['approved', 'the till cancels', 'approved'],
    ['waiting for the card', 'the terminal is gone', 'failed'],
    ['waiting for the answer', 'the terminal is gone', 'reversed'],
    ['waiting for the second cryptogram', 'the terminal is gone', 'reversed'],
    ['waiting for the card', 'the agent is killed and comes back', 'failed'],
    ['waiting for the second cryptogram', 'the agent is killed and comes back', 'reversed'],
    ['approved', 'the agent is killed and comes back', 'approved'],
    ['waiting for the answer', 'the same till repeats its request', 'approved'],
    ['waiting for the answer', 'another till wants the terminal', 'approved'],
  ])('%s, %s: %s', async (step, deed, outcome) => {
    expect(await outcomeOf(step, deed)).toBe(outcome);
  });
});
