import { systemCode } from '@tillbridge/platform/system-code.js';

/** Where the gateway is, and what a developer's commands may do there. */
export interface DeveloperAccess {
  /** Origin of the gateway. */
  readonly url: string;
  readonly token: string;
  readonly entityId: string;
  /** Token with the right to the simulator, which belongs to the operator. */
  readonly simulatorToken?: string;
}

/** The gateway answered, and refuses: asking again changes nothing. Exit code 2. */
export class GatewayRefusedError extends Error {
  override readonly name = 'GatewayRefusedError';
}

/** The gateway cannot be reached, or cannot do it now: asking again may help. Exit code 2. */
class GatewayUnreachableError extends Error {
  override readonly name = 'GatewayUnreachableError';
}

/** An answer of the gateway; which members it has depends on the path. */
export type ApiAnswer = Readonly<Record<string, unknown>> & {
  readonly result: { readonly code: string; readonly description: string };
};

/**
 * Calls the gateway's API.
 * @param refused statuses that are an answer to the caller, such as 400 for a payment that was declined
 * @throws GatewayRefusedError, GatewayUnreachableError
 */
export async function callApi(
  { url, token, entityId }: DeveloperAccess,
  method: 'GET' | 'POST',
  path: string,
  form: Readonly<Record<string, string>> = {},
  refused: readonly number[] = [],
): Promise<ApiAnswer> {
  const text = new URLSearchParams({ entityId, ...form }).toString();
  const response = await fetch(`${url}${path}${method === 'GET' ? `?${text}` : ''}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
    },
    ...(method === 'POST' && { body: text }),
  }).catch(({ cause }: Error) => {
    throw new GatewayUnreachableError(`the gateway cannot be reached at ${url}: ${systemCode(cause)}`);
  });
  const answer = (await response.json()) as ApiAnswer;
  const { status } = response;
  if (response.ok || refused.includes(status)) return answer;
  const message = `${method} ${path}: ${status}, ${answer.result.code} ${answer.result.description}`;
  if (status === 429 || status >= 500) throw new GatewayUnreachableError(message);
  throw new GatewayRefusedError(message);
}
