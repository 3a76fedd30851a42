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

/** Remembers the terminal of a till, and the sale that it starts. */
export function remember(till: string | undefined, what: Remembered): void {
  try {
    localStorage.setItem(keyOf(till), JSON.stringify(what));
  } catch {
    // As above.
  }
}
