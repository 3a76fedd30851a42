import type { ErrorGroup } from './error-row.js';

const FORGED = 'treat the proof as forged; have the agent write it again';

/** Why a proof of a sale is refused; what is wrong, what to do. */
export const PROOF_FAULTS = {
  'other-gateway': [
    'the head is not signed by the key of this gateway',
    'compare the fingerprint with that of `tillbridge-gateway agents gateway-key`',
  ],
  'other-agent': ['the proof is of another agent', 'ask for the proof of the agent that sold'],
  'bad-signature': ['the head was changed, or is not of the journal of this agent', FORGED],
  'no-sale': ['the rows do not begin with the first row of a sale', FORGED],
  'dropped-row': ['a row of the sale is not shown, or a row is left out that could be one', FORGED],
  'outside-head': ['rows overlap, or stand behind the head', FORGED],
  'not-in-journal': [
    'the rows are not those of the journal: one was changed, dropped, put in or moved',
    FORGED,
  ],
  'other-head': ['the last row is not the one that the head names', FORGED],
  'other-cryptogram': ['the cryptogram is not the one of the rows', FORGED],
  'other-receipt': [
    'the receipt is not what this version prints of the rows',
    'verify with the version that wrote the proof; if it refuses it, too, the receipt is forged',
  ],
} as const satisfies ErrorGroup;

/** One of {@link PROOF_FAULTS}. */
export type ProofFault = keyof typeof PROOF_FAULTS;
