import type { CardType, IccStatus } from '@tillbridge/wire/terminals/abecs/results.js';
import { type StatusHint, statusOf } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { type CardTrouble, swipedAs } from '../core/card-attempts.js';
import type { EntryMode } from '../core/driver.js';

const TROUBLES: Readonly<Partial<Record<StatusHint, CardTrouble>>> = {
  'tap-again': 'several-cards',
  'tap-refused': 'tap-refused',
  'tap-after-phone': 'phone-first',
  // 079 (blocked) after a tap requires the chip; after a chip it is final.
  'card-blocked': 'tap-refused',
  fallback: 'chip-unreadable',
};

/** Why GCX refused a card, by its status (ABECS 2.12 §3.7.1); undefined where no other try helps. */
export function troubleOf(status: number): CardTrouble | undefined {
  const { name, hint } = statusOf(status);
  return name === 'ST_CTLSCOMMERR' ? 'tap-error' : TROUBLES[hint];
}

/** How the card came in, for `pos.entryMode`. */
export function entryModeOf(
  type: CardType,
  iccStatus: IccStatus | undefined,
  serviceCode: string | undefined,
): EntryMode {
  switch (type) {
    case 'contact':
      return 'ICC';
    case 'contactless':
      return 'NFC_ICC';
    case 'contactless-magstripe':
      return 'NFC_MAGSTRIPE';
    case 'magstripe':
      return swipedAs(serviceCode, iccStatus === 'fallback-allowed') ?? 'MAGSTRIPE';
  }
}
