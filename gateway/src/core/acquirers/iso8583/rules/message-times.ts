/** Milliseconds of a time `yyyyMMddHHmmss` in UTC. */
export function utcMsOf(at: string): number {
  return Date.parse(at.replace(/(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6Z'));
}

/** Day of the year of a time `yyyyMMddHHmmss`, from 1 on. */
function dayOfYear(at: string): number {
  const [year, month, day] = [at.slice(0, 4), at.slice(4, 6), at.slice(6, 8)].map(Number);
  return (Date.UTC(year ?? 0, (month ?? 1) - 1, day) - Date.UTC(year ?? 0, 0, 0)) / 86_400_000;
}

/** Retrieval reference number: last digit of the year, day of the year, hour, trace number. */
export function retrievalReference(stan: string, at: string): string {
  return `${at[3]}${String(dayOfYear(at)).padStart(3, '0')}${at.slice(8, 10)}${stan}`;
}
