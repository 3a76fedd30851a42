import { describe, expect, it } from 'vitest';
import type { Mutation } from './mutations/mutation.js';
import { MUTATIONS, type MutationName, SITUATIONS } from './mutations/mutations.js';
import { runSimulation, type SimulationReport } from './simulation.js';

/** Seeds of every test run, in addition to those that once broke a promise or find a bug. */
const FIRST_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Seeds that once broke a promise, and what was wrong. A change to the workload makes other simulations of them, so each bug also has a
 * unit test next to the code that was fixed.
 */
const ONCE_BROKEN: Readonly<Record<number, string>> = {
  4: 'a reversal that the disk kept and reported as lost was sent for ever',
  10: 'an acknowledgement that the disk kept and reported as lost: the message came again without its card data',
  256: 'a simulated cardholder swiped a phone, which has no magstripe, and the simulator ended',
  1337: 'a sale went on with another reversal than the one on disk, which stayed in the queue',
  1661: 'a till was shown a sale as failed whose approval the disk had kept, and a kill came before it was reversed',
  2048: 'a refund was called approved although the reversal that fenced it had reversed it',
  910330: 'a host carried out a capture after it had acknowledged its reversal, and no node noticed it',
  911089: 'the same, of a sale',
  911448: 'the same, of a sale',
  31015: 'an agent that was down when the faults ended was waited for while the clock stood still',
  910517:
    'a check took an approval for one in time that came after the deadline, because the wait was ended once more',
  910643:
    'a restart forgot that its clock was behind, and a record counted as that much older once it was set right',
  5150033:
    'a node that stood still reported an approval that another node was about to reverse, because it had fenced the request',
  770001526:
    'the answer to an approval in part was lost: the reversal that fenced it named the whole amount, and waited for ever',
  770003482: 'a reversal that the disk kept and reported as lost was acknowledged, and never left the queue',
  770004242: 'the same, of a sale that ended with the reply of its tombstone',
  770004246: 'an agent whose journal was still empty began a new generation, which fenced its clone for ever',
  770004843: 'a message that had been reversed was answered in a session that a newer one had followed',
  1804441215:
    'a record was declined while its preceding reversal was parked, and no report of it reached the till',
  2818268416: 'the clocks of gateway and store were both wrong: the check demanded more than either can know',
  2818269403: 'the same, of the time since the last contact',
  2818269567: 'the check gave a second process no time to write down that its clock is behind',
  3531400717:
    'a gateway that was a minute ahead made its last contact a minute younger, after a restart of the store',
  3622614056:
    'a store that was a minute ahead made its last contact a minute younger, after its clock was set right and a restart',
  3622618370: 'the check counted a time as received that came to a connection which the store had closed',
  3622618807:
    'a hold that the host had begun after its last day was not waited for until that day had ended too',
  3700020078:
    'a hold was reversed while its late capture stood, and came back with the reversal of the capture: nothing released it any more',
  4200000303:
    'a capture waited for its turn, then for the original at another node, and was made after its merchant had found no payment',
  4200000383: 'the same, of a refund',
  4200105021: 'a merchant believed before its minute was over that a refund was never begun',
};

