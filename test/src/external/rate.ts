import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { ExternalSystem } from './external-system.js';
import { load } from './load.js';

/** Exchanges with the host that were compared, and requests of merchants a second. */
interface ExternalRate {
  readonly exchanges: number;
  readonly perSecond: number;
}

/**
 * Sends requests to a gateway with an acquirer host over TCP, of which 5 % meet a fault.
 * @param dialect of ISO 8583 that they speak
 * @throws Error where payments, journal, the host's ledger and its settlement file differ
 */
export async function externalRate(requests: number, dialect?: DialectName): Promise<ExternalRate> {
  const system = await ExternalSystem.start('gateway only', dialect);
  try {
    const beganMs = performance.now();
    await load(system, requests, 'faults');
    const perSecond = (1_000 * requests) / (performance.now() - beganMs);
    const { exchanges, ...found } = await system.compare();
    const differences = Object.values(found).flat();
    if (differences.length > 0)
      throw new Error(`${differences.length} differences: ${differences.slice(0, 10).join('; ')}`);
    return { exchanges, perSecond };
  } finally {
    await system.end();
  }
}

/** Connections of merchants, and how long they pay, in milliseconds. */
const SMOOTH = { connections: 64, warmUpMs: 8_000, durationMs: 6_000 } as const;

/** Card payments a second that an acquirer host answers over TCP where nothing goes wrong. @throws Error where one is not answered with 200 */
export async function smoothRate(): Promise<number> {
  const system = await ExternalSystem.start();
  try {
    return (await system.pay(SMOOTH)).perSecond;
  } finally {
    await system.end();
  }
}
