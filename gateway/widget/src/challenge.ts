import { CHALLENGE_WINDOWS } from '@tillbridge/wire/three-d-secure/challenge-windows.js';
import type { FormContext } from './forms/context.js';
import { openSheet } from './forms/sheet.js';
import { framePage } from './shared/cache-version.js';
import { Frame } from './shared/frame.js';
import type { FromChallenge, ToChallenge } from './shared/messages.js';
import { callHook, options } from './shared/options.js';

/** What a challenge is shown with. */
interface ChallengeOptions {
  /** Page of the gateway that leads to the bank. */
  readonly url: string;
  /** Digit of the window that was sent to the bank. */
  readonly windowCode: string;
  /** Gets the URL at which the shop receives the end. */
  readonly returned: (url: string) => void;
  /** The shopper leaves the bank, and may pay otherwise. */
  readonly left: () => void;
}

/** Shows the page of a bank on a sheet over the page. Returns what takes it away. */
export function showChallenge(
  context: FormContext,
  { url, windowCode, returned, left }: ChallengeOptions,
): () => void {
  const title = context.language.texts.confirmAtBank;
  const frame: Frame<ToChallenge, FromChallenge> = new Frame({
    src: framePage(context.address.base, 'challenge'),
    name: 'cnpIframe',
    title,
    classes: ['wpwl-target'],
    take: (message) => {
      if (message.type === 'ready') frame.tell({ type: 'open', url, title });
      else if (message.type === 'loaded') callHook(options().onLoadThreeDIframe, frame.element);
      else if (message.type === 'returned') returned(message.url);
    },
  });
  const remove = (): void => {
    frame.remove();
    dialog.remove();
  };
  const dialog = openSheet(context, {
    title,
    frame: frame.element,
    hasHeading: true,
    left: () => {
      remove();
      left();
    },
  });
  dialog.classList.add('wpwl-sheet-bank');
  const { threeDIframeSize: wanted } = options();
  const window = CHALLENGE_WINDOWS[`0${windowCode}` as keyof typeof CHALLENGE_WINDOWS];
  for (const side of ['width', 'height'] as const) {
    const size = lengthOf(wanted?.[side]) ?? (window ? `${window[side]}px` : '100%');
    // A share is one of the page.
    const isShare = size.endsWith('%');
    (isShare ? dialog : frame.element).style[side] = size;
    if (isShare) frame.element.style[side] = '100%';
  }
  return remove;
}

/** A number of pixels or a CSS length of the shop. */
function lengthOf(value: unknown): string | undefined {
  if (typeof value === 'number') return `${value}px`;
  return typeof value === 'string' && /^\d+(px|%|em|rem|vh|vw)?$/.test(value)
    ? value.replace(/^\d+$/, '$&px')
    : undefined;
}
