import { describe, expect, it } from 'vitest';
import {
  effectOf,
  isUnderWay,
  nextState,
  type Plan,
  type Slot,
  type UpdateEvent,
  type UpdateState,
} from './update-machine.js';

/** A machine with two slots, its service, and a process that updates it: all that outlives that process, and what it is about to do. */
interface World {
  /** On the disk. */
  readonly state: UpdateState;
  readonly link: Slot;
  readonly slots: Readonly<Record<Slot, 'whole' | 'empty'>>;
  /** Where a release is unpacked. */
  readonly next: 'whole' | 'partial' | 'empty';
  /** The slot of the plan has its program. */
  readonly installed: boolean;
  /** Which program runs. */
  readonly runs: Slot | 'none';
  readonly rehearsed: boolean;
  readonly copied: boolean;
  /** The store was looked at since the machine started. */
  readonly looked: boolean;
  /** A sale is under way. */
  readonly busy: boolean;
  /** The process that updates: it lives, it has done the effect, or it was killed. */
  readonly process: 'lives' | 'has-done' | 'killed';
  /** What the effect came to, while it is not yet on the disk. */
  readonly result: UpdateEvent | undefined;
  readonly kills: number;
  readonly reboots: number;
  /** Whether the new program can be rehearsed, and works on the home; whether the old one does. */
  readonly isGood: { readonly rehearsal: boolean; readonly new: boolean; readonly old: boolean };
}

const BEFORE = { linked: true, ready: ['1001'] };
const DONE: UpdateEvent = { kind: 'done' };
const failed = (reason: string): UpdateEvent => ({ kind: 'failed', reason });

const planOf = (state: UpdateState): Plan | undefined => (state.phase === 'idle' ? undefined : state.plan);

function works(world: World, slot: Slot): boolean {
  const plan = planOf(world.state);
  return slot === plan?.slot ? world.isGood.new : world.isGood.old;
}

/** All that may come of the effect of the state, done as far as `isWhole` says. */
function outcomes(world: World, isWhole: boolean): readonly World[] {
  const effect = effectOf(world.state);
  const plan = planOf(world.state);
  if (!effect || !plan) return [];
  const done = (change: Partial<World>, result: UpdateEvent = DONE): World => ({
    ...world,
    ...change,
    process: 'has-done',
    result: isWhole ? result : undefined,
  });
  switch (effect.do) {
    case 'unpack':
      return isWhole
        ? [done({ next: 'whole' }), done({ next: 'empty' }, failed('disk full'))]
        : [done({ next: 'partial' })];
    case 'rehearse':
      return [done({ rehearsed: world.isGood.rehearsal }, world.isGood.rehearsal ? DONE : failed('no sale'))];
    case 'look':
      return world.busy && world.runs !== 'none'
        ? []
        : [done({ looked: true }, { kind: 'may-begin', before: BEFORE })];
    case 'stop':
      return [done({ runs: 'none', busy: false })];
    case 'copy':
      return isWhole ? [done({ copied: true }), done({}, failed('the journal is damaged'))] : [done({})];
    case 'switch': {
      const { slot } = plan;
      const isNew = effect.to === slot;
      if (isNew && world.next !== 'whole' && !world.installed)
        return [done({}, failed('nothing is unpacked'))];
      const full = {
        slots: { ...world.slots, [slot]: 'whole' as const },
        next: 'empty',
        installed: true,
      } as const;
      const half = {
        ...full,
        slots: { ...world.slots, [slot]: 'empty' as const },
        next: world.next,
        installed: false,
      };
      const moves = isNew && !world.installed;
      if (isWhole) return [done({ ...(isNew && full), link: effect.to })];
      return [done({}), ...(moves ? [done(half), done(full)] : [])];
    }
    case 'start': {
      const runs = world.runs === 'none' ? world.link : world.runs;
      const isHealthy = runs === effect.slot && works(world, effect.slot);
      return [done({ runs }, isHealthy ? DONE : failed('not healthy'))];
    }
  }
}

