import { describe, expect, it } from 'vitest';
import { explore, from, replay } from './explorer.js';
import type { Action, Model } from './model.js';

interface Steps {
  readonly at: number;
  readonly other: number;
}
type Step = Action & { readonly by: 'at' | 'other'; readonly to: number };

/** Two counters that go up to three; names of counters mean nothing where the model is symmetric. */
function counters({
  isSymmetric = false,
  ...over
}: Partial<Model<Steps, Step>> & { isSymmetric?: boolean } = {}) {
  const model: Model<Steps, Step> = {
    name: 'counters',
    initial: { at: 0, other: 0 },
    actions: (state) =>
      (['at', 'other'] as const).flatMap((by) =>
        state[by] < 3 ? [{ name: `${by} goes to ${state[by] + 1}`, by, to: state[by] + 1 }] : [],
      ),
    step: (state, { by, to }) => ({ ...state, [by]: to }),
    key: ({ at, other }) => (isSymmetric ? [at, other].sort() : [at, other]).join(),
    violation: () => undefined,
    isEnd: ({ at, other }) => at === 3 && other === 3,
    ...over,
  };
  return model;
}

describe('an exploration', () => {
  it('visits every state once, and counts the ways between them', async () => {
    const found = await explore(counters());
    expect(found).toMatchObject({ states: 16, transitions: 24, depth: 6, ends: 1, endedBy: 'all' });
    expect(found.violation).toBeUndefined();
  });

  it('takes states that differ by names alone for one', async () => {
    expect(await explore(counters({ isSymmetric: true }))).toMatchObject({ states: 10, endedBy: 'all' });
  });

  it('gives the shortest way to a broken promise', async () => {
    const violation = ({ at, other }: Steps) => (at === 2 && other === 1 ? 'two and one' : undefined);
    const found = await explore(counters({ violation }));
    expect(found.endedBy).toBe('violation');
    expect(found.violation).toEqual({
      promise: 'two and one',
      trace: ['at goes to 1', 'at goes to 2', 'other goes to 1'],
    });
  });

  it('finds the first state from which no end can be reached', async () => {
    const isEnd = ({ at, other }: Steps) => at === 3 && other < 2;
    const found = await explore(counters({ isEnd }));
    expect(found.violation).toEqual({
      promise: 'P3: no true end can be reached from here',
      trace: ['other goes to 1', 'other goes to 2'],
    });
  });

  it('lets no end be reached by a further fault', async () => {
    const { actions } = counters();
    const faulty = counters({
      actions: (state) =>
        actions(state).map((step) => ({ ...step, isFault: step.by === 'other' && step.to === 3 })),
    });
    // From nowhere an end is reached: the trace leads to where nothing goes on.
    expect((await explore(faulty)).violation?.trace.length).toBe(5);
  });

  it.each([
    ['states', { states: 5 }],
    ['depth', { depth: 2 }],
    ['seconds', { seconds: -1 }],
    ['memoryMib', { memoryMib: 1 }],
  ] as const)('names the bound of %s that ended it, and breaks no promise by that', async (name, limits) => {
    const endless = counters({
      actions: ({ at }) => [{ name: `at goes to ${at + 1}`, by: 'at', to: at + 1 }],
      isEnd: () => false,
    });
    const found = await explore(endless, { depth: 2_000, ...limits });
    expect(found).toMatchObject({ endedBy: name });
    expect(found.violation).toBeUndefined();
  });

  it('takes steps that have to be waited for', async () => {
    const { step } = counters();
    expect(await explore(counters({ step: async (...call) => step(...call) }))).toMatchObject({ states: 16 });
  });
});

describe('a trace', () => {
  const trace = ['other goes to 1', 'at goes to 1'];

  it('is replayed to its last state, or to the first broken promise', async () => {
    expect(await replay(counters(), trace)).toEqual({ state: { at: 1, other: 1 }, promise: undefined });
    const violation = ({ other }: Steps) => (other === 1 ? 'other moved' : undefined);
    expect(await replay(counters({ violation }), trace)).toEqual({
      state: { at: 0, other: 1 },
      promise: 'other moved',
    });
  });

  it('is refused at the action that cannot happen any more', async () => {
    await expect(replay(counters(), [...trace, 'at goes to 3'])).rejects.toThrow('action 3 of the trace');
  });

  it('may be explored from its end', async () => {
    const { state } = await replay(counters(), trace);
    expect(await explore(from(counters(), state))).toMatchObject({ states: 9, depth: 4 });
  });
});
