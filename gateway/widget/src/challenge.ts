import { CHALLENGE_WINDOWS } from '@tillbridge/wire/three-d-secure/challenge-windows.js';
import type { FormContext, PaymentForm } from './forms/context.js';
import { framePage } from './shared/cache-version.js';
import { Frame } from './shared/frame.js';
import type { FromChallenge, ToChallenge } from './shared/messages.js';
import { callHook, options } from './shared/options.js';

/** Height where no window has one. */
const DEFAULT_HEIGHT = 600;

/**
 * Shows the page of a bank in place of a form.
 * @param url page of the gateway that leads to the bank
 * @param windowCode digit of the window that was sent to the bank
 * @param returned gets the URL at which the shop receives the end
 */
export function showChallenge(
  { address, language }: FormContext,
  { container, element: form }: PaymentForm,
  { url, windowCode, returned }: { url: string; windowCode: string; returned: (url: string) => void },
): Frame<ToChallenge, FromChallenge> {
  const title = language.texts.confirmAtBank;
  const frame: Frame<ToChallenge, FromChallenge> = new Frame({
    src: framePage(address.base, 'challenge'),
    name: 'cnpIframe',
    title,
    classes: ['wpwl-target'],
    take: (message) => {
      if (message.type === 'ready') frame.tell({ type: 'open', url, title });
      else if (message.type === 'loaded') callHook(options().onLoadThreeDIframe, frame.element);
      else if (message.type === 'returned') returned(message.url);
    },
  });
  const { threeDIframeSize: size } = options();
  const window = CHALLENGE_WINDOWS[`0${windowCode}` as keyof typeof CHALLENGE_WINDOWS];
  frame.element.style.width = length(size?.width) ?? (window ? `${window.width}px` : '100%');
  frame.element.style.height = length(size?.height) ?? `${window?.height ?? DEFAULT_HEIGHT}px`;
  form.classList.add('wpwl-hidden');
  container.append(frame.element);
  frame.element.focus();
  return frame;
}

/** A number of pixels or a CSS length of the shop. */
function length(value: unknown): string | undefined {
  if (typeof value === 'number') return `${value}px`;
  return typeof value === 'string' && /^\d+(px|%|em|rem|vh|vw)?$/.test(value)
    ? value.replace(/^\d+$/, '$&px')
    : undefined;
}
