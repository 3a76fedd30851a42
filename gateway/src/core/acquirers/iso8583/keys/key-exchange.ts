import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { readZoneKey, writeZoneKey, type ZoneKeyUse } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import {
  type SecurityModule,
  SecurityModuleError,
  type WrappedZoneKey,
  type ZoneKeyUsage,
} from '../../../../security/module/security-module.js';

/** How long a key that the host has replaced is still accepted, in milliseconds: longer than any answer is on its way. */
const ZONE_KEY_OVERLAP_MS = 10 * 60_000;

/** Response codes of our answers to a host that sends a key. */
const TAKEN = '00';
const NO_KEY = '30';
const REFUSED = '63';

const USAGES: Readonly<Record<ZoneKeyUse, ZoneKeyUsage>> = { mac: 'mac', pin: 'zone-pin' };

/** What key exchange works with. */
interface KeyExchangeDeps {
  /** Name of the acquirer, which its keys in the security module have as scope. */
  readonly acquirer: string;
  readonly security: Pick<SecurityModule, 'replaceZoneKey'>;
  /** Called with the reason for which a key was refused; the reason never holds a byte of it. */
  readonly refused: (reason: string) => void;
}

/** The message that requests a new key from a host. */
export function keyRequest(use: ZoneKeyUse): Pick<ExchangeMessage, 'kind' | 'network' | 'zoneKey'> {
  return { kind: 'network', network: 'key-exchange', zoneKey: writeZoneKey({ use }) };
}

/**
 * Takes the key that a message of the host brings, its own or an answer: from now on it is used, and the one before it is accepted for
 * {@link ZONE_KEY_OVERLAP_MS}.
 * @returns what is answered to a host that has sent it by itself
 * @throws SecurityModuleError unavailable
 */
export async function takeZoneKey(
  { acquirer: partner, security, refused }: KeyExchangeDeps,
  message: ExchangeMessage,
): Promise<Pick<ExchangeMessage, 'responseCode' | 'zoneKey'>> {
  const brought = broughtKey(message);
  if (brought === undefined) {
    refused('it brings no key');
    return { responseCode: NO_KEY };
  }
  const { use, wrapped } = brought;
  try {
    const keepOldMs = ZONE_KEY_OVERLAP_MS;
    const { kcv } = await security.replaceZoneKey({ partner, usage: USAGES[use], wrapped, keepOldMs });
    return { responseCode: TAKEN, zoneKey: writeZoneKey({ use, kcv }) };
  } catch (error) {
    if (!(error instanceof SecurityModuleError) || error.code === 'unavailable') throw error;
    refused(error.message);
    return { responseCode: REFUSED };
  }
}

function broughtKey({
  keyBlock,
  zoneKey = '',
}: ExchangeMessage): { readonly use: ZoneKeyUse; readonly wrapped: WrappedZoneKey } | undefined {
  try {
    const { use, kcv, cryptogram } = readZoneKey(zoneKey);
    if (keyBlock !== undefined) return { use, wrapped: { block: keyBlock } };
    return cryptogram && kcv !== undefined ? { use, wrapped: { cryptogram, kcv } } : undefined;
  } catch (error) {
    if (error instanceof Iso8583Error) return undefined;
    throw error;
  }
}
