import { isIP, isIPv4 } from 'node:net';
import { HomeTableError } from '../../kernel/errors/home-table-error.js';

/** Rows of a table at most. */
const MAX_IP_ROWS = 2_000_000;

/** The table is invalid; the message names the line. */
export class IpCountriesError extends HomeTableError {}

/** Country of an IP address, two capital letters; undefined where it is in no range, or no address. */
type IpCountries = (address: string) => string | undefined;

/** No table is shipped: such tables age by the day. */
export const NO_IP_COUNTRIES: IpCountries = () => undefined;

/** Ranges of one family of addresses, the lowest first. */
interface Ranges {
  readonly from: readonly bigint[];
  readonly to: readonly bigint[];
  readonly countries: readonly string[];
}

const ROW = /^"?([0-9A-Fa-f:.]+)"?,"?([0-9A-Fa-f:.]+)"?,"?([A-Z]{2})"?\s*$/;

/**
 * Reads a table of lines `FIRST,LAST,COUNTRY`, such as `192.0.2.0,192.0.2.255,DE`, each family in the order of its addresses. Ranges of IPv6
 * are compared by their first 64 bits.
 * @throws IpCountriesError
 */
export function readIpCountries(csv: string): IpCountries {
  const families = { 4: newRanges(), 6: newRanges() };
  const lines = csv.split('\n');
  if (lines.length > MAX_IP_ROWS) throw new IpCountriesError(`more than ${MAX_IP_ROWS} lines`);
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [, first = '', last = '', country = ''] = ROW.exec(line) ?? [];
    const family = isIP(first) as 0 | 4 | 6;
    if (family === 0 || isIP(last) !== family)
      throw new IpCountriesError(`line ${at + 1} is not FIRST,LAST,COUNTRY`);
    const { from, to, countries } = families[family];
    const [begin, end] = [numberOf(first), numberOf(last)];
    if (begin > end || begin < (to.at(-1) ?? 0n))
      throw new IpCountriesError(`line ${at + 1} begins before the range above it ends`);
    from.push(begin);
    to.push(end);
    countries.push(country);
  }
  return (address) => {
    const family = isIP(address) as 0 | 4 | 6;
    return family === 0 ? undefined : countryIn(families[family], numberOf(address));
  };
}

function newRanges() {
  return { from: [] as bigint[], to: [] as bigint[], countries: [] as string[] };
}

function countryIn({ from, to, countries }: Ranges, address: bigint): string | undefined {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((from[middle] ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  return address <= (to[low - 1] ?? -1n) ? countries[low - 1] : undefined;
}

/** IPv4 as a number; the first 64 bits of IPv6. */
function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end takes two groups.
  const missing = 8 - left.length - right.length - (address.includes('.') ? 1 : 0);
  const groups = tail === undefined ? left : [...left, ...Array<string>(missing).fill('0'), ...right];
  return groups.slice(0, 4).reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
