/** Loopback addresses that one number for each gives: 127.1.0.1 to 127.1.255.250. */
const LOOPBACK_ADDRESSES = 64_000;

/** Another loopback address for each number below {@link LOOPBACK_ADDRESSES}: the gateway limits the sockets of a peer. */
export function loopbackAddress(number: number): string {
  if (number >= LOOPBACK_ADDRESSES) throw new Error(`there are ${LOOPBACK_ADDRESSES} loopback addresses`);
  return `127.1.${Math.floor(number / 250)}.${1 + (number % 250)}`;
}
