import { type CrashPoint, dieAt } from '../journal/crash-point.js';
import { UpdateError } from './base/update-error.js';
import {
  type Before,
  effectOf,
  isUnderWay,
  nextState,
  type Plan,
  type Slot,
  type UpdateEvent,
  type UpdateState,
} from './machine/update-machine.js';

/** What the effects of an update are carried out with. Each can be called again after a kill in the middle of it. */
export interface UpdatePorts {
  /** Makes a state durable. */
  save(state: UpdateState): void;
  current(): Slot;
  /** The others reject with {@link UpdateError} where they cannot be done. */
  unpack(plan: Plan): Promise<void>;
  rehearse(plan: Plan): Promise<void>;
  look(): Promise<{ readonly before: Before } | { readonly notYet: string }>;
  stop(): Promise<void>;
  copy(plan: Plan): Promise<void>;
  /** Puts the program of the plan into its slot where that is switched to, then switches. */
  switchTo(slot: Slot, plan: Plan): void;
  start(slot: Slot, before: Before | undefined): Promise<void>;
  /** Tells a person how far it is. */
  tell(state: UpdateState, notYet?: string): void;
  /** Waits until the store is to be looked at again; false: the patience is over. */
  waitForIdle(): Promise<boolean>;
  readonly crashAt?: CrashPoint;
}

/**
 * Carries an update out until it has ended, or until the patience for a busy store is over. A process that was killed is followed by another
 * call with the state that it left.
 */
export async function carryOut(first: UpdateState, ports: UpdatePorts): Promise<UpdateState> {
  let state = first;
  let shown = '';
  ports.tell(state);
  while (isUnderWay(state) && state.phase !== 'idle') {
    const { phase } = state;
    dieAt(ports.crashAt, `update-${phase}`, 'before');
    const event = await attempt(state, ports);
    dieAt(ports.crashAt, `update-${phase}`, 'after');
    if ('notYet' in event) {
      if (event.notYet !== shown) ports.tell(state, event.notYet);
      shown = event.notYet;
      if (!(await ports.waitForIdle())) return state;
      continue;
    }
    state = nextState(state, event);
    ports.save(state);
    ports.tell(state);
  }
  return state;
}

/** Goes on with what another process left. */
export function takeUp(state: UpdateState, ports: UpdatePorts): Promise<UpdateState> {
  const taken = nextState(state, { kind: 'taken-up', current: ports.current() });
  ports.save(taken);
  return carryOut(taken, ports);
}

type Attempted = UpdateEvent | { readonly notYet: string };

async function attempt(
  state: Exclude<UpdateState, { phase: 'idle' }>,
  ports: UpdatePorts,
): Promise<Attempted> {
  try {
    return await carryOutEffect(state, ports);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A full disk, a missing program: whatever it is, the old program goes on.
    const reason = error instanceof UpdateError ? error.message : `${error.name}: ${error.message}`;
    return { kind: 'failed', reason };
  }
}

async function carryOutEffect(
  state: Exclude<UpdateState, { phase: 'idle' }>,
  ports: UpdatePorts,
): Promise<Attempted> {
  const { plan, before } = state;
  const effect = effectOf(state);
  switch (effect?.do) {
    case 'unpack':
      await ports.unpack(plan);
      break;
    case 'rehearse':
      await ports.rehearse(plan);
      break;
    case 'look': {
      const found = await ports.look();
      return 'before' in found ? { kind: 'may-begin', before: found.before } : found;
    }
    case 'stop':
      await ports.stop();
      break;
    case 'copy':
      await ports.copy(plan);
      break;
    case 'switch':
      ports.switchTo(effect.to, plan);
      break;
    case 'start':
      await ports.start(effect.slot, before);
      break;
    default:
      break;
  }
  return { kind: 'done' };
}
