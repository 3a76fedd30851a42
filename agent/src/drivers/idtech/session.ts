import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type {
  CompleteOutcome,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalIdentity,
} from '../core/driver.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { CommandHooks, MakerSession, OpenMaker } from '../core/maker-session.js';
import { isFailed, type Result } from '../core/result.js';
import { CardSeat } from './card-seat.js';
import { completeChip } from './complete-sale.js';
import { type NeoDevice, openDevice, readCondition } from './device.js';
import { NeoDisplay } from './display.js';
import { REMOVE_CARD_MS } from './limits.js';
import { NeoLink } from './link.js';
import { dataOf } from './replies.js';
import { RiskLimits } from './risk-limits.js';
import { startSale } from './start-sale.js';

/** The contact slot, for CONTACT POWER OFF. */
const CONTACT_SLOT = Buffer.of(0x20);

/** An open NEO 2 session as the driver uses it. */
class NeoSession implements MakerSession {
  readonly kind = 'open';
  private readonly link: NeoLink;
  private readonly clock: Clock;
  private readonly seat: CardSeat;
  private readonly device: NeoDevice;
  private readonly display: NeoDisplay;
  private readonly limits: RiskLimits;
  private readonly idleText: string;
  private chipWaits = false;

  constructor(link: NeoLink, clock: Clock, seat: CardSeat, device: NeoDevice, idleText: string) {
    this.link = link;
    this.clock = clock;
    this.seat = seat;
    this.device = device;
    this.display = new NeoDisplay(link);
    this.limits = new RiskLimits(link);
    this.idleText = idleText;
  }

  get identity(): TerminalIdentity {
    return this.device.identity;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const { link, clock, device, display, limits } = this;
    // A card of the sale before is the device's to send away; its own seat is told.
    this.seat.empty();
    const outcome = await startSale({ link, clock, device, display, limits, request, hooks });
    this.chipWaits = outcome.kind === 'online-required' && outcome.card.facts.entryMode === 'ICC';
    return outcome;
  }

  /** A tap or a magstripe has left: the issuer's word stands as it is. */
  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    return this.chipWaits ? completeChip(this.link, result) : completeMagstripe(result);
  }

  async finish(text: string): Promise<Result<undefined>> {
    this.seat.begin();
    // A transaction that was not completed is still open on the device.
    const cancelled = dataOf('cancel', await this.link.cancel());
    if (isFailed(cancelled)) return cancelled;
    // An empty slot refuses to be switched off, and nothing follows from that.
    const off = await this.link.execute('contactPowerOff', CONTACT_SLOT);
    if (isFailed(off)) return off;
    if (this.seat.taken) {
      const shown = await this.display.show(`${text} - REMOVE CARD`);
      if (shown) return shown;
      await this.seat.waitUntilEmpty(REMOVE_CARD_MS);
    }
    return this.display.show(text);
  }

  async interrupt(): Promise<void> {
    this.seat.stopWaiting();
    if (this.link.blocking) await this.link.cancel();
  }

  showIdle(): Promise<Result<undefined>> {
    return this.display.show(this.idleText);
  }

  async checkAlive(): Promise<Result<undefined>> {
    const data = dataOf('ping', await this.link.execute('ping'));
    return isFailed(data) ? data : undefined;
  }

  condition(): Promise<Result<TerminalCondition>> {
    return readCondition(this.link, this.device);
  }
}

/** ID TECH NEO 2: whole frames over a serial line, HID reports over USB. */
export const openMaker: OpenMaker =
  ({ clock, transport, idleText }) =>
  (pipe) => {
    const link = new NeoLink(pipe, clock, transport === 'hid' ? 'hid' : 'serial');
    const seat = new CardSeat(link, clock);
    return {
      async openSession() {
        seat.empty();
        const device = await openDevice(link);
        return isFailed(device) ? device : new NeoSession(link, clock, seat, device, idleText);
      },
    };
  };
