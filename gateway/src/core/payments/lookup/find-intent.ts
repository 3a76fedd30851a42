import type { IntentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';

/** The intent of an agent's message. @throws StoreUnavailableError */
export async function intentOfMessage(
  store: Pick<Store, 'find'>,
  agentId: string,
  messageId: string,
): Promise<IntentRow | undefined> {
  return (await store.find('intents', 'message', [agentId, messageId], { limit: 1 }))[0];
}

/** The intent whose outcome becomes the payment. @throws StoreUnavailableError */
export async function intentOfPayment(
  store: Pick<Store, 'find'>,
  paymentId: string,
): Promise<IntentRow | undefined> {
  return (await store.find('intents', 'payment', [paymentId], { limit: 1 }))[0];
}
