import { meaningsOf, type PaymentFilter, parametersOf, type SearchedBy } from '../model/payment-search.js';
import type { GatewayClient } from './gateway-client.js';
import type { FollowUp, FoundPage, Payment, Story } from './payment-answers.js';

/** Payments of a page of the list. */
const PAGE = '50';
/** Parts of a file that are joined, each of 10,000 payments at most. */
const MOST_PARTS = 10;

/** What was found, and what the text was taken for. */
export interface Found extends FoundPage {
  readonly by: SearchedBy | undefined;
}

/** The newest payments that fit: for a text that may be several things, by the first of them that finds any. */
export async function findPayments(
  client: GatewayClient,
  filter: PaymentFilter,
  isUnattended: boolean,
): Promise<Found> {
  const meanings = filter.by !== undefined ? [filter.by] : meaningsOf(filter.text);
  const find = async (by: SearchedBy | undefined): Promise<Found> => {
    const query = new URLSearchParams({ ...parametersOf(filter, by), limit: PAGE });
    return { ...(await client.get<FoundPage>(`/v1/payments?${query}`, { isUnattended })), by };
  };
  let found: Found | undefined;
  for (const by of meanings) {
    found = await find(by);
    if (found.payments.length > 0) return found;
  }
  return found ? { ...found, by: meanings[0] } : find(undefined);
}

/** The page behind one. @param cursor its `next` */
export function olderPayments(
  client: GatewayClient,
  filter: PaymentFilter,
  by: SearchedBy | undefined,
  cursor: string,
): Promise<FoundPage> {
  return client.get(
    `/v1/payments?${new URLSearchParams({ ...parametersOf(filter, by), limit: PAGE, cursor })}`,
  );
}

/** The list as a CSV file, as far as one is made. */
export async function exportPayments(
  client: GatewayClient,
  filter: PaymentFilter,
  by: SearchedBy | undefined,
): Promise<{ readonly text: string; readonly count: number; readonly isAll: boolean }> {
  let text = '';
  let cursor: string | undefined;
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const query = new URLSearchParams({
      ...parametersOf(filter, by),
      ...(cursor !== undefined && { cursor }),
    });
    const file = await client.file(`/v1/payments/export?${query}`);
    text += part === 0 ? file.text : file.text.slice(file.text.indexOf('\r\n') + 2);
    cursor = file.next;
    if (cursor === undefined) break;
  }
  return { text, count: text.split('\r\n').length - 2, isAll: cursor === undefined };
}

/** A payment as it stands. */
export function readPayment(client: GatewayClient, id: string, isUnattended: boolean): Promise<Payment> {
  return client.get(`/v1/payments/${encodeURIComponent(id)}`, { isUnattended });
}

/** What happened to a payment. */
export function readStory(client: GatewayClient, id: string, isUnattended: boolean): Promise<Story> {
  return client.get(`/v1/payments/${encodeURIComponent(id)}/timeline`, { isUnattended });
}

/** The parameters of a follow-up, as the API takes them. @param amount decimal; absent: the whole */
export function followUpForm(
  followUp: FollowUp,
  about: {
    readonly entityId: string;
    readonly paymentType: string;
    readonly amount: string | undefined;
    readonly currency: string;
  },
): Record<string, string> {
  const { entityId, paymentType, amount, currency } = about;
  return {
    entityId,
    paymentType,
    ...(amount !== undefined && { amount, currency }),
    ...(followUp === 'increment' && { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }),
  };
}
