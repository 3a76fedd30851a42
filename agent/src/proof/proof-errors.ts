/** A sale cannot be proven, or a proof not be verified; the text says why and what to do. */
export class NoProofError extends Error {
  override readonly name = 'NoProofError';
}

/** The gateway has not countersigned the rows of the sale yet: a later try may succeed. */
export class NotCountersignedError extends Error {
  override readonly name = 'NotCountersignedError';
}

/** A proof would carry card data; the text names the places, never the data. */
export class ProofCardDataError extends Error {
  override readonly name = 'ProofCardDataError';
}
