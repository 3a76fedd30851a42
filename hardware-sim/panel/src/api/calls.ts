import { RefusedError } from '@tillbridge/panel-kit/refused-error.js';

/** Calls the simulator's REST. @throws RefusedError */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init =
    body === undefined
      ? { method }
      : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return read<T>(await reach(path, init));
}

/** Sends a recording as it is. @throws RefusedError */
export async function sendRecording<T>(text: string): Promise<T> {
  const headers = { 'content-type': 'application/x-ndjson' };
  return read<T>(await reach('/recordings', { method: 'POST', body: text, headers }));
}

/** The path of a terminal's route. */
export function terminalPath(id: string, route: string): string {
  return `/terminals/${encodeURIComponent(id)}/${route}`;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new RefusedError('unreachable', 'The simulator does not answer.');
  }
}

async function read<T>(response: Response): Promise<T> {
  const body = (await response.json().catch(() => undefined)) as
    | (T & { readonly error?: { readonly code: string; readonly message: string } })
    | undefined;
  if (response.ok && body !== undefined) return body;
  const { code = 'internal', message = `The simulator answered ${response.status}.` } = body?.error ?? {};
  throw new RefusedError(code, message);
}
