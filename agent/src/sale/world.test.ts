import { formatAmount, parseAmount } from '@tillbridge/protocol/payment/money.js';
import { describe, expect, it } from 'vitest';
import type { SaleAnswer } from './answer.js';
import { DeskRefusal } from './desk.js';
import { UNKNOWN_CODE } from './ledger.test.support.js';
import { AAC, ARQC, chipCard, iccData, OFFLINE_POLICY, SeededRandom, TC } from './sale.test.support.js';
import type { ScriptedDriver } from './scripted-driver.test.support.js';
import { FAIR } from './wire.test.support.js';
import { TERMINALS, World } from './world.test.support.js';

const SEEDS = 150;
const STEPS = 60;
const REFERENCES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const;
/** Long enough for every schedule of the policy, with a link and a disk that work. */
const PEACE_MS = 10 * 60_000;

/** What tills heard of sales, by reference. */
class Heard {
  /** Approved at some time: it may only be taken back aloud. */
  readonly promised = new Set<string>();
  /** The cashier was told that it is safe to try again. */
  readonly safe = new Set<string>();
  readonly referred = new Set<string>();
  readonly parked = new Set<string>();

  listenTo(world: World): void {
    world.desk.onEvent((event) => {
      if (event.type !== 'sale' && event.type !== 'declined-later') return;
      const { reference, outcome, state, cashierText } = event.sale;
      if (outcome === 'approved') this.promised.add(reference);
      if (cashierText.includes('safe to try again')) this.safe.add(reference);
      if (cashierText.includes('wants a call')) this.referred.add(reference);
      if (state === 'parked') this.parked.add(reference);
    });
  }
}

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
        ...Array.from({ length: 6 }, () => ({ kind: 'online-required', card: chipCard(ARQC) }) as const),
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
      return kind === 'declined'
        ? random.pick([aac, aac, gone])
        : random.pick([tc, tc, tc, tc, tc, tc, aac, gone]);
    });
}

function troubled(world: World, random: SeededRandom): void {
  // Sales that come through are needed for what follows them; the others for everything else.
  const rough = random.next() < 0.5;
  world.wire.weather = {
    dropRequest: () => random.next() < (rough ? 0.15 : 0.05),
    dropAnswer: () => random.next() < (rough ? 0.2 : 0.05),
    delayMs: () => random.pick(rough ? [1, 20, 400, 5_000, 40_000] : [1, 20, 400]),
  };
  for (const driver of world.drivers.values()) unruly(driver, random, world);
}

function capture(world: World, random: SeededRandom, reference: string): Promise<SaleAnswer> {
  const amount = { minor: random.pick([100, 400, 1_000]), currency: 'EUR' };
  const options = random.pick([{}, ...['C1', 'C2', 'C3'].map((name) => ({ captureReference: name }))]);
  return world.desk.capture(reference, amount, options);
}

/** One thing that a till, the network, the disk or the power does. */
async function disturb(world: World, random: SeededRandom, heard: Heard): Promise<void> {
  const reference = random.pick(REFERENCES);
  // Mostly what makes sense, so that it is done often enough.
  const among = (known: ReadonlySet<string>) => random.pick([...known, reference]);
  const quiet = (call: Promise<unknown>) =>
    void call.catch((error: unknown) => {
      if (!(error instanceof DeskRefusal)) world.faults.push(error);
    });
  const type = random.pick(['sale', 'preauthorization'] as const);
  const amount = { minor: 1_000, currency: 'EUR' };
  const terminalId = TERMINALS[REFERENCES.indexOf(reference) % 2] ?? TERMINALS[0];
  const deeds: readonly (() => unknown)[] = [
    ...Array.from(
      { length: 6 },
      () => () => quiet(world.desk.request({ reference, type, amount, terminalId })),
    ),
    () => quiet(world.desk.cancel(reference)),
    () => quiet(world.desk.reverse(among(heard.promised))),
    ...Array.from({ length: 4 }, () => () => quiet(capture(world, random, among(heard.promised)))),
    () => quiet(world.desk.approveByVoice(among(heard.referred), random.pick(['AB12', UNKNOWN_CODE]))),
    () => quiet(world.desk.settle(among(heard.parked), 'reversed', 'by guess')),
    () => world.wire.set('down'),
    () => world.wire.set('up'),
    () => world.journal.fail(random.pick(['disk-full', 'io-error'])),
    () => world.journal.repair(),
    () => world.clock.jumpWall(random.pick([-7_200_000, 3_600_000])),
    async () => {
      await world.crash(random.pick(['up', 'down']));
      troubled(world, random);
      heard.listenTo(world);
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
async function live(seed: number): Promise<{ world: World; heard: Heard }> {
  const random = new SeededRandom(seed);
  const afterHandOver = random.pick(['decline', 'reverse'] as const);
  const policy = {
    ...OFFLINE_POLICY,
    partialApproval: random.pick(['accept', 'reverse'] as const),
    overdueAfterMs: random.pick([OFFLINE_POLICY.overdueAfterMs, 90_000]),
    offline: { ...OFFLINE_POLICY.offline, afterHandOver },
  };
  const world = new World({ seed, policy, terminals: TERMINALS });
  const heard = new Heard();
  await world.boot();
  world.ledger.approves = () => random.next() < 0.8;
  world.ledger.word = () => random.pick(['all', 'all', 'all', 'all', 'half', 'call', 'no'] as const);
  troubled(world, random);
  heard.listenTo(world);
  for (let step = 0; step < STEPS; step += 1) await disturb(world, random, heard);
  await peace(world);
  return { world, heard };
}

const EURO = { currency: 'EUR' } as const;

/** What the till knows to be captured, minor units. */
function capturedOf(answer: SaleAnswer | undefined): number {
  const taken = (answer?.captures ?? []).filter(({ state }) => state === 'acknowledged');
  return taken.reduce((sum, { amount }) => sum + parseAmount(amount, 'EUR').minor, 0);
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
      const { world, heard } = await live(seed);
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
        if (heard.safe.has(reference) && answer?.outcome === 'approved') {
          const byVoice = answer.timeline.some(({ step }) => step === 'voice-authorization');
          expect(byVoice, `called safe to try again, and booked all the same, ${story}`).toBe(true);
        }
        expect(capturedOf(answer), `captures agree, ${story}`).toBe(standing[0]?.captured ?? 0);
        if (answer?.outcome === 'approved') {
          const counted = answer.approvedAmount ?? answer.amount;
          expect(counted, `amounts agree, ${story}`).toBe(
            formatAmount({ ...EURO, minor: standing[0]?.minor ?? 0 }),
          );
        }
        if (heard.promised.has(reference)) expect(answer, `P1: not lost, ${story}`).toBeDefined();
        if (heard.promised.has(reference) && answer?.outcome !== 'approved') {
          const takenBack = answer?.timeline.some(
            ({ step, detail }) =>
              step === 'reversal' ||
              (step === 'declined' && /^(declined-later|voice-code-refused)/.test(detail ?? '')),
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
        if (!answer) continue;
        seen.add(`${answer.outcome} ${answer.mode}`);
        if (answer.approvedAmount) seen.add('approved in part');
        if ((answer.captures?.length ?? 0) > 1) seen.add('captured in parts');
        for (const { step, detail } of answer.timeline) seen.add(`${step} ${detail?.split(':')[0] ?? ''}`);
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
      'approved in part',
      'captured in parts',
      'approved rest-released',
      'approved approved-by-voice',
      'declined voice-code-refused',
      'overdue gateway-silent',
      'reversed settled-by-hand',
    ]) {
      expect([...seen]).toContain(end);
    }
  }, 60_000);
});
