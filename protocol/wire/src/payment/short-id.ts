/** How many numbers of the form NNNN.NNNN.NNNN there are. */
const SHORT_IDS = 10n ** 12n;

/** A number for people to read out, `NNNN.NNNN.NNNN`, always the same for an id of 32 hex digits. */
export function shortId(paymentId: string): string {
  const digits = String(BigInt(`0x${paymentId}`) % SHORT_IDS).padStart(12, '0');
  return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`;
}
