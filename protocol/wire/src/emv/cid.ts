/** Cryptogram types of tag 27 in the two high bits of the CID (EMV Book 3 table 15). */
export type CryptogramType = 'AAC' | 'TC' | 'ARQC' | 'RFU';

const TYPES: readonly CryptogramType[] = ['AAC', 'TC', 'ARQC', 'RFU'];
const REASONS: readonly string[] = [
  'No information given',
  'Service not allowed',
  'PIN try limit exceeded',
  'Issuer authentication failed',
];

/** Which cryptogram the card gave, from the cryptogram information data (tag 9F27). */
export function cryptogramType(cid: number): CryptogramType {
  return TYPES[(cid >>> 6) & 0x03] ?? 'RFU';
}

/** The content of the cryptogram information data, in words. */
export function cidNames(bytes: Uint8Array): string[] {
  const cid = bytes[0];
  if (cid === undefined) return [];
  const names = [`Cryptogram: ${cryptogramType(cid)}`];
  if ((cid & 0x08) !== 0) names.push('Advice required');
  if ((cid & 0x07) !== 0) names.push(`Reason: ${REASONS[cid & 0x07] ?? 'reserved'}`);
  return names;
}
