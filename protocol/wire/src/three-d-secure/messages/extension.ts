/** Extensions of a message at most (section 5.1.6). */
export const MAX_EXTENSIONS = 10;

/** One entry of `messageExtension` (table A.7). */
export interface MessageExtension {
  readonly id: string;
  readonly name: string;
  readonly criticalityIndicator: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Is it an extension, no longer than the field may be (section 5.1.6)? */
export const isExtension = (value: unknown): value is MessageExtension => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, criticalityIndicator, data } = value as Record<string, unknown>;
  const isShort = (part: unknown) => typeof part === 'string' && part.length >= 1 && part.length <= 64;
  return (
    isShort(id) &&
    isShort(name) &&
    typeof criticalityIndicator === 'boolean' &&
    typeof data === 'object' &&
    data !== null &&
    !Array.isArray(data) &&
    JSON.stringify(data).length <= 8059
  );
};
