import { completeMagstripe } from '../core/emv-data.js';
import type { MakerSession, OpenMaker } from '../core/maker-session.js';
import { andThen, isFailed, problemOf } from '../core/result.js';
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
function session(link: NeoLink, seat: CardSeat, device: NeoDevice, idleText: string): MakerSession {
  const display = new NeoDisplay(link);
  const limits = new RiskLimits(link);
  return {
    identity: device.identity,
    start(sale) {
      // The device itself prompts for the removal of a card of the sale before; only a card inserted now counts.
      seat.empty();
      return startSale({ link, device, display, limits, ...sale });
    },
    // A tap or a magstripe has left: the issuer's answer is final.
    complete: async (result, { facts }) =>
      facts.entryMode === 'ICC' ? completeChip(link, result) : completeMagstripe(result),
    async finish(text, { stopped }) {
      // A transaction that was not completed is still open on the device.
      const cancelled = dataOf('cancel', await link.cancel());
      if (isFailed(cancelled)) return cancelled;
      // An empty slot refuses to be switched off, and nothing follows from that.
      const off = await link.execute('contactPowerOff', CONTACT_SLOT);
      if (isFailed(off)) return off;
      if (seat.taken) {
        const shown = await display.show(`${text} - REMOVE CARD`);
        if (shown) return shown;
        await seat.waitUntilEmpty(REMOVE_CARD_MS, stopped);
      }
      return display.show(text);
    },
    async interrupt() {
      seat.stopWaiting();
      if (link.blocking) await link.cancel();
    },
    showText: (text) => display.show(text),
    showIdle: () => display.show(idleText),
    checkAlive: async () => problemOf(dataOf('ping', await link.execute('ping'))),
    condition: () => readCondition(link, device),
  };
}

/** ID TECH NEO 2: whole frames over a serial line, HID reports over USB. */
export const openMaker: OpenMaker =
  ({ clock, transport, idleText }) =>
  (pipe) => {
    const link = new NeoLink(pipe, clock, transport === 'hid' ? 'hid' : 'serial');
    const seat = new CardSeat(link, clock);
    return async () => {
      seat.empty();
      return andThen(await openDevice(link), (device) => session(link, seat, device, idleText));
    };
  };
