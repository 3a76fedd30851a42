import type { Owner } from '@tillbridge/gateway/kernel/nodes/node-lease.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { redirected } from './redirected.js';

/** Deliberate bugs of gateways that share a database. */

/** Looks at no lease: whatever another one has begun may be taken. */
export function takesAtOnce(owner: Owner): Owner {
  const bound = (of: Owner): Owner => ({
    id: of.id,
    othersEnded: of.othersEnded,
    guard: () => of.guard(),
    isHeld: () => of.isHeld(),
    mayTake: async () => true,
    asNow: () => bound(of.asNow()),
  });
  return bound(owner);
}

/** Works by its lease, and commits whether it still stands or not. */
export function guardsNoCommit(owner: Owner): Owner {
  const unguarded = (of: Owner): Owner => ({
    get id() {
      return of.id;
    },
    get othersEnded() {
      return of.othersEnded;
    },
    guard: () => NOTHING,
    isHeld: () => of.isHeld(),
    mayTake: (other) => of.mayTake(other),
    asNow: () => unguarded(of.asNow()),
  });
  return unguarded(owner);
}

/** A condition that always holds: no process deletes the tables of the first day. */
const NOTHING: Change = { op: 'require-absent', table: 'nodes', index: 'primary', values: [''] };

/** Demands of no commit that its lease stands, and sends without one. */
export function knowsNoFence(owner: Owner): Owner {
  const unfenced: Owner = {
    get id() {
      return owner.id;
    },
    get othersEnded() {
      return owner.othersEnded;
    },
    guard: () => NOTHING,
    isHeld: () => true,
    mayTake: (other) => owner.mayTake(other),
    asNow: () => unfenced,
  };
  return unfenced;
}

/** Judges what a commit demands of rows that it does not write by what they were before (write skew). */
export function reliesOnOldRows(store: Store): Store {
  const isDemand = ({ op }: Change): boolean => op === 'require-absent' || op === 'require-field';
  return redirected(store, {
    commit: (changes: readonly Change[]) => store.commit(changes.filter((change) => !isDemand(change))),
  });
}
