/** The running simulator could not be reached, or refused; the message is for the command line. */
class ControlCallError extends Error {
  override readonly name = 'ControlCallError';
}

/** Longest wait for the simulator. */
const TIMEOUT_MS = 10_000;

/** Calls the REST control of a running simulator. @throws ControlCallError */
export async function callControl(
  url: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await ask(url, method, path, body);
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { error } = (answer ?? {}) as { error?: { message?: string } };
  throw new ControlCallError(error?.message ?? `the simulator answered ${response.status}`);
}

async function ask(url: string, method: string, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(new URL(path, url), {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
  } catch {
    throw new ControlCallError(
      `no simulator answers at ${url}: start it with "tillbridge-sim run", or name it with --url`,
    );
  }
}
