import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { displayMessage } from '@tillbridge/protocol/terminals/abecs/classic.js';
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
import { type Failed, failed } from '../core/result.js';
import { CommandClient } from './command-client.js';
import { completeChip } from './complete-sale.js';
import type { AbecsConfig } from './config.js';
import { type AbecsSession, checkAlive, openSession, readCondition } from './device.js';
import { twoLines } from './display-text.js';
import { endSale, showIdle } from './idle-display.js';
import { AbecsLink } from './link.js';
import { startSale } from './start-sale.js';

interface Wire {
  readonly client: CommandClient;
  readonly link: AbecsLink;
}

/** An open ABECS session as the driver uses it. */
class GertecSession implements MakerSession {
  readonly kind = 'open';
  private readonly wire: Wire;
  private readonly config: AbecsConfig;
  private readonly session: AbecsSession;
  /** The card that waits for the issuer has a chip to ask. */
  private chipWaits = false;

  constructor(wire: Wire, config: AbecsConfig, session: AbecsSession) {
    this.wire = wire;
    this.config = config;
    this.session = session;
  }

  get identity(): TerminalIdentity {
    return this.session.identity;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const number = currencyNumber(request.amount.currency);
    if (number === undefined) return failed('internal', 'the currency has no ISO 4217 number');
    const { client } = this.wire;
    const { config, session } = this;
    const outcome = await startSale({ client, config, session, request, currencyNumber: number, ...hooks });
    this.chipWaits = outcome.kind === 'online-required' && outcome.card.iccData.length > 0;
    return outcome;
  }

  async complete(result: OnlineResult, { progress }: CommandHooks): Promise<CompleteOutcome> {
    return this.chipWaits ? completeChip(this.wire.client, result, progress) : completeStripe(result);
  }

  finish(text: string): Promise<Failed | undefined> {
    return endSale(this.wire.client, displayMessage(...twoLines(text)));
  }

  async interrupt(): Promise<void> {
    if (this.wire.link.blocking) await this.wire.client.cancel();
  }

  showIdle(): Promise<Failed | undefined> {
    return showIdle(this.wire.client, this.config);
  }

  checkAlive(): Promise<Failed | undefined> {
    return checkAlive(this.wire.client);
  }

  condition(): Promise<TerminalCondition | Failed> {
    return readCondition(this.wire.client, this.config);
  }
}

/** ABECS 2.12 over an open pipe. */
export function gertecLine(pipe: BytePipe, clock: Clock, config: AbecsConfig): MakerLine {
  const link = new AbecsLink(pipe, clock);
  const wire = { link, client: new CommandClient(link) };
  return {
    async openSession() {
      const session = await openSession(wire.client, config);
      return session.kind === 'failed' ? session : new GertecSession(wire, config, session);
    },
  };
}
