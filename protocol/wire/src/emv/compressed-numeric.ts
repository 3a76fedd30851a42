/** Digits as compressed numeric, filled by F to whole bytes (EMV Book 3 §4.3). Mask and separator digits are hex too. */
export function compressedNumeric(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}F`, 'hex');
}
