import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { Owner } from '../../../kernel/nodes/node-lease.js';
import type { IntentRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../../kernel/store/store.js';

/** The node that works on payments; absent: there is no other one. */
interface NodeContext {
  readonly node?: Owner;
}

/** The context of one request: what is begun in it ends with the lease that the node has now, also where the node has a new one by then. */
export function asNow<C extends NodeContext>(context: C): C {
  return context.node ? { ...context, node: context.node.asNow() } : context;
}

/** Fails a commit before an acquirer request when another node has taken over from this one. */
export function ownerGuard({ node }: NodeContext): readonly Change[] {
  return node ? [node.guard()] : [];
}

/** The intent as an open one of this node. */
export function asOpen({ node }: NodeContext, intent: IntentRow): IntentRow {
  return { ...intent, state: 'open', owner: node?.id ?? null };
}

/** Whether another node works on the intent now. @throws StoreUnavailableError */
export async function isElsewhere({ node }: NodeContext, { owner }: IntentRow): Promise<boolean> {
  return node !== undefined && !(await node.mayTake(owner));
}

/**
 * Takes an open intent over from a node that has ended.
 * @returns the intent, now of this node where it is open; undefined while another node works on it
 * @throws StoreUnavailableError
 */
export async function takeOver(
  context: NodeContext & { readonly store: Pick<Store, 'get' | 'commit'> },
  intent: IntentRow,
): Promise<IntentRow | undefined> {
  const { node, store } = context;
  // What is done or waits needs no owner, and is never opened again by a node that read it before its end.
  if (intent.state !== 'open' || !node || intent.owner === node.id) return intent;
  if (await isElsewhere(context, intent)) return undefined;
  const row = asOpen(context, intent);
  try {
    await store.commit([...ownerGuard(context), { op: 'update', table: 'intents', row }]);
    return { ...row, version: row.version + 1 };
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    // Another node was faster.
    const stored = await store.get('intents', [intent.id]);
    return stored?.state === 'done' ? stored : undefined;
  }
}

/** @throws TryLaterError where the lease of this node is over by its own time: others may be at work on what it owns */
export function assertHeld({ node }: NodeContext, paymentId: string): void {
  if (node && !node.isHeld())
    throw new TryLaterError(
      'this node was silent for too long: another one finds out the outcome',
      paymentId,
    );
}
