import { tlv } from '@tillbridge/wire/emv/tlv.js';
import { INTERFACE_STRINGS } from '@tillbridge/wire/terminals/magtek/display-strings.js';
import {
  encodeStart,
  MAX_TIMEOUT_SECONDS,
  type PinBlockFormat,
  type StartParameters,
} from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import type { Sale } from '../core/maker-session.js';
import { numeric } from '../core/transaction-values.js';

/** How START TRANSACTION can ask for a card. */
export interface StartForms {
  /** By every reader. */
  readonly readers: Buffer;
  /** By every reader, with a button for who wants to key the number in instead. */
  readonly readersOrButton: Buffer;
  /** Keyed in; no reader may be on at the same time. */
  readonly keyedIn: Buffer;
}

const SECOND_MS = 1_000;
const EVERY_READER = { magstripe: true, contact: true, contactless: true } as const;
const KEYED_IN = {
  magstripe: false,
  contact: false,
  contactless: false,
  manual: { keySounds: true },
} as const;
/** The closest of the device's labels; a shop can load its own text under this number. */
const BUTTON_LABEL = INTERFACE_STRINGS.options.id;

/**
 * The forms of a sale; date and time are the device's own.
 * @param pinFormat of PIN blocks, which chips and taps bring; how the device prompts for a PIN after a swipe is from public sources incomplete
 */
export function startForms({ request, values }: Sale, pinFormat: PinBlockFormat): StartForms {
  const seconds = Math.ceil(request.cardTimeoutMs / SECOND_MS);
  const sale: Pick<StartParameters, 'timeoutSeconds' | 'transaction'> = {
    timeoutSeconds: Math.min(MAX_TIMEOUT_SECONDS, Math.max(1, seconds)),
    transaction: [
      tlv('9C', values.type),
      tlv('9F02', values.amount),
      tlv('9F03', values.other ?? numeric(0, 12)),
      tlv('5F2A', values.currency),
      tlv('5F36', values.exponent),
    ],
  };
  const withReaders = { ...sale, ...EVERY_READER, pinFormat, quickChip: false };
  return {
    readers: encodeStart(withReaders),
    readersOrButton: encodeStart({ ...withReaders, rightButton: BUTTON_LABEL }),
    // The published example requests quick chip; the device waits for no issuer either way.
    keyedIn: encodeStart({ ...sale, ...KEYED_IN, quickChip: true }),
  };
}
