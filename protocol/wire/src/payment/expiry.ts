/** Month and year as a card carries them. */
interface Expiry {
  /** 01 to 12. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
}

/** Has a card's validity ended? Its month is valid to the last day, everywhere on earth as in UTC. */
export function isExpired({ expiryMonth, expiryYear }: Expiry, nowMs: number): boolean {
  return nowMs >= Date.UTC(Number(expiryYear), Number(expiryMonth), 1);
}
