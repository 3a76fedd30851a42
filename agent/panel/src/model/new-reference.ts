/** A reference that no sale of this store has had: the till, the moment and random letters. */
export function newReference(till: string | undefined, nowMs: number, random: Uint8Array): string {
  const letters = [...random].map((byte) => (byte % 36).toString(36)).join('');
  return `${till ?? 'panel'}-${nowMs.toString(36)}-${letters}`;
}

/** Random bytes of a new reference. */
export function referenceBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(6));
}
