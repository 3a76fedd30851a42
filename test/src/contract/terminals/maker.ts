import type { TerminalDriver } from '@tillbridge/agent/drivers/core/driver.js';
import type { OpenMaker } from '@tillbridge/agent/drivers/core/maker-session.js';
import { openSessionDriver, type SessionDriverDeps } from '@tillbridge/agent/drivers/core/session-driver.js';
import type { DeviceForm } from '@tillbridge/hardware-sim/terminals/core/simulated-device.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';

/** What a maker's device can do beyond chip and magstripe; a case names what it needs. */
export type Ability =
  /** Reads taps in EMV mode. */
  | 'tap'
  /** Reads taps in magstripe mode. */
  | 'tap-magstripe'
  /** Takes a card number that is keyed in. */
  | 'manual'
  /** Reports that two cards were tapped, so that the driver can request a card again. */
  | 'two-cards'
  /** The card may decide offline when the issuer cannot be reached (Y3, Z3). */
  | 'offline-fallback'
  /** Decides offline below a floor limit that the host sends. */
  | 'floor-limit'
  /** Requests PINs that the issuer verifies; the block comes apart from the card data, or inside of them. */
  | 'online-pin'
  /** Requests the PIN of a swiped card. */
  | 'magstripe-pin'
  /** Sends its request again when the issuer takes long; its driver here sets it to do so after a second. */
  | 'repeats-request';

/** One maker under test. */
export interface Maker {
  readonly deviceType: DeviceType;
  /** Everything it is tested over; the first also serves the tests in memory. */
  readonly transports: readonly [Transport, ...Transport[]];
  /** Transports with a different framing, which the tests in memory run over as well. */
  readonly otherFramings?: readonly Transport[];
  readonly abilities: ReadonlySet<Ability>;
  /** Initial key serial numbers of its device; those that every maker's device has when absent. */
  readonly ksns?: { readonly pin: Uint8Array; readonly data: Uint8Array };
  /** How its device answers where captured bytes differ from the published text. */
  readonly form?: DeviceForm;
  /** Captured bytes of its device differ from the published text: the tests in memory run with both. */
  readonly differsInForm?: true;
  /** Its side of the real driver. */
  readonly openMaker: OpenMaker;
}

const PLACE = {
  country: '276',
  currency: 'EUR',
  merchantCategory: '5999',
  merchantId: 'SHOP1',
  terminalId: 'T1',
} as const;

/** The real driver on a port. */
export function openDriver(
  { openMaker }: Maker,
  { transport, ...parts }: Omit<SessionDriverDeps, 'openLine'> & { readonly transport: Transport },
): TerminalDriver {
  const openLine = openMaker({ clock: parts.clock, transport, idleText: 'READY', place: PLACE });
  return openSessionDriver({ ...parts, openLine });
}
