/** A stripe whose service code begins with 2 or 6 belongs to a card with a chip (ISO/IEC 7813). */
export function hasChip(serviceCode: string | undefined): boolean {
  return /^[26]/.test(serviceCode ?? '');
}

/** Third digits of a service code that ask for a PIN, always or where a PIN pad is (ISO/IEC 7813). */
export function asksForPin(serviceCode: string | undefined): boolean {
  return /^..[03567]/.test(serviceCode ?? '');
}
