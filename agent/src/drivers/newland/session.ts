import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import {
  decodePresentCard,
  encodeCardPresence,
  PRESENT_CARDS,
} from '@tillbridge/protocol/terminals/newland/commands.js';
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
import { attempt, isFailed, type Result } from '../core/result.js';
import { completeChip } from './complete-sale.js';
import { openDevice, readCondition, readStatus, showText, terminate } from './device.js';
import { REMOVAL_POLL_MS, REMOVE_CARD_MS } from './limits.js';
import { command, NewlandLink } from './link.js';
import { dataOf } from './replies.js';
import { StartSale } from './start-sale.js';

const REMOVE_CARD = 'REMOVE CARD';

/** An open session with a Newland pad as the driver uses it. */
class NewlandSession implements MakerSession {
  readonly kind = 'open';
  readonly identity: TerminalIdentity;
  private readonly link: NewlandLink;
  private readonly clock: Clock;
  private readonly idleText: string;
  private sale: StartSale | undefined;
  /** A chip waits for COMPLETE TRANSACTION: the pad takes no answer for taps and magstripes. */
  private chipWaits = false;
  /** Whoever waits for the card to leave need not wait any longer. */
  private stopped = false;

  constructor(link: NewlandLink, clock: Clock, identity: TerminalIdentity, idleText: string) {
    this.link = link;
    this.clock = clock;
    this.identity = identity;
    this.idleText = idleText;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const sale = new StartSale(this.link, request, hooks);
    this.sale = sale;
    try {
      const outcome = await sale.run();
      this.chipWaits = outcome.kind === 'online-required' && outcome.card.facts.entryMode === 'ICC';
      return outcome;
    } finally {
      this.sale = undefined;
    }
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    return this.chipWaits ? completeChip(this.link, result) : completeMagstripe(result);
  }

  async finish(text: string): Promise<Result<undefined>> {
    this.stopped = false;
    const ended = await terminate(this.link);
    if (ended) return ended;
    return (await this.slotEmpty()) ?? showText(this.link, text);
  }

  async interrupt(): Promise<void> {
    this.stopped = true;
    await this.sale?.interrupt();
  }

  showIdle(): Promise<Result<undefined>> {
    return showText(this.link, this.idleText);
  }

  async checkAlive(): Promise<Result<undefined>> {
    const status = await readStatus(this.link);
    return typeof status === 'string' ? undefined : status;
  }

  condition(): Promise<Result<TerminalCondition>> {
    return readCondition(this.link, this.identity);
  }

  /** Asks until the slot is empty, however long that takes: the pad tells nothing by itself. */
  private async slotEmpty(): Promise<Result<undefined>> {
    const untilMs = this.clock.monotonicMs() + REMOVE_CARD_MS;
    while (!this.stopped && this.clock.monotonicMs() < untilMs) {
      const present = await this.cardPresent();
      if (present !== true) return present || undefined;
      await this.pause();
    }
    return undefined;
  }

  private async cardPresent(): Promise<Result<boolean>> {
    const what = 'CARD PRESENCE';
    const reply = await this.link.execute(command('cardPresence', encodeCardPresence(REMOVE_CARD)));
    const data = dataOf(what, reply);
    if (isFailed(data)) return data;
    const card = attempt(what, () => decodePresentCard(data));
    return typeof card === 'number' ? card === PRESENT_CARDS.contact : card;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.clock.setTimer(REMOVAL_POLL_MS, resolve);
    });
  }
}

/** The Newland pin pad protocol. */
export const openMaker: OpenMaker =
  ({ clock, idleText }) =>
  (pipe) => {
    const link = new NewlandLink(pipe, clock);
    return {
      async openSession() {
        const identity = await openDevice(link);
        return isFailed(identity) ? identity : new NewlandSession(link, clock, identity, idleText);
      },
    };
  };
