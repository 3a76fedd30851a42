import { withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { simulatorKey } from '../../../keys/simulator-keys.js';

/** A key of a zone and those around it: the one that was offered in its place, and the one before it with the end of its time. */
export interface ZoneKeyState {
  readonly current: Buffer;
  readonly offered?: Buffer;
  readonly previous?: { readonly key: Buffer; readonly untilMs: number };
}

/** The keys that a host shares with gateways. */
export interface HostKeySet {
  /** Double-length TDES: enciphers the keys that are sent as cryptograms. */
  readonly transport: Buffer;
  /** AES: protects the keys that are sent in key blocks. */
  readonly protection: Buffer;
  readonly mac: ZoneKeyState;
  readonly pin: ZoneKeyState;
  /** Place of the host's next own key serial number; 0 when absent. */
  readonly nextKsn?: number;
}

/** What a host begins with: the keys of this process. */
export function firstKeySet(): HostKeySet {
  return {
    transport: simulatorKey('zoneTransportKey'),
    protection: simulatorKey('zoneProtectionKey'),
    mac: { current: simulatorKey('zoneMacKey') },
    pin: { current: simulatorKey('zonePinKey') },
  };
}

const TDES_BYTES = 16;

/** A fresh double-length TDES key. */
export function newTdesKey(random: Random): Buffer {
  return withOddParity(random.bytes(TDES_BYTES));
}

/** A key set as the text of its file. */
export function keySetText(keys: HostKeySet): string {
  return `${JSON.stringify(keys, (_, value) => hexOf(value), 2)}\n`;
}

/** Buffers reach a replacer as what their `toJSON` makes of them. */
function hexOf(value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]).toString('hex') : value;
}

const HEX = /^(?:[0-9a-f]{2})+$/;

/** Reads what {@link keySetText} wrote. @throws SyntaxError */
export function readKeySet(text: string): HostKeySet {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && HEX.test(value) ? Buffer.from(value, 'hex') : value,
  ) as HostKeySet;
}
