import { ControlError, type ControlErrorCode } from '../errors/control-error.js';

/** Longest wait for the acquirer host. */
const TIMEOUT_MS = 5_000;

/**
 * Calls the REST control of the acquirer host, which is a separate process.
 * @param url undefined: no host is configured
 * @throws ControlError no-acquirer-host when no host answers, bad-request with the host's own words
 */
export async function callAcquirerControl(
  url: string | undefined,
  method: 'GET' | 'PUT',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response =
    url &&
    (await fetch(new URL(path, url), {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined));
  if (!response)
    throw new ControlError(
      'no-acquirer-host',
      'the acquirer host does not answer: start it with "tillbridge-sim acquirer-host"',
    );
  const answer = (await response.json().catch(() => undefined)) as
    | { error?: { message?: string } }
    | undefined;
  if (response.ok) return answer;
  const code: ControlErrorCode = response.status < 500 ? 'bad-request' : 'no-acquirer-host';
  throw new ControlError(code, answer?.error?.message ?? `the acquirer host answered ${response.status}`);
}

/** Rules and faults of the acquirer host, or why there are none. */
export async function acquirerHostView(url: string | undefined): Promise<object> {
  try {
    const [rules, faults] = await Promise.all(
      ['/rules', '/faults'].map((path) => callAcquirerControl(url, 'GET', path)),
    );
    return { running: true, rules, faults };
  } catch (error) {
    if (error instanceof ControlError) return { running: false, reason: error.message };
    throw error;
  }
}