/** Every next world: of the process that updates, of kills, of starts of the machine, of sales. */
function steps(world: World): readonly World[] {
  const next: World[] = [];
  if (world.process === 'lives') next.push(...outcomes(world, true));
  if (world.process === 'has-done' && world.result)
    next.push({ ...world, state: nextState(world.state, world.result), process: 'lives', result: undefined });
  if (world.process === 'killed') {
    const state = nextState(world.state, { kind: 'taken-up', current: world.link });
    next.push({ ...world, state, process: 'lives', result: undefined });
  }
  if (world.process !== 'killed' && world.kills > 0) {
    const killed = { process: 'killed', result: undefined, kills: world.kills - 1 } as const;
    next.push({ ...world, ...killed });
    // In the middle of an effect, and behind it before its result is on the disk.
    if (world.process === 'lives')
      for (const half of [...outcomes(world, false), ...outcomes(world, true)])
        next.push({ ...half, ...killed });
  }
  if (world.reboots > 0)
    next.push({
      ...world,
      process: 'killed',
      result: undefined,
      runs: world.link,
      looked: false,
      busy: false,
      reboots: world.reboots - 1,
    });
  if (world.runs !== 'none') next.push({ ...world, busy: !world.busy });
  return next;
}

/** What must hold in every world. */
function breaches(world: World): readonly string[] {
  const { state, link, slots, runs } = world;
  const wrong: string[] = [];
  const plan = planOf(state);
  if (slots[link] !== 'whole') wrong.push('the link names a slot that is not whole');
  if (runs !== 'none' && slots[runs] !== 'whole') wrong.push('a program runs that is not whole');
  if (plan && link === plan.slot && !(world.rehearsed && world.copied && world.installed))
    wrong.push('the link names a program that was not rehearsed, or whose journal has no copy');
  if (state.phase === 'updated' && (link !== plan?.slot || !world.isGood.new))
    wrong.push('updated to a program that does not work');
  if ((state.phase === 'refused' || state.phase === 'rolled-back') && link !== plan?.from)
    wrong.push('the program of before is not the one that starts');
  if (state.phase === 'stuck' && world.isGood.old) wrong.push('stuck, and the old program works');
  if (!isUnderWay(state) && runs === 'none') wrong.push('it has ended, and no agent runs');
  return wrong;
}

/** What a step must not do. */
function wrongStep(from: World, to: World): string | undefined {
  const { phase } = from.state;
  if (phase === 'stopping' && from.runs !== 'none' && to.runs === 'none' && !from.looked)
    return 'stopped without a look at the store since the machine started';
  if (from.runs !== 'none' && !from.copied && to.copied) return 'copied while an agent runs';
  if (from.runs !== 'none' && from.link !== to.link) return 'switched while an agent runs';
  return undefined;
}

const PLAN: Plan = { kind: 'update', release: 2, version: '0.2.0', slot: 'b', from: 'a' };

function explore(first: World): {
  readonly worlds: Map<string, World>;
  readonly edges: Map<string, string[]>;
} {
  const worlds = new Map<string, World>([[JSON.stringify(first), first]]);
  const edges = new Map<string, string[]>();
  for (const [key, world] of worlds) {
    const found = breaches(world);
    if (found.length > 0) throw new Error(`${found.join('; ')}: ${key}`);
    const next = steps(world).map((to) => {
      const wrong = wrongStep(world, to);
      if (wrong) throw new Error(`${wrong}: ${key}`);
      const toKey = JSON.stringify(to);
      if (!worlds.has(toKey)) worlds.set(toKey, to);
      return toKey;
    });
    edges.set(key, next);
  }
  return { worlds, edges };
}

