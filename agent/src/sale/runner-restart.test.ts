import { formatAmount, parseAmount } from '@tillbridge/wire/payment/money.js';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_CODE } from './ledger.test.support.js';
import type { SaleAnswer } from './machine/state/answer.js';
import { AAC, ARQC, chipCard, iccData, OFFLINE_POLICY, SeededRandom, TC } from './sale.test.support.js';
import { SaleHarness, TERMINALS } from './sale-harness.test.support.js';
import type { ScriptedDriver } from './scripted-driver.test.support.js';
import { SaleError } from './service/sale-service.js';
import { NO_FAULTS } from './wire.test.support.js';

const SEEDS = 150;
const STEPS = 60;
const REFERENCES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const;
/** Long enough for every schedule of the policy, with a link and a disk that work. */
const PEACE_MS = 10 * 60_000;

/** What tills received of sales, by reference. */
class Received {
  /** Approved at some time: it may only be taken back with an event. */
  readonly promised = new Set<string>();
  /** The cashier text stated that it is safe to try again. */
  readonly safe = new Set<string>();
  readonly referred = new Set<string>();
  readonly parked = new Set<string>();

  listenTo(harness: SaleHarness): void {
    harness.service.onEvent((event) => {
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
function unruly(driver: ScriptedDriver, random: SeededRandom, harness: SaleHarness): void {
  const later = <T>(make: () => T): Promise<T> =>
    new Promise((resolve) => {
      harness.clock.setTimer(random.pick([0, 5, 800, 9_000]), () => resolve(make()));
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

function troubled(harness: SaleHarness, random: SeededRandom): void {
  // Sales that come through are needed for what follows them; the others for everything else.
  const rough = random.next() < 0.5;
  harness.wire.faultRates = {
    dropRequest: () => random.next() < (rough ? 0.15 : 0.05),
    dropAnswer: () => random.next() < (rough ? 0.2 : 0.05),
    delayMs: () => random.pick(rough ? [1, 20, 400, 5_000, 40_000] : [1, 20, 400]),
  };
  for (const driver of harness.drivers.values()) unruly(driver, random, harness);
}

function capture(harness: SaleHarness, random: SeededRandom, reference: string): Promise<SaleAnswer> {
  const amount = { minor: random.pick([100, 400, 1_000]), currency: 'EUR' };
  const options = random.pick([{}, ...['C1', 'C2', 'C3'].map((name) => ({ captureReference: name }))]);
  return harness.service.capture(reference, amount, options);
}

/** One thing that a till, the network, the disk or the power does. */
async function disturb(harness: SaleHarness, random: SeededRandom, received: Received): Promise<void> {
  const reference = random.pick(REFERENCES);
  // Mostly what makes sense, so that it is done often enough.
  const among = (known: ReadonlySet<string>) => random.pick([...known, reference]);
  const quiet = (call: Promise<unknown>) =>
    void call.catch((error: unknown) => {
      if (!(error instanceof SaleError)) harness.faults.push(error);
    });
  const type = random.pick(['sale', 'preauthorization'] as const);
  const amount = { minor: 1_000, currency: 'EUR' };
  const terminalId = TERMINALS[REFERENCES.indexOf(reference) % 2] ?? TERMINALS[0];
  const deeds: readonly (() => unknown)[] = [
    ...Array.from(
      { length: 6 },
      () => () => quiet(harness.service.request({ reference, type, amount, terminalId })),
    ),
    () => quiet(harness.service.cancel(reference)),
    () => quiet(harness.service.reverse(among(received.promised))),
    ...Array.from({ length: 4 }, () => () => quiet(capture(harness, random, among(received.promised)))),
    () =>
      quiet(harness.service.approveByVoice(among(received.referred), random.pick(['AB12', UNKNOWN_CODE]))),
    () => quiet(harness.service.resolve(among(received.parked), 'reversed', 'by guess')),
    () => harness.wire.set('down'),
    () => harness.wire.set('up'),
    () => harness.journal.fail(random.pick(['disk-full', 'io-error'])),
    () => harness.journal.repair(),
    () => harness.clock.jumpWall(random.pick([-7_200_000, 3_600_000])),
    async () => {
      await harness.crash(random.pick(['up', 'down']));
      troubled(harness, random);
      received.listenTo(harness);
    },
  ];
  await random.pick(deeds)();
  await harness.clock.advance(random.pick([0, 3, 30, 1_000, 31_000]));
}

async function peace(harness: SaleHarness): Promise<void> {
  harness.journal.repair();
  harness.wire.faultRates = NO_FAULTS;
  harness.wire.set('down');
  harness.wire.set('up');
  await harness.clock.advance(PEACE_MS);
}

/** One stormy life of an agent, then peace; the same seed gives the same life. */
async function live(seed: number): Promise<{ harness: SaleHarness; received: Received }> {
  const random = new SeededRandom(seed);
  const afterHandOver = random.pick(['decline', 'reverse'] as const);
  const policy = {
    ...OFFLINE_POLICY,
    partialApproval: random.pick(['accept', 'reverse'] as const),
    overdueAfterMs: random.pick([OFFLINE_POLICY.overdueAfterMs, 90_000]),
    offline: { ...OFFLINE_POLICY.offline, afterHandOver },
  };
  const harness = new SaleHarness({ seed, policy, terminals: TERMINALS });
  const received = new Received();
  await harness.boot();
  harness.ledger.approves = () => random.next() < 0.8;
  harness.ledger.word = () => random.pick(['all', 'all', 'all', 'all', 'half', 'call', 'no'] as const);
  troubled(harness, random);
  received.listenTo(harness);
  for (let step = 0; step < STEPS; step += 1) await disturb(harness, random, received);
  await peace(harness);
  return { harness, received };
}

const EURO = { currency: 'EUR' } as const;

/** What the till knows to be captured, minor units. */
function capturedOf(answer: SaleAnswer | undefined): number {
  const taken = (answer?.captures ?? []).filter(({ state }) => state === 'acknowledged');
  return taken.reduce((sum, { amount }) => sum + parseAmount(amount, 'EUR').minor, 0);
}

async function answerOf(harness: SaleHarness, reference: string): Promise<SaleAnswer | undefined> {
  return harness.service.get(reference).catch((error: unknown) => {
    if (error instanceof SaleError && error.code === 'unknown-reference') return undefined;
    throw error;
  });
}

/** Seeds whose lives together reach every kind of end. */
const REACHING = 60;
/** What was reached in the lives so far, by their seeds. */
const reachedBySeed = new Map<number, ReadonlySet<string>>();

/** How the sales of a life ended, and the steps that they took. */
async function reachedIn(harness: SaleHarness): Promise<ReadonlySet<string>> {
  const reached = new Set<string>();
  for (const reference of REFERENCES) {
    const answer = await answerOf(harness, reference);
    if (!answer) continue;
    reached.add(`${answer.outcome} ${answer.mode}`);
    if (answer.approvedAmount) reached.add('approved in part');
    if ((answer.captures?.length ?? 0) > 1) reached.add('captured in parts');
    for (const { step, detail } of answer.timeline) reached.add(`${step} ${detail?.split(':')[0] ?? ''}`);
  }
  return reached;
}

describe('stormy lives', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'keeps the promises, seed %i',
    async (seed) => {
      const { harness, received } = await live(seed);
      reachedBySeed.set(seed, await reachedIn(harness));
      expect(harness.faults.filter((fault) => typeof fault === 'string')).toEqual([]);
      expect(harness.service.status().open, 'P3: nothing stays open').toEqual([]);
      expect(harness.service.queue().depth, 'P3: nothing stays queued').toBe(0);
      for (const reference of REFERENCES) {
        const answer = await answerOf(harness, reference);
        const standing = harness.ledger.standing(reference);
        const story = `${reference}: ${harness.kinds(reference).join(' ')}`;
        expect(standing.length, `P2: at most one, ${story}`).toBeLessThanOrEqual(1);
        expect(standing.length === 1, `till and acquirer agree, ${story}`).toBe(
          answer?.outcome === 'approved',
        );
        if (received.safe.has(reference) && answer?.outcome === 'approved') {
          const byVoice = answer.timeline.some(({ step }) => step === 'voice-authorization');
          expect(byVoice, `called safe to try again, and recorded all the same, ${story}`).toBe(true);
        }
        expect(capturedOf(answer), `captures agree, ${story}`).toBe(standing[0]?.captured ?? 0);
        if (answer?.outcome === 'approved') {
          const counted = answer.approvedAmount ?? answer.amount;
          expect(counted, `amounts agree, ${story}`).toBe(
            formatAmount({ ...EURO, minor: standing[0]?.minor ?? 0 }),
          );
        }
        if (received.promised.has(reference)) expect(answer, `P1: not lost, ${story}`).toBeDefined();
        if (received.promised.has(reference) && answer?.outcome !== 'approved') {
          const takenBack = answer?.timeline.some(
            ({ step, detail }) =>
              step === 'reversal' ||
              (step === 'declined' && /^(declined-later|voice-code-refused)/.test(detail ?? '')),
          );
          expect(takenBack, `P1: taken back with an event, ${story}`).toBe(true);
        }
      }
      for (const [terminalId, sequences] of harness.ledger.streams) {
        expect(sequences, `P4: stream of ${terminalId}`).toEqual(sequences.map((_, index) => index + 1));
      }
      const requests = harness.wire.sent.filter((each) => each.kind === 'authorizationRequest');
      expect(new Set(requests.map((each) => each.id)).size, 'a request is sent once').toBe(requests.length);
      expect(harness.disk.blobs.size, 'nothing sensitive stays').toBe(0);
    },
  );

  it('lives the same life again from the same seed', async () => {
    const hash = async () => Buffer.from((await live(7)).harness.journal.head.hash).toString('hex');
    expect(await hash()).toBe(await hash());
  });

  it('is stormy enough to reach every kind of end', async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= REACHING; seed += 1) {
      const reached = reachedBySeed.get(seed) ?? (await reachedIn((await live(seed)).harness));
      for (const each of reached) seen.add(each);
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
      'reversed manually-resolved',
    ]) {
      expect([...seen]).toContain(end);
    }
  });
});
