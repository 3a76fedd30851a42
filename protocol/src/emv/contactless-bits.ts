import { type BitTable, bit } from './bits.js';

/** Terminal transaction qualifiers, tag 9F66 (EMV Contactless Book A §5.7). */
export const TTQ: BitTable = [
  bit(1, 8, 'Mag-magstripe mode supported'),
  bit(1, 6, 'EMV mode supported'),
  bit(1, 5, 'EMV contact chip supported'),
  bit(1, 4, 'Offline-only reader'),
  bit(1, 3, 'Online PIN supported'),
  bit(1, 2, 'Signature supported'),
  bit(1, 1, 'Offline data authentication for online authorisations supported'),
  bit(2, 8, 'Online cryptogram required'),
  bit(2, 7, 'CVM required'),
  bit(2, 6, '(Contact chip) offline PIN supported'),
  bit(3, 8, 'Issuer update processing supported'),
  bit(3, 7, 'Consumer device CVM supported'),
];

/** Card transaction qualifiers, tag 9F6C (EMV Contactless Book C-3 Annex A). */
export const CTQ: BitTable = [
  bit(1, 8, 'Online PIN required'),
  bit(1, 7, 'Signature required'),
  bit(1, 6, 'Go online if offline data authentication fails and reader is online capable'),
  bit(1, 5, 'Switch interface if offline data authentication fails and reader supports contact chip'),
  bit(1, 4, 'Go online if application expired'),
  bit(1, 3, 'Switch interface for cash transactions'),
  bit(1, 2, 'Switch interface for cashback transactions'),
  bit(2, 8, 'Consumer device CVM performed'),
  bit(2, 7, 'Card supports issuer update processing at the point of sale'),
];
