import { describe, expect, it } from 'vitest';
import { LINK_MUTATIONS, type LinkMutation, type LinkMutationName } from '../mutations/link-mutations.js';
import { runLinkSimulation } from './link-simulation.js';

/** Seeds of every test run: even ones have two nodes. */
const FIRST_SEEDS = [1, 2, 3, 4];

/** Seeds that once broke a promise, and what was wrong. */
const ONCE_BROKEN: Readonly<Record<number, string>> = {
  5000121: 'what a host carried out without an answer, and reversed by a late reversal, was never reported',
  5000150: 'a node sent the reversal that another one had sent, without the flag of a repeat',
  5000195: 'the same as 5000121, of a refund',
};

/** For each deliberate bug a seed whose simulation finds it. */
const CAUGHT_BY: Readonly<Record<LinkMutationName, number>> = {
  'an approval that comes after its reversal stands': 1,
  'an approval that comes after its reversal is believed': 1,
  'what a host carried out after its reversal stands where its answer was lost': 4,
  'a trace number names two messages': 1,
  'a retrieval reference number names two payments': 1,
  'two gateways take the same numbers for their messages': 8,
  'a reversal that is sent again lacks the flag of a repeat': 1,
  'a reversal without an answer is not sent again': 1,
  'an advice that is repeated is sent as another one': 1,
  'the reversal of a part approval names what was requested': 5,
  'a reversal leaves half of what was approved': 1,
  'totals of a settlement day leave reversals out': 1,
  'a settlement day goes on after its end': 1,
  'totals of a settlement day are never compared': 1,
  'a zone key that was replaced is given up at once': 5,
  'a new zone key is forgotten with its process': 2,
};

const honest = new Map<string, Promise<readonly string[]>>();

/** What a simulation without a bug breaks, run once. */
function breachesOf(seed: number, nodes?: LinkMutation['nodes']): Promise<readonly string[]> {
  const key = `${seed} ${nodes}`;
  const breaches =
    honest.get(key) ?? runLinkSimulation({ seed, ...(nodes && { nodes }) }).then((report) => report.breaches);
  honest.set(key, breaches);
  return breaches;
}

describe('a link to an acquirer', () => {
  it.each([...FIRST_SEEDS, ...Object.keys(ONCE_BROKEN).map(Number)])(
    'keeps its promises, seed %i',
    async (seed) => {
      expect(await breachesOf(seed)).toEqual([]);
    },
  );

  it('is the same again from the same seed, and another from another', async () => {
    const digest = async (seed: number) => (await runLinkSimulation({ seed })).traceDigest;
    expect(await digest(2)).toBe(await digest(2));
    expect(await digest(2)).not.toBe(await digest(4));
  });
});

describe('a deliberate bug of a link', () => {
  it.each(Object.entries(CAUGHT_BY) as [LinkMutationName, number][])(
    'is found: %s (seed %i), and without it nothing is',
    async (name, seed) => {
      const { nodes, ...mutation }: LinkMutation = LINK_MUTATIONS[name];
      const alike = { seed, ...(nodes && { nodes }) };
      expect((await runLinkSimulation({ ...alike, mutation })).breaches).not.toEqual([]);
      expect(await breachesOf(seed, nodes)).toEqual([]);
    },
  );
});
