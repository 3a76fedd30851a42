import { ACCOUNT_DATA_REFUSED } from '@tillbridge/gateway/core/payments/rules/account-data-error.js';
import { ACCOUNT_FAILURE_LIMITS } from '@tillbridge/gateway/security/devices/account-failures.js';
import type { RestAnswer } from './rest-client.js';

/** Fields of answers that differ from one answer to the next whatever the request, and what is compared of them. */
const OF_EACH_ANSWER: Readonly<Record<string, (value: unknown) => unknown>> = {
  // Of the answer, and of what was made only for this request.
  ndc: isThere,
  timestamp: isThere,
  id: isThere,
  messageId: isThere,
  paymentId: isThere,
  checkoutId: isThere,
  registrationId: isThere,
  link: isThere,
  expiresInMs: isThere,
  timeMs: isThere,
  stateSince: isThere,
  createdAt: isThere,
  expiresAt: isThere,
  start: isThere,
  referencedId: isThere,
  signature: isThere,
  // Of the acquirer's and issuer's answer to one payment.
  approvalCode: isThere,
  AuthCode: isThere,
  authorizationAcquirerCode: isThere,
  ConnectorTxID1: isThere,
  identifier: isThere,
  iccDataResponse: isThere,
  // Begins with another number each time.
  descriptor: (value) => String(value).replace(/^\d{4}\.\d{4}\.\d{4}/, '(number)'),
};
const HEADERS_OF_EACH_ANSWER: readonly string[] = ['date'];

/**
 * The content of an answer, apart from the ids that its reader put into the request or owns.
 * @param known what stands for each of these ids
 */
export function comparable(answer: object, known: Readonly<Record<string, string>>): unknown {
  const names = new Map(Object.entries(known).map(([id, name]) => [id.toLowerCase(), `(${name})`]));
  const ids = wholeWords([...names.keys()]);
  return JSON.parse(JSON.stringify(answer), (name, value: unknown) => {
    const compared = OF_EACH_ANSWER[name]?.(value) ?? value;
    if (typeof compared !== 'string') return compared;
    return compared.replaceAll(ids, (id) => names.get(id.toLowerCase()) ?? id);
  });
}

/** The same of an answer over REST, with its status and headers. */
export function comparableRest(
  { status, headers, body }: RestAnswer,
  known: Readonly<Record<string, string>>,
) {
  const kept = Object.entries(headers).filter(([name]) => !HEADERS_OF_EACH_ANSWER.includes(name));
  return { status, headers: Object.fromEntries(kept), ...(comparable({ body }, known) as object) };
}

function isThere(value: unknown): unknown {
  return value === undefined || value === '' ? value : '(there)';
}

/** Not within a longer word: the four digits of a terminal stand in a random id now and then. */
function wholeWords(ids: readonly string[]): RegExp {
  const any = ids.map((id) => id.replaceAll(/[^\w-]/g, '\\$&')).join('|');
  return new RegExp(`(?<![a-z0-9])(?:${any})(?![a-z0-9])`, 'gi');
}

/**
 * An answer with the class of its time: whether a refusal of account data took what it takes at least.
 * @param looksAtAccountData elsewhere the same code may come at once
 */
export async function timed(send: () => Promise<unknown>, looksAtAccountData = true): Promise<unknown> {
  const sinceMs = performance.now();
  const answer = await send();
  const isFixed = looksAtAccountData && JSON.stringify(answer).includes(ACCOUNT_DATA_REFUSED.resultCode);
  return { answer, isInTime: !isFixed || performance.now() - sinceMs >= ACCOUNT_FAILURE_LIMITS.answerMs };
}
