import { until } from './http.js';

/** A number that a part shows at `/metrics`, by its name with its labels; `undefined` while it shows none. */
export async function shownNumber(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

/** The gateway's count of unexplained differences, once it has compared everything that there is now. */
export async function differencesAt(gatewayUrl: string, timeoutMs: number): Promise<number | undefined> {
  const completed = (): Promise<number | undefined> =>
    shownNumber(gatewayUrl, 'tillbridge_gateway_check_completed_timestamp_seconds');
  // The round that runs now may have passed what has just been written: the one behind it has not.
  for (let round = 0, before = await completed(); round < 2; round += 1) {
    before = await until('the gateway to have compared everything once more', timeoutMs, async () => {
      const at = await completed();
      return at !== undefined && at > (before ?? 0) ? at : undefined;
    });
  }
  return shownNumber(gatewayUrl, 'tillbridge_gateway_unexplained_differences');
}
