/** What this browser remembers of a till. */
export interface Remembered {
  /** The terminal that it works with. */
  readonly terminalId?: string;
  /** The sale that it has started there last. */
  readonly sale?: string;
}

const keyOf = (till: string | undefined) => `tillbridge-terminal ${till ?? ''}`;

/** What this browser remembers of a till; undefined: the store itself. */
export function remembered(till: string | undefined): Remembered {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(till)) ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    // A browser may refuse its storage, and another version may have written there.
    return {};
  }
}

/** How a person leaves a session: the till is locked, or this browser signed out. */
export type Leaving = 'lock' | 'sign-out';

const LEAVING_KEY = 'tillbridge-leaving';

/** How the session was left while the agent was away, which it does not know yet; undefined: it was not. */
export function leavingRemembered(): Leaving | undefined {
  try {
    const found = localStorage.getItem(LEAVING_KEY);
    return found === 'lock' || found === 'sign-out' ? found : undefined;
  } catch {
    // As above.
    return undefined;
  }
}

/** Remembers how the session is left; undefined: the agent has done it. */
export function rememberLeaving(leaving: Leaving | undefined): void {
  try {
    if (leaving === undefined) localStorage.removeItem(LEAVING_KEY);
    else localStorage.setItem(LEAVING_KEY, leaving);
  } catch {
    // As above.
  }
}

/** Remembers the terminal of a till, and the sale that it starts. */
export function remember(till: string | undefined, what: Remembered): void {
  try {
    localStorage.setItem(keyOf(till), JSON.stringify(what));
  } catch {
    // As above.
  }
}
