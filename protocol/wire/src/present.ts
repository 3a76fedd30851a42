/** The members that have a value; those that are undefined or null are left out, as optional members and answers want it. */
export function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
