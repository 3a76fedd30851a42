import { describe, expect, it } from 'vitest';
import type { CompleteOutcome, StartOutcome } from '../drivers/core/driver.js';
import { chipCard, iccData, TC } from './sale.test.support.js';
import { World } from './world.test.support.js';

const GONE = { kind: 'failed', failure: 'terminal-gone', detail: 'unplugged' } as const;
const READ: StartOutcome = { kind: 'online-required', card: chipCard() };
const AGREED: CompleteOutcome = { kind: 'approved', iccData: iccData(TC) };

/** A world whose sale stands still at one step, and how it goes on: as it would have, or without its terminal. */
interface Held {
  readonly world: World;
  goOn(terminalGone?: boolean): void;
}

type Hold = (world: World) => Held['goOn'];

/** Steps of a sale at which something may happen to it. */
const STEPS: Readonly<Record<string, { readonly state: string; readonly hold: Hold }>> = {
  'waiting for the card': {
    state: 'reading-card',
    hold: (world) => {
      let end: (outcome: StartOutcome) => void = () => undefined;
      world.driver().reads = () => new Promise((resolve) => (end = resolve));
      return (gone) => end(gone ? GONE : READ);
    },
  },
  'waiting for the answer': {
    state: 'authorizing',
    hold: (world) => {
      world.wire.weather = { ...world.wire.weather, delayMs: () => 5_000 };
      return (gone) => {
        if (gone) world.driver().completes = () => GONE;
      };
    },
  },
  'waiting for the second cryptogram': {
    state: 'completing',
    hold: (world) => {
      let end: (outcome: CompleteOutcome) => void = () => undefined;
      world.driver().completes = ({ kind }) =>
        kind === 'declined' ? { kind, iccData: iccData(0) } : new Promise((resolve) => (end = resolve));
      return (gone) => end(gone ? GONE : AGREED);
    },
  },
  'finding out what became of it': {
    state: 'unknown',
    hold: (world) => {
      world.wire.weather = { ...world.wire.weather, dropAnswer: () => true };
      world.clock.setTimer(40, () => world.wire.set('down'));
      return () => {
        world.wire.weather = { ...world.wire.weather, dropAnswer: () => false };
        world.wire.set('up');
      };
    },
  },
  'its reversal on the way': {
    state: 'reversing',
    hold: (world) => {
      const completes = world.driver().completes;
      world.driver().completes = () => {
        world.driver().completes = completes;
        world.wire.set('down');
        return GONE;
      };
      return () => world.wire.set('up');
    },
  },
  approved: { state: 'done', hold: () => () => undefined },
};

/** What happens to it there. */
const DEEDS: Readonly<Record<string, (held: Held) => unknown>> = {
  nothing: ({ goOn }) => goOn(),
  'the till cancels': ({ world, goOn }) => {
    const cancelled = world.desk.cancel('A1');
    goOn();
    return world.during(cancelled);
  },
  'the terminal is gone': ({ goOn }) => goOn(true),
  'the agent is killed and comes back': async ({ world }) => {
    await world.crash('up');
  },
  'the agent is killed and comes back without the gateway': async ({ world }) => {
    await world.crash('down');
    await world.clock.advance(60_000);
    world.wire.set('up');
  },
  'the same till asks again': ({ world, goOn }) => {
    const again = world.sell({ reference: 'A1' });
    goOn();
    return world.during(again);
  },
  'another till wants the terminal': ({ world, goOn }) => {
    const other = world.desk.request({
      reference: 'B1',
      type: 'sale',
      amount: { minor: 500, currency: 'EUR' },
    });
    goOn();
    return world.during(other.catch(() => undefined));
  },
  'the gateway is gone for an hour': async ({ world, goOn }) => {
    world.wire.set('down');
    goOn();
    await world.clock.advance(3_600_000);
    world.wire.set('up');
  },
};

const CASES = Object.keys(STEPS).flatMap((step) => Object.keys(DEEDS).map((deed) => [step, deed] as const));

async function heldAt(step: string): Promise<Held> {
  const world = await new World().boot();
  const { state, hold } = STEPS[step] ?? { state: '', hold: () => () => undefined };
  const goOn = hold(world);
  // The till hangs up: nobody waits for the answer of this call.
  await world.desk.request(
    { reference: 'A1', type: 'sale', amount: { minor: 1_234, currency: 'EUR' } },
    { wait: false },
  );
  for (let waited = 0; (await world.desk.get('A1')).state !== state; waited += 20) {
    if (waited > 60_000) throw new Error(`the sale did not come to ${state}`);
    await world.clock.advance(20);
  }
  return { world, goOn };
}

describe.each(CASES)('%s: %s', (step, deed) => {
  it('ends in one truth, at the till and at the acquirer', async () => {
    const held = await heldAt(step);
    const { world } = held;
    await DEEDS[deed]?.(held);
    await world.clock.advance(600_000);
    const answer = await world.desk.get('A1');
    expect(answer.state).toBe('done');
    const standing = world.ledger.standing('A1');
    expect(standing.length === 1).toBe(answer.outcome === 'approved');
    if (answer.cashierText.includes('NOT charged')) expect(standing).toEqual([]);
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
    expect(world.desk.status().open).toEqual([]);
    expect(world.wire.sent.filter(({ kind }) => kind === 'authorizationRequest').length).toBeLessThanOrEqual(
      2,
    );
    expect(world.faults).toEqual([]);
  });
});

describe('what a till hears of it', () => {
  const outcomeOf = async (step: string, deed: string) => {
    const held = await heldAt(step);
    await DEEDS[deed]?.(held);
    await held.world.clock.advance(600_000);
    return (await held.world.desk.get('A1')).outcome;
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
    ['waiting for the answer', 'the same till asks again', 'approved'],
    ['waiting for the answer', 'another till wants the terminal', 'approved'],
  ])('%s, %s: %s', async (step, deed, outcome) => {
    expect(await outcomeOf(step, deed)).toBe(outcome);
  });
});
