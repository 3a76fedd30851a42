const KEY = 'tillbridge-token';

/** The token of this tab, until it is closed; undefined where nobody has signed in. */
export function keptToken(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    // A browser may refuse its storage; the token is then kept in memory alone.
    return undefined;
  }
}

/** Keeps a token for this tab, or forgets it. */
export function keepToken(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, token);
  } catch {
    // As above.
  }
}
