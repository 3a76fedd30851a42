import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { displayMessage } from '@tillbridge/protocol/terminals/abecs/classic.js';
import { keyIndexText } from '@tillbridge/protocol/terminals/abecs/key-map.js';
import { packTableRecords } from '@tillbridge/protocol/terminals/abecs/tables.js';
import type {
  CompleteOutcome,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalIdentity,
} from '../core/driver.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { CommandHooks, MakerSession, OpenMaker, OpenMakerLine } from '../core/maker-session.js';
import { isFailed, type Result } from '../core/result.js';
import { transactionValues } from '../core/transaction-values.js';
import { completeChip } from './complete-sale.js';
import type { AbecsConfig } from './config.js';
import { developmentConfig } from './default-tables.js';
import { type AbecsSession, checkAlive, openSession, readCondition } from './device.js';
import { twoLines } from './display-text.js';
import { endSale, showIdle } from './idle-display.js';
import { AbecsLink } from './link.js';
import { startSale } from './start-sale.js';

/** An open ABECS session as the driver uses it. */
class GertecSession implements MakerSession {
  readonly kind = 'open';
  private readonly link: AbecsLink;
  private readonly config: AbecsConfig;
  private readonly session: AbecsSession;
  /** The card that waits for the issuer has a chip to ask. */
  private chipWaits = false;

  constructor(link: AbecsLink, config: AbecsConfig, session: AbecsSession) {
    this.link = link;
    this.config = config;
    this.session = session;
  }

  get identity(): TerminalIdentity {
    return this.session.identity;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    const values = transactionValues(request);
    if (isFailed(values)) return values;
    const { link, config, session } = this;
    const outcome = await startSale({ link, config, session, request, values, ...hooks });
    this.chipWaits = outcome.kind === 'online-required' && outcome.card.iccData.length > 0;
    return outcome;
  }

  async complete(result: OnlineResult, { progress }: CommandHooks): Promise<CompleteOutcome> {
    return this.chipWaits ? completeChip(this.link, result, progress) : completeMagstripe(result);
  }

  finish(text: string): Promise<Result<undefined>> {
    return endSale(this.link, displayMessage(...twoLines(text)));
  }

  async interrupt(): Promise<void> {
    if (this.link.blocking) await this.link.cancel();
  }

  showIdle(): Promise<Result<undefined>> {
    return showIdle(this.link, this.config);
  }

  checkAlive(): Promise<Result<undefined>> {
    return checkAlive(this.link);
  }

  condition(): Promise<Result<TerminalCondition>> {
    return readCondition(this.link, this.config);
  }
}

/** Faults of a configuration come out here, at the start, and not in a sale. @throws TerminalFormatError */
function checkConfig(config: AbecsConfig): void {
  keyIndexText(config.pinKeyIndex);
  keyIndexText(config.dataKeyIndex);
  packTableRecords(config.tables);
}

/** ABECS 2.12 with a configuration of its own. @throws TerminalFormatError where ABECS cannot carry it */
export function openWith(config: AbecsConfig, clock: Clock): OpenMakerLine {
  checkConfig(config);
  return (pipe) => {
    const link = new AbecsLink(pipe, clock);
    return {
      async openSession() {
        const session = await openSession(link, config);
        return isFailed(session) ? session : new GertecSession(link, config, session);
      },
    };
  };
}

/** ABECS 2.12 with the tables of the place. */
export const openMaker: OpenMaker = ({ clock, place, capks }) =>
  openWith(developmentConfig(place, capks), clock);
