import { MAX_RANGES_LENGTH } from '@tillbridge/wire/three-d-secure/messages/codec.js';

/** How long the directory server may take, in milliseconds (EMV 3DS section 5.5: at least ten seconds for an ARes). */
const TIMEOUT_MS = 15_000;

/** Posts a message over HTTP; redirects are not followed, because they would carry a card number elsewhere. @throws Error without an answer */
export async function postMessage(url: string, text: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the directory server answered ${response.status}`);
  const answer = await response.text();
  if (answer.length > MAX_RANGES_LENGTH) throw new Error('the answer of the directory server is too long');
  return answer;
}
