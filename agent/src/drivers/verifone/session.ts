import { tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
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
import { completeStripe } from '../core/issuer-answer.js';
import type { CommandHooks, MakerLine, MakerSession } from '../core/maker-session.js';
import type { Failed } from '../core/result.js';
import { completeSale } from './complete-sale.js';
import { askAlive, bringInStep, identify, readCondition, showText } from './device.js';
import { COMMAND_TIMEOUT_MS, REMOVAL_STEP_SECONDS, REMOVE_CARD_MS } from './limits.js';
import { ask, statusFailure } from './replies.js';
import { SdiClient } from './sdi-client.js';
import type { FrameType } from './sdi-line.js';
import { startSale } from './start-sale.js';

/** Who still has to hear the issuer's answer. */
type WaitsFor = 'chip' | 'tap' | 'nobody';

/** An open SDI session as the driver uses it. */
class VerifoneSession implements MakerSession {
  readonly kind = 'open';
  readonly identity: TerminalIdentity;
  private readonly client: SdiClient;
  private readonly clock: Clock;
  private readonly idleText: string;
  private waits: WaitsFor = 'nobody';
  private finishing: 'no' | 'yes' | 'stopped' = 'no';

  constructor(client: SdiClient, clock: Clock, identity: TerminalIdentity, idleText: string) {
    this.client = client;
    this.clock = clock;
    this.identity = identity;
    this.idleText = idleText;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const { client, clock } = this;
    const outcome = await startSale({ client, clock, request, hooks });
    this.waits = outcome.kind === 'online-required' ? waitsFor(outcome.card.facts.entryMode) : 'nobody';
    return outcome;
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    const way = this.waits;
    this.waits = 'nobody';
    return way === 'nobody' ? completeStripe(result) : completeSale(this.client, way, result);
  }

  async finish(text: string): Promise<Failed | undefined> {
    this.waits = 'nobody';
    this.finishing = 'yes';
    try {
      return (
        (await bringInStep(this.client)) ??
        (await this.forget()) ??
        (await this.slotEmpty(text)) ??
        (await showText(this.client, text))
      );
    } finally {
      this.finishing = 'no';
    }
  }

  async interrupt(): Promise<void> {
    if (this.finishing === 'yes') this.finishing = 'stopped';
    this.client.abort();
  }

  showIdle(): Promise<Failed | undefined> {
    return showText(this.client, this.idleText);
  }

  checkAlive(): Promise<Failed | undefined> {
    return askAlive(this.client);
  }

  condition(): Promise<TerminalCondition | Failed> {
    return readCondition(this.client, this.identity);
  }

  /** Ends both kernels' transactions, whichever was open, and clears what the device keeps of the card. */
  private async forget(): Promise<Failed | undefined> {
    for (const command of ['ctEnd', 'ctlsEnd', 'clearDataStore'] as const) {
      const ended = await ask(this.client, command);
      if (ended.kind === 'failed') return ended;
    }
    return undefined;
  }

  /** Waits until the slot is empty, however long that takes. */
  private async slotEmpty(text: string): Promise<Failed | undefined> {
    let removed = await this.cardRemoved(0);
    if (removed !== false) return removed === true ? undefined : removed;
    const shown = await showText(this.client, `${text} - REMOVE CARD`);
    if (shown) return shown;
    const untilMs = this.clock.monotonicMs() + REMOVE_CARD_MS;
    while (removed === false && this.finishing === 'yes' && this.clock.monotonicMs() < untilMs) {
      removed = await this.cardRemoved(REMOVAL_STEP_SECONDS);
    }
    return typeof removed === 'boolean' ? undefined : removed;
  }

  private async cardRemoved(seconds: number): Promise<boolean | Failed> {
    const time = Buffer.of(seconds >>> 8, seconds & 0xff);
    const waited = await ask(this.client, 'waitCardRemoval', {
      data: encodeContainer([tlv(TAGS.timeoutSeconds, time)]),
      timeoutMs: seconds * 1_000 + COMMAND_TIMEOUT_MS,
    });
    if (waited.kind === 'failed') return waited;
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

/** Verifone SDI over an open pipe. */
export function verifoneLine(pipe: BytePipe, clock: Clock, type: FrameType, idleText: string): MakerLine {
  const client = new SdiClient(pipe, clock, type);
  return {
    async openSession() {
      const stuck = await bringInStep(client);
      if (stuck) return stuck;
      const identity = await identify(client);
      return 'kind' in identity ? identity : new VerifoneSession(client, clock, identity, idleText);
    },
  };
}
