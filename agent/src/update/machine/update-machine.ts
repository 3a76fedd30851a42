/** One of the two places for the program. */
export type Slot = 'a' | 'b';

/** What an update, or a way back, is about. */
export interface Plan {
  /** `update`: the slot is filled first. `rollback`: it has the program of before. */
  readonly kind: 'update' | 'rollback';
  readonly release: number;
  readonly version: string;
  /** Where the program is that is to run. */
  readonly slot: Slot;
  /** Where the one is that runs. */
  readonly from: Slot;
}

/** How the store stood before the agent was stopped: a new program has to bring it back. */
export interface Before {
  readonly linked: boolean;
  /** Ids of the terminals that were ready. */
  readonly ready: readonly string[];
}

/** States in which something is to be done. */
export type WorkingPhase =
  | 'unpacking'
  | 'rehearsing'
  | 'waiting'
  | 'stopping'
  | 'copying'
  | 'switching'
  | 'starting'
  | 'resuming'
  | 'going-back'
  | 'switching-back'
  | 'restarting';

/** States in which an update has ended. */
export type EndPhase = 'updated' | 'refused' | 'rolled-back' | 'stuck';

/** The state of an update, which is on the disk before anything is done about it. */
export type UpdateState =
  | { readonly phase: 'idle' }
  | {
      readonly phase: WorkingPhase | EndPhase;
      readonly plan: Plan;
      readonly before?: Before;
      /** Why it does not go forward. */
      readonly reason?: string;
    };

/** What is to be done in a state. Each effect can be done again from its beginning. */
export type UpdateEffect =
  | { readonly do: 'unpack' | 'rehearse' | 'look' | 'stop' | 'copy' }
  | { readonly do: 'switch'; readonly to: Slot }
  | { readonly do: 'start'; readonly slot: Slot };

/** What has happened. */
export type UpdateEvent =
  | { readonly kind: 'begin'; readonly plan: Plan }
  /** The effect of the state was done. */
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The store is idle, or its window is open. */
  | { readonly kind: 'may-begin'; readonly before: Before }
  /** Another process goes on; `current`: the slot whose program starts now. */
  | { readonly kind: 'taken-up'; readonly current: Slot };

/** What a state has done; undefined where an update has ended, or none was begun. */
export function effectOf(state: UpdateState): UpdateEffect | undefined {
  if (state.phase === 'idle') return undefined;
  const { slot, from } = state.plan;
  switch (state.phase) {
    case 'unpacking':
      return { do: 'unpack' };
    case 'rehearsing':
      return { do: 'rehearse' };
    case 'waiting':
      return { do: 'look' };
    case 'stopping':
    case 'going-back':
      return { do: 'stop' };
    case 'copying':
      return { do: 'copy' };
    case 'switching':
      return { do: 'switch', to: slot };
    case 'switching-back':
      return { do: 'switch', to: from };
    case 'starting':
      return { do: 'start', slot };
    case 'resuming':
    case 'restarting':
      return { do: 'start', slot: from };
    default:
      return undefined;
  }
}

/** Whether a plan can be put aside for another one: nothing of the store was touched. */
export function isReplaceable({ phase }: UpdateState): boolean {
  return phase === 'unpacking' || phase === 'rehearsing' || phase === 'waiting' || !isWorking(phase);
}

/** Whether something is to be done. */
export function isUnderWay(state: UpdateState): boolean {
  return isWorking(state.phase);
}

function isWorking(phase: UpdateState['phase']): boolean {
  return !['idle', 'updated', 'refused', 'rolled-back', 'stuck'].includes(phase);
}

/** What follows when the effect of a state was done. */
const FORWARD: Readonly<Record<WorkingPhase, WorkingPhase | EndPhase>> = {
  unpacking: 'rehearsing',
  rehearsing: 'waiting',
  waiting: 'stopping',
  stopping: 'copying',
  copying: 'switching',
  switching: 'starting',
  starting: 'updated',
  resuming: 'refused',
  'going-back': 'switching-back',
  'switching-back': 'restarting',
  restarting: 'rolled-back',
};

/** What follows when it failed: in front of the switch the old program goes on, behind it the way leads back. */
const BACK: Readonly<Record<WorkingPhase, WorkingPhase | EndPhase>> = {
  unpacking: 'refused',
  rehearsing: 'refused',
  waiting: 'refused',
  stopping: 'resuming',
  copying: 'resuming',
  switching: 'going-back',
  starting: 'going-back',
  resuming: 'stuck',
  'going-back': 'switching-back',
  'switching-back': 'stuck',
  restarting: 'stuck',
};

/**
 * The state that follows an event. The caller makes it durable before it does the effect of it. Pure.
 * @throws RangeError for an event that cannot happen in the state: a fault of the caller
 */
export function nextState(state: UpdateState, event: UpdateEvent): UpdateState {
  if (event.kind === 'begin') {
    if (!isReplaceable(state)) throw new RangeError(`an update cannot begin in ${state.phase}`);
    const { plan } = event;
    return { phase: plan.kind === 'update' ? 'unpacking' : 'rehearsing', plan };
  }
  if (state.phase === 'idle') throw new RangeError(`${event.kind} without an update`);
  if (!isWorking(state.phase)) {
    if (event.kind === 'taken-up') return state;
    throw new RangeError(`${event.kind} after the end of an update`);
  }
  const phase = state.phase as WorkingPhase;
  if (event.kind === 'taken-up') return { ...state, phase: takenUp(phase, state.plan, event.current) };
  if (event.kind === 'failed') {
    // What began the way back stays the reason of it.
    const reason = state.reason === undefined ? event.reason : `${state.reason}; then ${event.reason}`;
    return { ...state, phase: BACK[phase], reason };
  }
  if ((event.kind === 'may-begin') !== (phase === 'waiting'))
    throw new RangeError(`${event.kind} in ${phase}`);
  const next = { ...state, phase: FORWARD[phase] };
  return event.kind === 'may-begin' ? { ...next, before: event.before } : next;
}

/**
 * The machine may have started anew meanwhile, and the agent with it: in front of the switch its store is looked at once more before it is
 * stopped. Whether a link was switched is seen, not remembered.
 */
function takenUp(phase: WorkingPhase, { slot }: Plan, current: Slot): WorkingPhase {
  if (phase === 'switching') return current === slot ? 'starting' : 'waiting';
  // The program that is not healthy may run again.
  if (phase === 'switching-back') return 'going-back';
  return phase === 'stopping' || phase === 'copying' ? 'waiting' : phase;
}
