/** One thing that was looked at. */
export interface Finding {
  readonly verdict: 'ok' | 'warning' | 'problem';
  /** What was found. */
  readonly text: string;
  /** What to do about it: sentences, or lines to paste. */
  readonly todo?: readonly string[];
}

/** All is well. */
export function ok(text: string): Finding {
  return { verdict: 'ok', text };
}

/** Works, and should be looked after. */
export function warning(text: string, ...todo: readonly string[]): Finding {
  return { verdict: 'warning', text, ...(todo.length > 0 && { todo }) };
}

/** Stands in the way of a sale. */
export function problem(text: string, ...todo: readonly string[]): Finding {
  return { verdict: 'problem', text, ...(todo.length > 0 && { todo }) };
}
