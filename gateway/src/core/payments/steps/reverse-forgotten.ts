import { NO_REVERSAL } from '@tillbridge/wire/payment/lifecycle.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import type { Acquirer } from '../../acquirers/acquirer.js';
import type { BridgeOrigin, PaymentResult } from '../rules/requests.js';
import { bareResult, REVERSED_CODE } from '../rules/results.js';
import type { NewIds } from './message-ids.js';
import { intentIdOf } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';

/** The changes that explain these entries of the acquirer to the invariant check: the store has no payment for them. */
export async function explanationsOf(
  store: Pick<Store, 'get'>,
  references: readonly string[],
  messageId: string,
  nowMs: number,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const reference of references) {
    const [kind, subject] = ['acquirer-only', `entry/${reference}`];
    if (await store.get('explanations', [kind, subject])) continue;
    const note = `reversed because message ${messageId} was reversed, which this database had forgotten`;
    const row = { kind, subject, note, createdAtMs: nowMs, version: 1 };
    changes.push({ op: 'insert', table: 'explanations', row });
  }
  return changes;
}

/** The answer to a forgotten message, and the acquirer's entries that it explains. */
export interface Forgotten {
  readonly result: PaymentResult;
  readonly references: readonly string[];
}

/**
 * Reverses a message that the gateway does not know. Usually it never arrived, but a restored database may have forgotten it, and then the
 * acquirer still holds the money. So the gateway requests the status from the acquirer first, and reverses what the acquirer has. A repeat after a crash changes nothing:
 * every reference follows from a message id.
 * @returns undefined when the acquirer does not know the message either
 * @throws TryLaterError when the acquirer is silent: the till sends its reversal again
 */
export async function reverseForgotten(
  context: PaymentContext,
  origin: BridgeOrigin,
  messageId: string,
  ids: NewIds,
): Promise<Forgotten | undefined> {
  const { alerts, onFault } = context;
  const { agentId } = origin;
  const originalReference = intentIdOf(context, { agentId, messageId });
  try {
    const acquirer = await knownBy(context, originalReference);
    if (!acquirer) return undefined;
    const about = `the acquirer holds message ${messageId} of agent ${agentId}, which this database does not know`;
    onFault('a forgotten payment is reversed', new Error(about));
    await alerts.raise({ code: 'payment-forgotten', subject: agentId, detail: about });
    const { approved } = await acquirer.send({
      kind: 'reversal',
      acquirerReference: ids.intentId,
      originalReference,
      messageId: origin.messageId,
    });
    if (!approved) return { result: bareResult('refused', NO_REVERSAL), references: [] };
    const references = [originalReference, ids.intentId];
    return { result: bareResult('reversed', REVERSED_CODE), references };
  } catch (error) {
    onFault(`message ${messageId} of agent ${agentId} cannot be looked up at the acquirer`, error);
    throw new TryLaterError('the acquirer is silent: it is not known whether there is anything to reverse');
  }
}

/** The acquirer that has approved a request; undefined where none has. @throws AcquirerUnreachableError */
async function knownBy(
  { acquirer, links }: PaymentContext,
  reference: string,
): Promise<Acquirer | undefined> {
  for (const each of [acquirer, ...(links?.values() ?? [])]) {
    const status = await each.status(reference);
    if (status.state === 'answered' && status.answer.approved) return each;
  }
  return undefined;
}
