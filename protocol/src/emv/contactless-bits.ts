import { type BitTable, bitNames, bitTable } from './bits.js';

/** Terminal transaction qualifiers, tag 9F66 (EMV Contactless Book A §5.7). */
export const TTQ_TABLE: BitTable = bitTable([
  [1, 8, 'Mag-magstripe mode supported'],
  [1, 6, 'EMV mode supported'],
  [1, 5, 'EMV contact chip supported'],
  [1, 4, 'Offline-only reader'],
  [1, 3, 'Online PIN supported'],
  [1, 2, 'Signature supported'],
  [1, 1, 'Offline data authentication for online authorisations supported'],
  [2, 8, 'Online cryptogram required'],
  [2, 7, 'CVM required'],
  [2, 6, '(Contact chip) offline PIN supported'],
  [3, 8, 'Issuer update processing supported'],
  [3, 7, 'Consumer device CVM supported'],
]);

/** Card transaction qualifiers, tag 9F6C (EMV Contactless Book C-3 Annex A). */
export const CTQ_TABLE: BitTable = bitTable([
  [1, 8, 'Online PIN required'],
  [1, 7, 'Signature required'],
  [1, 6, 'Go online if offline data authentication fails and reader is online capable'],
  [1, 5, 'Switch interface if offline data authentication fails and reader supports contact chip'],
  [1, 4, 'Go online if application expired'],
  [1, 3, 'Switch interface for cash transactions'],
  [1, 2, 'Switch interface for cashback transactions'],
  [2, 8, 'Consumer device CVM performed'],
  [2, 7, 'Card supports issuer update processing at the point of sale'],
]);

/** Names of the set bits of tag 9F66. */
export function ttqNames(ttq: Uint8Array): string[] {
  return bitNames(ttq, TTQ_TABLE);
}

/** Names of the set bits of tag 9F6C. */
export function ctqNames(ctq: Uint8Array): string[] {
  return bitNames(ctq, CTQ_TABLE);
}
