/** A decimal amount with its currency, as people of the page's language write it: `€12.34`. */
export function amountText(amount: string, currency: string, language = 'en'): string {
  try {
    const style = { style: 'currency', currency } as const;
    const own = new Intl.NumberFormat(language, style).resolvedOptions().maximumFractionDigits;
    // A currency without decimals is written without its zero decimals.
    const text = own === 0 ? amount.replace(/\.0+$/, '') : amount;
    const decimals = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
    return new Intl.NumberFormat(language, {
      ...style,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(amount as Intl.StringNumericLiteral);
  } catch {
    // A code that is none: shown as it came.
    return `${amount} ${currency}`;
  }
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** An age in its two largest units: `3 min 20 s`, `2 d 4 h`; whole units alone where the second is zero. */
export function ageText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const at = UNITS.findIndex(([, size]) => whole >= size);
  if (at < 0) return '0 s';
  let rest = whole;
  const parts: string[] = [];
  for (const [unit, size] of UNITS.slice(at, at + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** The time of day of an ISO 8601 text, in a time zone of IANA's list; default: that of the browser. */
export function timeText(at: string, timeZone?: string, language = 'en-GB'): string {
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(at));
}
