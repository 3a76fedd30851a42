import { type BitTable, bit, bitNames, bitTable, setBit } from './bits.js';

/** Bytes of the card status update, which ARPC method 2 protects (EMV Book 2 §8.2.2). */
export const CSU_BYTES = 4;

/** Card status update, the issuer's orders behind the ARPC in tag 91 (EMV Book 3 Annex C10). */
export const CSU = {
  issuerApproves: bit(2, 8),
  cardBlock: bit(2, 7),
  applicationBlock: bit(2, 6),
  updatePinTryCounter: bit(2, 5),
  goOnlineNextTime: bit(2, 4),
} as const;

/** The orders by name. */
const CSU_TABLE: BitTable = bitTable([
  [1, 8, 'Proprietary authentication data included'],
  [2, 8, 'Issuer approves the online transaction'],
  [2, 7, 'Card block'],
  [2, 6, 'Application block'],
  [2, 5, 'Update the PIN try counter'],
  [2, 4, 'Go online on the next transaction'],
  [2, 3, 'CSU created by a proxy for the issuer'],
]);

/** Names of the orders of a card status update. */
export function csuNames(csu: Uint8Array): string[] {
  return bitNames(csu, CSU_TABLE);
}

/** The card status update of an issuer's decision without further orders: `00800000` approves, `00000000` declines. */
export function decisionCsu(approved: boolean): Buffer {
  const csu = Buffer.alloc(CSU_BYTES);
  if (approved) setBit(csu, CSU.issuerApproves);
  return csu;
}
