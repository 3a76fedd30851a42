import type { BetweenFrames, FrameValue } from '../shared/messages.js';
import { isFromSibling, isMessage } from './shop.js';

/**
 * Sends this frame's value to the frame that calls the gateway, and to no other.
 * @param held the checkout that it was opened for and its value; undefined while it was not
 */
export function answerValue(
  held: () => { readonly checkoutId: string; readonly value: FrameValue } | undefined,
): void {
  addEventListener('message', (event: MessageEvent) => {
    const own = held();
    if (!own || !isFromSibling(event) || !isMessage(event.data)) return;
    const message = event.data as BetweenFrames;
    if (message.type !== 'value?' || message.checkoutId !== own.checkoutId) return;
    const [field, value] = own.value;
    const answer: BetweenFrames = { type: 'value', field, value, request: message.request };
    event.source?.postMessage(answer, { targetOrigin: location.origin });
  });
}
