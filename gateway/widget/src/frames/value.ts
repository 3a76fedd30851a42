import type { BetweenFrames, FrameValue } from '../shared/messages.js';
import { isFromSibling, isMessage } from './shop.js';

/**
 * Answers the frame that speaks with the gateway, and nobody else, what this frame holds.
 * @param held the checkout that it was opened for and its value; undefined while it was not
 */
export function answerValue(
  held: () => { readonly checkoutId: string; readonly value: FrameValue } | undefined,
): void {
  addEventListener('message', (event: MessageEvent) => {
    const own = held();
    if (!own || !isFromSibling(event) || !isMessage(event.data)) return;
    const asked = event.data as BetweenFrames;
    if (asked.type !== 'value?' || asked.checkoutId !== own.checkoutId) return;
    const [field, value] = own.value;
    const answer: BetweenFrames = { type: 'value', field, value, request: asked.request };
    event.source?.postMessage(answer, { targetOrigin: location.origin });
  });
}
