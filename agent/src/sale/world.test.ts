import { describe, expect, it } from 'vitest';
import type { SaleAnswer } from './answer.js';
import { DeskRefusal } from './desk.js';
import { AAC, ARQC, chipCard, iccData, OFFLINE_POLICY, SeededRandom, TC } from './sale.test.support.js';
import type { ScriptedDriver } from './scripted-driver.test.support.js';
import { FAIR } from './wire.test.support.js';
import { TERMINALS, World } from './world.test.support.js';

const SEEDS = 150;
const STEPS = 40;
const REFERENCES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const;
/** Long enough for every schedule of the policy, with a link and a disk that work. */
const PEACE_MS = 10 * 60_000;

/** What tills were told of a sale that counts on money: it may only be taken back aloud. */
type Promised = Map<string, SaleAnswer>;

/** Cards and holders that do anything a terminal can report. */
function unruly(driver: ScriptedDriver, random: SeededRandom, world: World): void {
  const later = <T>(make: () => T): Promise<T> =>
    new Promise((resolve) => {
      world.clock.setTimer(random.pick([0, 5, 800, 9_000]), () => resolve(make()));
    });
  const pin = () => ({ data: random.bytes(8), ksn: random.bytes(10) });
  driver.reads = () =>
    later(() =>
      random.pick([
        { kind: 'online-required', card: chipCard(ARQC) },
        { kind: 'online-required', card: chipCard(ARQC) },
        { kind: 'online-required', card: chipCard(ARQC, { pin: pin() }) },
        { kind: 'approved-offline', card: chipCard(TC) },
        { kind: 'declined-offline', card: chipCard(AAC) },
        { kind: 'cancelled', by: 'cardholder' },
        { kind: 'failed', failure: 'terminal-gone', detail: 'unplugged' },
      ] as const),
    );
  driver.completes = ({ kind }) =>
    later(() => {
      const tc = { kind: 'approved', iccData: iccData(TC) } as const;
      const aac = { kind: 'declined', iccData: iccData(AAC) } as const;
      const gone = { kind: 'failed', failure: 'card-removed', detail: 'gone' } as const;
      return kind === 'declined' ? random.pick([aac, aac, gone]) : random.pick([tc, tc, tc, aac, gone]);
    });
}

function troubled(world: World, random: SeededRandom): void {
  world.wire.weather = {
    dropRequest: () => random.next() < 0.15,
    dropAnswer: () => random.next() < 0.2,
    delayMs: () => random.pick([1, 20, 400, 5_000, 40_000]),
  };
  for (const driver of world.drivers.values()) unruly(driver, random, world);
}

function listen(world: World, promised: Promised): void {
  world.desk.onEvent((event) => {
    if (event.type !== 'sale' && event.type !== 'declined-later') return;
    if (event.sale.outcome === 'approved') promised.set(event.sale.reference, event.sale);
  });
}

/** One thing that a till, the network, the disk or the power does. */
async function disturb(world: World, random: SeededRandom, promised: Promised): Promise<void> {
  const reference = random.pick(REFERENCES);
  const quiet = (call: Promise<unknown>) =>
    void call.catch((error: unknown) => {
      if (!(error instanceof DeskRefusal)) world.faults.push(error);
    });
  const type = random.pick(['sale', 'sale', 'sale', 'preauthorization'] as const);
  const amount = { minor: 1_000, currency: 'EUR' };
  const terminalId = TERMINALS[REFERENCES.indexOf(reference) % 2] ?? TERMINALS[0];
  const deeds: readonly (() => unknown)[] = [
    ...Array.from(
      { length: 6 },
      () => () => quiet(world.desk.request({ reference, type, amount, terminalId })),
    ),
    () => quiet(world.desk.cancel(reference)),
    () => quiet(world.desk.reverse(reference)),
    () => quiet(world.desk.capture(reference, amount)),
    () => world.wire.set('down'),
    () => world.wire.set('up'),
    () => world.journal.fail(random.pick(['disk-full', 'io-error'])),
    () => world.journal.repair(),
    () => world.clock.jumpWall(random.pick([-7_200_000, 3_600_000])),
    async () => {
      await world.crash(random.pick(['up', 'down']));
      troubled(world, random);
      listen(world, promised);
    },
  ];
  await random.pick(deeds)();
  await world.clock.advance(random.pick([0, 3, 30, 1_000, 31_000]));
}

