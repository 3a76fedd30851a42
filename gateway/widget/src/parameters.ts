import { CHALLENGE_WINDOWS } from '@tillbridge/wire/three-d-secure/challenge-windows.js';
import type { Parameter } from './shared/messages.js';
import type { Options } from './shared/options.js';

/** Inputs of ours that are no parameters. */
const NO_PARAMETERS: ReadonlySet<string> = new Set(['card.expiry', 'pay', 'card.number', 'card.cvv']);
/** Widest of the screens that the sheet of a bank fills, and the height of its heading, in pixels (styles). */
const PHONE_WIDTH = 480;
const HEADING_HEIGHT = 48;
/** Code of the window of the whole screen. */
const FULL_SCREEN = '5';
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
export function browserParameters({ browser }: Options): readonly Parameter[] {
  const values = {
    acceptHeader: ACCEPT_HEADER,
    language: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,4})?/.exec(navigator.language)?.[0] ?? 'en',
    screenHeight: String(screen.height),
    screenWidth: String(screen.width),
    screenColorDepth: String(screen.colorDepth),
    timezone: String(new Date().getTimezoneOffset()),
    userAgent: navigator.userAgent.slice(0, 2048),
    javaEnabled: 'false',
    challengeWindow: challengeWindow(browser?.threeDChallengeWindow),
  };
  return Object.entries(values).map(([name, value]) => [`customer.browser.${name}`, value]);
}

/** The window that the shop wants, or the one that fits on the sheet: on a phone the sheet is the whole screen (EMV 3DS, challengeWindowSize). */
function challengeWindow(wanted: unknown): string {
  const set = /^0?([1-5])$/.exec(String(wanted ?? ''))?.[1];
  if (set !== undefined) return set;
  if (innerWidth <= PHONE_WIDTH) return FULL_SCREEN;
  const fitting = (['03', '02'] as const).find((code) => {
    const { width, height } = CHALLENGE_WINDOWS[code];
    return width <= innerWidth && height + HEADING_HEIGHT <= innerHeight;
  });
  return fitting?.slice(1) ?? FULL_SCREEN;
}
