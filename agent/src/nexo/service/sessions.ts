/** Most tills that are remembered as logged in. */
const MAX_SESSIONS = 256;

/** Which tills have logged in. A till may sell without: the key of the messages is what it proves itself by. */
export class Sessions {
  readonly #logged = new Set<string>();

  login(saleId: string): void {
    this.#logged.delete(saleId);
    this.#logged.add(saleId);
    for (const oldest of this.#logged) {
      if (this.#logged.size <= MAX_SESSIONS) break;
      this.#logged.delete(oldest);
    }
  }

  logout(saleId: string): void {
    this.#logged.delete(saleId);
  }

  /** The tills, in the order of their login. */
  logged(): readonly string[] {
    return [...this.#logged];
  }
}