async function peace(world: World): Promise<void> {
  world.journal.repair();
  world.wire.weather = FAIR;
  world.wire.set('down');
  world.wire.set('up');
  await world.clock.advance(PEACE_MS);
}

/** One stormy life of an agent, then peace; the same seed gives the same life. */
async function live(seed: number): Promise<{ world: World; promised: Promised }> {
  const random = new SeededRandom(seed);
  const afterHandOver = random.pick(['decline', 'reverse'] as const);
  const policy = { ...OFFLINE_POLICY, offline: { ...OFFLINE_POLICY.offline, afterHandOver } };
  const world = new World({ seed, policy, terminals: TERMINALS });
  const promised: Promised = new Map();
  await world.boot();
  world.ledger.approves = () => random.next() < 0.8;
  troubled(world, random);
  listen(world, promised);
  for (let step = 0; step < STEPS; step += 1) await disturb(world, random, promised);
  await peace(world);
  return { world, promised };
}

async function answerOf(world: World, reference: string): Promise<SaleAnswer | undefined> {
  return world.desk.get(reference).catch((error: unknown) => {
    if (error instanceof DeskRefusal && error.code === 'unknown-reference') return undefined;
    throw error;
  });
}

describe('stormy lives', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'keeps the promises, seed %i',
    async (seed) => {
      const { world, promised } = await live(seed);
      expect(world.faults.filter((fault) => typeof fault === 'string')).toEqual([]);
      expect(world.desk.status().open, 'P3: nothing stays open').toEqual([]);
      expect(world.desk.queue().depth, 'P3: nothing stays queued').toBe(0);
      for (const reference of REFERENCES) {
        const answer = await answerOf(world, reference);
        const standing = world.ledger.standing(reference);
        const story = `${reference}: ${world.kinds(reference).join(' ')}`;
        expect(standing.length, `P2: at most one, ${story}`).toBeLessThanOrEqual(1);
        expect(standing.length === 1, `till and acquirer agree, ${story}`).toBe(
          answer?.outcome === 'approved',
        );
        if (promised.has(reference)) expect(answer, `P1: not lost, ${story}`).toBeDefined();
        if (promised.has(reference) && answer?.outcome !== 'approved') {
          const takenBack = answer?.timeline.some(
            ({ step, detail }) =>
              step === 'reversal' || (step === 'declined' && detail?.startsWith('declined-later')),
          );
          expect(takenBack, `P1: taken back aloud, ${story}`).toBe(true);
        }
      }
      for (const [terminalId, sequences] of world.ledger.streams) {
        expect(sequences, `P4: stream of ${terminalId}`).toEqual(sequences.map((_, index) => index + 1));
      }
      const requests = world.wire.sent.filter((each) => each.kind === 'authorizationRequest');
      expect(new Set(requests.map((each) => each.id)).size, 'a request is sent once').toBe(requests.length);
      expect(world.disk.blobs.size, 'nothing sensitive stays').toBe(0);
    },
  );

  it('lives the same life again from the same seed', async () => {
    const hash = async () => Buffer.from((await live(7)).world.journal.head.hash).toString('hex');
    expect(await hash()).toBe(await hash());
  });

  it('is stormy enough to reach every kind of end', async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 60; seed += 1) {
      const { world } = await live(seed);
      for (const reference of REFERENCES) {
        const answer = await answerOf(world, reference);
        if (answer) seen.add(`${answer.outcome} ${answer.mode}`);
      }
    }
    for (const end of [
      'approved online',
      'approved offline-card',
      'declined online',
      'declined offline-card',
      'reversed online',
      'cancelled null',
      'failed null',
    ]) {
      expect([...seen]).toContain(end);
    }
  });
});