/** The worlds from which an end is reached without a further kill. */
function ending(
  worlds: ReadonlyMap<string, World>,
  edges: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const back = new Map<string, string[]>();
  for (const [from, tos] of edges)
    for (const to of tos) {
      const [a, b] = [worlds.get(from), worlds.get(to)];
      if (a?.kills !== b?.kills || a?.reboots !== b?.reboots) continue;
      back.set(to, [...(back.get(to) ?? []), from]);
    }
  const found = new Set([...worlds].filter(([, { state }]) => !isUnderWay(state)).map(([key]) => key));
  for (const key of found) for (const from of back.get(key) ?? []) found.add(from);
  return found;
}

const TRUTHS = [true, false].flatMap((rehearsal) =>
  [true, false].flatMap((isNew) => [true, false].map((old) => ({ rehearsal, new: isNew, old }))),
);

describe('an update, with every kill and every start of the machine in every place', () => {
  it.each(TRUTHS.flatMap((isGood) => (['update', 'rollback'] as const).map((kind) => ({ kind, ...isGood }))))(
    '$kind: the rehearsal works: $rehearsal, the new program: $new, the old one: $old',
    ({ kind, ...isGood }) => {
      const first: World = {
        state: nextState({ phase: 'idle' }, { kind: 'begin', plan: { ...PLAN, kind } }),
        link: 'a',
        slots: { a: 'whole', b: 'whole' },
        next: 'empty',
        installed: kind === 'rollback',
        runs: 'a',
        rehearsed: false,
        copied: false,
        looked: false,
        busy: false,
        process: 'lives',
        result: undefined,
        kills: 2,
        reboots: 1,
        isGood,
      };
      const { worlds, edges } = explore(first);
      const all = [...worlds.values()];
      expect(all.length).toBeGreaterThan(40);
      const canEnd = ending(worlds, edges);
      expect([...worlds.keys()].filter((key) => !canEnd.has(key))).toEqual([]);
      const ends = new Set(all.map(({ state }) => state.phase).filter((phase) => phase === 'updated'));
      expect(ends.size).toBe(isGood.rehearsal && isGood.new ? 1 : 0);
    },
  );
});

describe('the machine', () => {
  const walk = (events: readonly UpdateEvent[]): UpdateState =>
    events.reduce(nextState, { phase: 'idle' } as UpdateState);
  const begin: UpdateEvent = { kind: 'begin', plan: PLAN };
  const mayBegin: UpdateEvent = { kind: 'may-begin', before: BEFORE };

  it('takes up what a killed process left in front of the switch with another look at the store', () => {
    const copying = walk([begin, DONE, DONE, mayBegin, DONE]);
    expect(copying.phase).toBe('copying');
    expect(nextState(copying, { kind: 'taken-up', current: 'a' }).phase).toBe('waiting');
    const switching = nextState(copying, DONE);
    expect(nextState(switching, { kind: 'taken-up', current: 'a' }).phase).toBe('waiting');
    expect(nextState(switching, { kind: 'taken-up', current: 'b' }).phase).toBe('starting');
  });

  it('goes back where the new program is not healthy, and keeps the reason', () => {
    const starting = walk([begin, DONE, DONE, mayBegin, DONE, DONE, DONE]);
    const back = [failed('no answer'), DONE, DONE].reduce(nextState, starting);
    expect(back).toMatchObject({ phase: 'restarting', reason: 'no answer' });
    expect(nextState(back, DONE)).toMatchObject({ phase: 'rolled-back', reason: 'no answer' });
    expect(nextState(back, failed('also silent'))).toMatchObject({
      phase: 'stuck',
      reason: 'no answer; then also silent',
    });
  });

  it('takes another plan only as long as nothing of the store was touched', () => {
    const waiting = walk([begin, DONE, DONE]);
    const other = { ...PLAN, release: 3 };
    expect(nextState(waiting, { kind: 'begin', plan: other })).toEqual({ phase: 'unpacking', plan: other });
    expect(() => nextState(nextState(waiting, mayBegin), begin)).toThrow('cannot begin in stopping');
  });
});
