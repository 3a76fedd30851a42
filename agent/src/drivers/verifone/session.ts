import { tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { encodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import { TAGS } from '@tillbridge/protocol/terminals/verifone/tags.js';
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
import { completeSale } from './complete-sale.js';
import { askAlive, bringInStep, identify, readCondition, showText } from './device.js';
import { COMMAND_TIMEOUT_MS, REMOVAL_STEP_SECONDS, REMOVE_CARD_MS } from './limits.js';
import { SdiLink } from './link.js';
import { ask, statusFailure } from './replies.js';
import { startSale } from './start-sale.js';

/** Who still has to hear the issuer's answer. */
type WaitsFor = 'chip' | 'tap' | 'nobody';

/** An open SDI session as the driver uses it. */
class VerifoneSession implements MakerSession {
  readonly kind = 'open';
  readonly identity: TerminalIdentity;
  private readonly link: SdiLink;
  private readonly clock: Clock;
  private readonly idleText: string;
  private waits: WaitsFor = 'nobody';
  private finishing: 'no' | 'yes' | 'stopped' = 'no';

  constructor(link: SdiLink, clock: Clock, identity: TerminalIdentity, idleText: string) {
    this.link = link;
    this.clock = clock;
    this.identity = identity;
    this.idleText = idleText;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const { link, clock } = this;
    const outcome = await startSale({ link, clock, request, hooks });
    this.waits = outcome.kind === 'online-required' ? waitsFor(outcome.card.facts.entryMode) : 'nobody';
    return outcome;
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    const way = this.waits;
    this.waits = 'nobody';
    return way === 'nobody' ? completeMagstripe(result) : completeSale(this.link, way, result);
  }

  async finish(text: string): Promise<Result<undefined>> {
    this.waits = 'nobody';
    this.finishing = 'yes';
    try {
      return (
        (await bringInStep(this.link)) ??
        (await this.forget()) ??
        (await this.slotEmpty(text)) ??
        (await showText(this.link, text))
      );
    } finally {
      this.finishing = 'no';
    }
  }

  async interrupt(): Promise<void> {
    if (this.finishing === 'yes') this.finishing = 'stopped';
    this.link.abort();
  }

  showIdle(): Promise<Result<undefined>> {
    return showText(this.link, this.idleText);
  }

  checkAlive(): Promise<Result<undefined>> {
    return askAlive(this.link);
  }

  condition(): Promise<Result<TerminalCondition>> {
    return readCondition(this.link, this.identity);
  }

  /** Ends both kernels' transactions, whichever was open, and clears what the device keeps of the card. */
  private async forget(): Promise<Result<undefined>> {
    for (const command of ['ctEnd', 'ctlsEnd', 'clearDataStore'] as const) {
      const ended = await ask(this.link, command);
      if (isFailed(ended)) return ended;
    }
    return undefined;
  }

  /** Waits until the slot is empty, however long that takes. */
  private async slotEmpty(text: string): Promise<Result<undefined>> {
    let removed = await this.cardRemoved(0);
    if (removed !== false) return removed === true ? undefined : removed;
    const shown = await showText(this.link, `${text} - REMOVE CARD`);
    if (shown) return shown;
    const untilMs = this.clock.monotonicMs() + REMOVE_CARD_MS;
    while (removed === false && this.finishing === 'yes' && this.clock.monotonicMs() < untilMs) {
      removed = await this.cardRemoved(REMOVAL_STEP_SECONDS);
    }
    return typeof removed === 'boolean' ? undefined : removed;
  }

  private async cardRemoved(seconds: number): Promise<Result<boolean>> {
    const time = Buffer.of(seconds >>> 8, seconds & 0xff);
    const waited = await ask(this.link, 'waitCardRemoval', {
      data: encodeContainer([tlv(TAGS.timeoutSeconds, time)]),
      timeoutMs: seconds * 1_000 + COMMAND_TIMEOUT_MS,
    });
    if (isFailed(waited)) return waited;
    if (waited.hint === 'timed-out') return false;
    // Where no card was inserted in this sale, there is none to wait for.
    return waited.hint === 'ok' || waited.hint === 'wrong-state'
      ? true
      : statusFailure('waitCardRemoval', waited);
  }
}

function waitsFor(entryMode: string): WaitsFor {
  if (entryMode === 'ICC') return 'chip';
  return entryMode.startsWith('NFC') ? 'tap' : 'nobody';
}

/** Verifone SDI: type B frames over TCP, type A over anything else. */
export const openMaker: OpenMaker =
  ({ clock, transport, idleText }) =>
  (pipe) => {
    const link = new SdiLink(pipe, clock, transport === 'tcp' ? 'B' : 'A');
    return {
      async openSession() {
        const stuck = await bringInStep(link);
        if (stuck) return stuck;
        const identity = await identify(link);
        return isFailed(identity) ? identity : new VerifoneSession(link, clock, identity, idleText);
      },
    };
  };
