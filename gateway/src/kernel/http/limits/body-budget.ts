/** Bytes of bodies that are held at a time, counted by whose they are. */
export class BodyBudget {
  readonly #mostBytes: number;
  readonly #held = new Map<string, number>();

  /** @param mostBytes of one owner */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Whether the owner has room for so many bytes more; if so, they are taken. */
  take(owner: string, bytes: number): boolean {
    const held = (this.#held.get(owner) ?? 0) + bytes;
    if (held > this.#mostBytes) return false;
    this.#held.set(owner, held);
    return true;
  }

  /** Gives back what {@link take} took. */
  release(owner: string, bytes: number): void {
    const held = (this.#held.get(owner) ?? 0) - bytes;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
  }
}
