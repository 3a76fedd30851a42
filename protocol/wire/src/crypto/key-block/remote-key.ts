/**
 * Whole blocks under a key that the caller does not hold as bytes, such as one inside a hardware module. Each block alone (ECB), nothing is
 * padded; what comes out is the caller's to wipe.
 */
export type BlockOperation = (blocks: Uint8Array) => Buffer;

/** Both directions of a key that is not at hand as bytes. */
export interface BlockKey {
  readonly encrypt: BlockOperation;
  readonly decrypt: BlockOperation;
}
