const KEY = 'tillbridge-token';

/** The token of this tab, until it is closed; undefined where no user has signed in. */
export function tabToken(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    // A browser may refuse its storage; the token is then only in memory.
    return undefined;
  }
}

/** Stores the token of this tab; undefined removes it. */
export function setTabToken(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, token);
  } catch {
    // As above.
  }
}
