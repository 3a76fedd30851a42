/** The members that have a value; those that are undefined or null are left out, as optional members and answers want it. */
export function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}

/** Gives an object the members that have a value: all but the first spread of a literal cost a call of the runtime for each member. */
export function addPresent<T extends object>(
  target: T,
  members: { readonly [K in keyof T]?: T[K] | null | undefined },
): void {
  for (const name in members) {
    const value = members[name];
    if (value !== undefined && value !== null) target[name] = value;
  }
}
