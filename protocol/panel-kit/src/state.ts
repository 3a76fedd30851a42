import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A value that components draw, and redraw when the part of it that they chose has changed. Values are never changed in place. */
export class State<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Takes a new value, or what a function makes of the present one. */
  change(next: (value: T) => T): void {
    const value = next(this.#value);
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each change. Returns the function that ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Draws the component again, as where a field shows what was typed and its value is still the same. */
export function useRedraw(): () => void {
  const [, setDrawings] = useState(0);
  return () => setDrawings((count) => count + 1);
}

/** The part of a state that `choose` gives; the component is drawn again when that part is another one. */
export function useChosen<T, Part>(state: State<T>, choose: (value: T) => Part): Part {
  const redraw = useRedraw();
  const part = choose(state.value);
  const drawn = useRef({ part, choose });
  drawn.current = { part, choose };
  useLayoutEffect(() => {
    const compare = () => {
      const { part: last, choose: now } = drawn.current;
      if (!Object.is(now(state.value), last)) redraw();
    };
    // It may have changed between the drawing and this effect.
    compare();
    return state.listen(compare);
  }, [state]);
  return part;
}