/** For each deliberate bug a seed whose simulation finds it. */
const CAUGHT_BY: Readonly<Record<MutationName, number>> = {
  'the journal forgets to sync': 1,
  'the journal answers before its transaction': 2,
  'the store forgets to sync': 2,
  'the gateway answers before its commit': 1,
  'the agent forgets before the acknowledgement': 1,
  'the agent drops an expired record in silence': 12,
  'the queue mixes up the order of a stream': 1,
  'a reversal that comes first leaves no tombstone': 6,
  'the gateway takes a message once more under its id': 1,
  'a card that was replayed is taken again': 4,
  'an offline record gets the answer to the authorization of its KSN': 1,
  'an offline record may not come under the KSN of its own authorization': 6,
  'a device sells for any merchant': 6,
  'a foreign KSN is taken once more': 2,
  'account data that are refused use up no KSN': 10,
  'a used KSN is answered unlike unreadable account data': 9,
  'a device sells at any terminal': 9,
  'a message may name another terminal inside than outside': 14,
  'an older session may still write': 63,
  'an older session may still park a message': 7,
  'an older session may still refuse': 4,
  'an older session may still answer a cancel-if-unseen': 2,
  'a sale of a cloned agent is forgotten': 31,
  'a reversal that found nothing to reverse waits for ever': 1,
  'the gateway sends a request to a silent acquirer as a new one': 1,
  'the reversal that fences trusts the amount': 20,
  'a message that cannot be decided blocks its stream for ever': 2,
  'the till takes a reference alone for the sale': 1,
  'a till may capture more than was authorized': 6,
  'the gateway captures all that was authorized': 4,
  'a pending payment is reported absent': 1,
  'the gateway believes an offline record': 6,
  'the gateway believes a TC': 17,
  'a counter of a card is used up by any cryptogram': 47,
  'the gateway believes the age of an offline record': 29,
  'an offline record expires at the gateway by its own clock alone': 58,
  'a cancel is answered before its outcome is known': 2,
  'a request is sent again when nothing is known of it': 1,
  'the agent ignores the policy of its store': 5,
  'no answer counts as a decline': 1,
  'an approval that the card refused is not reversed': 1,
  'an AAC after an approval counts as approved': 1,
  'an AAC without the gateway counts as approved': 1,
  'the gateway reverses nothing where the card has refused': 1,
  'a card that refuses after a timeout ends its sale': 24,
  'the limits of a card are counted for each terminal': 4,
  'an offline record expires by the wall clock': 48,
  'an offline record expires at its store by the clock of the gateway alone': 10,
  'a clock that was set back is believed': 2,
  'an offline approval does not reverse the request before it': 6,
  'a payment that waits is resolved as if its answer were lost': 1,
  'a deadline ignores a decision that came before it': 35,
  'a return counts as an approval': 1,
  'a return after the end makes a second outcome': 1,
  'what a payment kept while it waited stays': 1,
  'the end of a wait is not in the commit of its outcome': 1,
  'a gateway takes what another one works on': 1,
  'a gateway goes on that others have taken over from': 1,
  'a late commit counts though others have taken over': 1,
  'what a commit relies on may change before it': 1,
  'no process looks at deadlines': 7,
  'a card is stored for each who brings it': 6,
  'an agreement belongs to no card': 6,
  'a refund is answered as declined': 6,
  'what follows a payment is carried out twice': 6,
  'a settlement counts every currency in hundredths': 6,
  'a settlement takes refunds for payments': 6,
  'a settlement takes the fee of a payment for a refund': 6,
  'a settlement counts an operation more': 6,
  'a settlement scales what it exchanges twice': 6,
  'a settlement takes the latest rate for that of its time': 6,
  'a settlement takes a fee of a chargeback': 6,
  'a settlement takes what was won back once more': 6,
  'a gift card of another merchant pays': 14,
  'an order takes a gift-card payment as it was before': 5,
  'what a gift card paid for a refused order stays paid': 5,
  'a notification is delivered whatever its answer is': 14,
  'an event gets two numbers': 14,
  'a payment that is declined is not notified': 14,
  'totals count what was requested': 1,
  'a receipt shows what was requested': 1,
};

/**
 * Deliberate bugs that every test run plants, one or two for each check that finds them. TILLBRIDGE_BUGS=all plants all, which takes
 * minutes; `npm run simulate -- --bugs` looks for the first seed of each anew.
 */
const OF_EVERY_RUN: ReadonlySet<MutationName> = new Set([
  'the journal answers before its transaction',
  'the gateway answers before its commit',
  'the queue mixes up the order of a stream',
  'the gateway takes a message once more under its id',
  'a device sells at any terminal',
  'an older session may still refuse',
  'an older session may still answer a cancel-if-unseen',
  'a sale of a cloned agent is forgotten',
  'the till takes a reference alone for the sale',
  'a till may capture more than was authorized',
  'a counter of a card is used up by any cryptogram',
  'an offline record expires at the gateway by its own clock alone',
  'a cancel is answered before its outcome is known',
  'the agent ignores the policy of its store',
  'an AAC without the gateway counts as approved',
  'the limits of a card are counted for each terminal',
  'a clock that was set back is believed',
  'a payment that waits is resolved as if its answer were lost',
  'a return after the end makes a second outcome',
  'a gateway goes on that others have taken over from',
  'what a commit relies on may change before it',
  'a card is stored for each who brings it',
  'a settlement counts every currency in hundredths',
  'a gift card of another merchant pays',
  'an event gets two numbers',
  'totals count what was requested',
  'a receipt shows what was requested',
]);
const isPlanted = (name: MutationName): boolean =>
  process.env.TILLBRIDGE_BUGS === 'all' || OF_EVERY_RUN.has(name);
