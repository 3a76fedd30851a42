import type { ReturnMessage } from '../shared/messages.js';

// The page at the end of a challenge: inside our own frame it reports to that one, which reports to the page of the shop; anywhere else the browser
// goes on to the shop.

const url = document.getElementById('on')?.getAttribute('href') ?? '';
if (isInOurFrame())
  parent.postMessage({ type: 'tillbridge-returned', url } satisfies ReturnMessage, location.origin);
else location.replace(url);

function isInOurFrame(): boolean {
  try {
    return parent !== window && parent.location.origin === location.origin;
  } catch {
    return false;
  }
}
