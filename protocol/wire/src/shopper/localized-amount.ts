/**
 * An amount as a language writes it; as the gateway gave it where the engine knows no such currency.
 * @param tag BCP 47
 * @param amount decimal text
 * @param currency ISO 4217
 */
export function localizedAmount(tag: string, amount: string, currency: string): string {
  try {
    const style = { style: 'currency', currency } as const;
    const { maximumFractionDigits: own = 2 } = new Intl.NumberFormat(tag, style).resolvedOptions();
    // Engines write some currencies without their decimals: what is paid is shown.
    const decimals = Number.isInteger(Number(amount)) ? own : Math.max(own, 2);
    return new Intl.NumberFormat(tag, {
      ...style,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}