const PLANTED = (Object.entries(CAUGHT_BY) as [MutationName, number][]).filter(([name]) => isPlanted(name));

/** A bug must be found within so many seeds: the list above is the shortcut to one of them. */
const SEEDS_TO_FIND_A_BUG = 200;

const honest = new Map<number, Promise<SimulationReport>>();

/** The simulation of a seed without a bug, run once. */
function honestSimulation(seed: number): Promise<SimulationReport> {
  const simulation = honest.get(seed) ?? runSimulation({ seed });
  honest.set(seed, simulation);
  return simulation;
}

describe('a simulation', () => {
  // Without its bug, each simulation that finds one keeps its promises too.
  const named = [...Object.keys(ONCE_BROKEN).map(Number), ...PLANTED.map(([, seed]) => seed)];
  const seeds = [...new Set([...FIRST_SEEDS, ...named])];

  it.each(seeds)('keeps its promises, seed %i', async (seed) => {
    const { breaches, sales } = await honestSimulation(seed);
    expect(breaches).toEqual([]);
    expect(sales).toBeGreaterThanOrEqual(100);
  });

  it('is the same again from the same seed, line by line, and another from another', async () => {
    const lines: string[] = [];
    const again = await runSimulation({ seed: 7, listener: (line) => lines.push(line) });
    const [first, other] = [await honestSimulation(7), await honestSimulation(8)];
    // The digest is that of all lines.
    expect(again).toEqual(first);
    expect(lines).toHaveLength(first.traceLines);
    expect(first.traceLines).toBeGreaterThan(200);
    expect(first.situations).not.toEqual({});
    expect(other.traceDigest).not.toBe(first.traceDigest);
  });

  it('has seen sales end in every way', async () => {
    const seen = new Set<string>();
    for (const seed of FIRST_SEEDS)
      for (const end of Object.keys((await honestSimulation(seed)).ends)) seen.add(end);
    for (const end of [
      'sale done approved online',
      'sale done approved offline-card',
      'sale done declined online',
      'sale done declined offline-card',
      'sale done reversed online',
      'sale done cancelled ',
      'sale done failed ',
      'sale done approved offline-deferred',
      'refund done approved online',
      'preauthorization done approved online',
    ])
      expect([...seen]).toContain(end);
  });
});

describe('a deliberate bug', () => {
  it('is found within few seeds', () => {
    for (const seed of Object.values(CAUGHT_BY)) expect(seed).toBeLessThanOrEqual(SEEDS_TO_FIND_A_BUG);
  });

  it.each(PLANTED)('is found: %s, by seed %i', async (name, seed) => {
    const { breaches } = await runSimulation({ seed, mutation: MUTATIONS[name], endsBroken: true });
    expect(breaches).not.toEqual([]);
  });

  const situations = [
    ['an approval in part whose answer is lost', 'the reversal that fences trusts the amount'],
    ['a reversal that is never decided', 'a message that cannot be decided blocks its stream for ever'],
    ['a message is parked late', 'an older session may still park a message'],
    ['a refusal is committed late', 'an older session may still refuse'],
    ['a cancel-if-unseen is answered late', 'an older session may still answer a cancel-if-unseen'],
  ] as const;
  const planted = situations.filter(([, name]) => isPlanted(name));
  it.each(planted)('is what breaks the simulation, and not its situation: %s', async (situation, name) => {
    const seed = CAUGHT_BY[name];
    expect((await runSimulation({ seed, mutation: SITUATIONS[situation] })).breaches).toEqual([]);
  });

  it('is what breaks those simulations of two gateways: without it they keep their promises', async () => {
    for (const [name, seed] of PLANTED) {
      const { nodes }: Mutation = MUTATIONS[name];
      if (nodes) expect((await runSimulation({ seed, nodes })).breaches, `seed ${seed}`).toEqual([]);
    }
  });
});
