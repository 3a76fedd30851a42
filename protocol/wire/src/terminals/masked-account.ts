/** What a masked PAN or track leaves open. */
export interface MaskedAccount {
  /** Six digits. */
  readonly bin?: string;
  readonly last4Digits?: string;
  /** `YYMM`. */
  readonly expiry?: string;
  readonly serviceCode?: string;
}

/** A PAN with a sign in place of each digit between its first `leading` and its last `trailing` ones. */
export function hideMiddle(pan: string, sign: string, leading = 6, trailing = 4): string {
  const hidden = Math.max(0, pan.length - leading - trailing);
  return pan.slice(0, leading) + sign.repeat(hidden) + pan.slice(pan.length - trailing);
}
