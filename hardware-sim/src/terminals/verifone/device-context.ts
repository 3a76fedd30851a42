import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { DeviceHealth } from '../core/device-health.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import type { PaymentCore } from '../core/payment-core.js';
import type { TerminalUi } from '../core/terminal-ui.js';
import type { CardStore } from './card-store.js';
import type { HostProfiles } from './host-profiles.js';
import type { HostRequests } from './host-requests.js';

/** What the device's commands work with. */
export interface DeviceContext {
  readonly serial: string;
  readonly clock: Clock;
  readonly ui: TerminalUi;
  readonly core: PaymentCore;
  readonly health: DeviceHealth;
  readonly dataKey: DukptDevice;
  readonly store: CardStore;
  readonly profiles: HostProfiles;
  readonly requests: HostRequests;
  readonly flags: DeviceFlags;
}

/** What a host switched on; a power cycle switches it off. */
interface DeviceFlags {
  contactReady: boolean;
  contactlessReady: boolean;
  /** A dialog stands whose cancel key may end the card detection. */
  cancelDialog: boolean;
}

/** A command as a handler sees it. */
export interface HandlerInput {
  readonly p2: number;
  readonly data: Buffer;
  /** Objects of the container; none where the data are no container. */
  readonly objects: readonly TlvNode[];
  readonly signal: AbortSignal;
}

/** A successful answer; the status is `ok` unless named. */
export interface HandlerAnswer {
  readonly sw?: number;
  readonly objects?: readonly TlvNode[];
}

/** Carries out one command. @throws StatusError and whatever `failedAnswer` knows */
export type Handler = (ctx: DeviceContext, input: HandlerInput) => Promise<HandlerAnswer> | HandlerAnswer;
