/** The dialects that this build ships, in the order in which bytes of an unknown dialect are tried. */
export const DIALECT_NAMES = ['1987-binary', '1987-ascii', 'cmf'] as const;

/** Name of a shipped dialect. */
export type DialectName = (typeof DIALECT_NAMES)[number];
