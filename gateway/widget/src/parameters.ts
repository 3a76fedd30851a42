import { CHALLENGE_WINDOWS } from '@tillbridge/wire/three-d-secure/challenge-windows.js';
import type { Parameter } from './shared/messages.js';
import type { Options } from './shared/options.js';

/** Inputs of ours that are no parameters. */
const NO_PARAMETERS: ReadonlySet<string> = new Set(['card.expiry', 'pay', 'card.number', 'card.cvv']);
/** `Accept` of a browser that follows a link; a script cannot read the browser's own. */
const ACCEPT_HEADER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/**
 * The parameters in a form, those among them that a shop has put there. A box that is ticked and has no value of its own counts as `true`:
 * browsers say `on`.
 */
export function formParameters(form: HTMLFormElement): readonly Parameter[] {
  const valueless = new Set<string>();
  for (const input of form.elements)
    if (input instanceof HTMLInputElement && input.type === 'checkbox' && !input.hasAttribute('value'))
      valueless.add(input.name);
  const found = new Map<string, string>();
  for (const [name, value] of new FormData(form)) {
    if (NO_PARAMETERS.has(name) || typeof value !== 'string') continue;
    // A hidden input before a box gives the value of the box that is not ticked.
    found.set(name, valueless.has(name) && value === 'on' ? 'true' : asSent(name, value));
  }
  return [...found].filter(([, value]) => value !== '');
}

/** As the API takes it: an IBAN is typed in groups. */
function asSent(name: string, value: string): string {
  return name === 'bankAccount.iban' ? value.replaceAll(/\s/g, '') : value.trim();
}

/** What 3D Secure needs from the shopper's browser. */
export function browserParameters({ browser }: Options, width: number): readonly Parameter[] {
  const values = {
    acceptHeader: ACCEPT_HEADER,
    language: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,4})?/.exec(navigator.language)?.[0] ?? 'en',
    screenHeight: String(screen.height),
    screenWidth: String(screen.width),
    screenColorDepth: String(screen.colorDepth),
    timezone: String(new Date().getTimezoneOffset()),
    userAgent: navigator.userAgent.slice(0, 2048),
    javaEnabled: 'false',
    challengeWindow: challengeWindow(browser?.threeDChallengeWindow, width),
  };
  return Object.entries(values).map(([name, value]) => [`customer.browser.${name}`, value]);
}

/** The window that the shop wants, or the widest that fits (EMV 3DS, challengeWindowSize). */
function challengeWindow(wanted: unknown, width: number): string {
  const set = /^0?([1-5])$/.exec(String(wanted ?? ''))?.[1];
  if (set !== undefined) return set;
  const fitting = (['04', '03', '02'] as const).find((code) => CHALLENGE_WINDOWS[code].width <= width);
  return fitting?.slice(1) ?? '1';
}
