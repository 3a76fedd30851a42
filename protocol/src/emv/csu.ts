import { type BitTable, bit, setBit } from './bits.js';

/** Bytes of the card status update, which ARPC method 2 protects (EMV Book 2 §8.2.2). */
export const CSU_BYTES = 4;

/** Card status update, the issuer's orders behind the ARPC in tag 91 (EMV Book 3 Annex C10). */
export const CSU = {
  proprietaryDataIncluded: bit(1, 8, 'Proprietary authentication data included'),
  issuerApproves: bit(2, 8, 'Issuer approves the online transaction'),
  cardBlock: bit(2, 7, 'Card block'),
  applicationBlock: bit(2, 6, 'Application block'),
  updatePinTryCounter: bit(2, 5, 'Update the PIN try counter'),
  goOnlineNextTime: bit(2, 4, 'Go online on the next transaction'),
  createdByProxy: bit(2, 3, 'CSU created by a proxy for the issuer'),
} as const satisfies BitTable;

/** The card status update of an issuer's decision without further orders: `00800000` approves, `00000000` declines. */
export function decisionCsu(approved: boolean): Buffer {
  const csu = Buffer.alloc(CSU_BYTES);
  if (approved) setBit(csu, CSU.issuerApproves);
  return csu;
}
