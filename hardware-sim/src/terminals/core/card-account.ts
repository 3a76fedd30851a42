import { cvv2 } from '@tillbridge/wire/crypto/pin/card-values.js';
import type { CardDefinition } from '../../cards/catalogue.js';
import type { MagstripeTracks } from '../../cards/core/card.js';
import type { TransactionData } from '../../kernel/transaction-data.js';
import { simulatorKey } from '../../keys/simulator-keys.js';

/** The account that a card named, in clear: stays inside the terminal, which enciphers it for the host. */
export interface CardAccount {
  readonly pan: string;
  /** `YYMM`. */
  readonly expiry?: string;
  /** Characters without sentinels, `=` as separator. */
  readonly track1?: string;
  readonly track2?: string;
  readonly panSequenceNumber?: string;
  readonly serviceCode?: string;
  /** The code printed on the card (CVV2, CVC2), where it was keyed in. */
  readonly printedCode?: string;
}

/** Digits of a compressed numeric object without their filling (EMV Book 3 §4.3). */
export function digits(value: Uint8Array | undefined): string | undefined {
  return value && Buffer.from(value).toString('hex').replace(/f+$/, '');
}

/** Service code of track 2: three digits behind the expiry. */
function serviceCodeOf(track2: string | undefined): string | undefined {
  return track2?.split('=')[1]?.slice(4, 7);
}

/** Whether the service code of a magstripe names a chip (ISO/IEC 7813). */
export function namesChip({ serviceCode = '' }: CardAccount): boolean {
  return /^[26]/.test(serviceCode);
}

/** The account of a chip that has been read, by contacts or by tap. */
export function chipAccount(data: TransactionData): CardAccount {
  const track2 = digits(data.get('57'))?.replace('d', '=');
  const pan = digits(data.get('5A')) ?? track2?.split('=')[0] ?? '';
  const expiry = digits(data.get('5F24'))?.slice(0, 4) ?? track2?.split('=')[1]?.slice(0, 4);
  const panSequenceNumber = digits(data.get('5F34'));
  const serviceCode = serviceCodeOf(track2);
  return {
    pan,
    ...(expiry !== undefined && { expiry }),
    ...(track2 !== undefined && { track2 }),
    ...(panSequenceNumber !== undefined && { panSequenceNumber }),
    ...(serviceCode !== undefined && { serviceCode }),
  };
}

/** The account of a swiped magstripe; undefined when it names none. */
export function magstripeAccount({ track1, track2 }: MagstripeTracks): CardAccount | undefined {
  const [pan, rest] = track2.split('=');
  if (!pan || !/^\d{8,19}$/.test(pan) || rest === undefined) return undefined;
  const serviceCode = serviceCodeOf(track2);
  return { pan, expiry: rest.slice(0, 4), track1, track2, ...(serviceCode !== undefined && { serviceCode }) };
}

/** The account as printed on the card, for manual entry. */
export function printedAccount({ account, expiry }: CardDefinition): CardAccount {
  return { pan: account.pan, expiry, printedCode: cvv2(simulatorKey('cvk'), account.pan, expiry) };
}
