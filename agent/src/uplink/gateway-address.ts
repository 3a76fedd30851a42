import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { isCodeAddress } from '@tillbridge/wire/bridge/enrolment-code.js';

/** Name of the file in the agent's home with the address of the bridge at which it was enrolled. */
export const GATEWAY_ADDRESS_FILE = 'gateway-address';

/** Where a home was enrolled; undefined where that is not recorded, or may not be read. */
export function enrolledAddress(home: string): string | undefined {
  try {
    const address = readFileSync(join(home, GATEWAY_ADDRESS_FILE), 'utf8').trim();
    return isCodeAddress(address) ? address : undefined;
  } catch {
    // Who may not read the home cannot run its agent either, and learns that from its other files.
    return undefined;
  }
}

/** Records where a home is enrolled. */
export function recordAddress(home: string, bridgeUrl: string): void {
  replaceFile(join(home, GATEWAY_ADDRESS_FILE), `${bridgeUrl}\n`);
}
