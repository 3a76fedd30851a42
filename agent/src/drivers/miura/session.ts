import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { PORT_CLOSED } from '../core/command-link.js';
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
import { failed, isFailed, type Result } from '../core/result.js';
import { CardWatch } from './card-watch.js';
import { completeChip } from './complete-sale.js';
import { ask, type MiuraDevice, openDevice, readCondition, showText, tellCards } from './device.js';
import { COMMAND_TIMEOUT_MS, REMOVE_CARD_MS } from './limits.js';
import { MiuraLink } from './link.js';
import { dataOf } from './replies.js';
import { startSale } from './start-sale.js';

/** An open MPI session as the driver uses it. */
class MiuraSession implements MakerSession {
  readonly kind = 'open';
  private readonly link: MiuraLink;
  private readonly clock: Clock;
  private readonly device: MiuraDevice;
  private readonly idleText: string;
  private watch: CardWatch | undefined;
  /** A chip or tap waits for CONTINUE TRANSACTION. */
  private chipWaits = false;

  constructor(link: MiuraLink, clock: Clock, device: MiuraDevice, idleText: string) {
    this.link = link;
    this.clock = clock;
    this.device = device;
    this.idleText = idleText;
  }

  get identity(): TerminalIdentity {
    return this.device.identity;
  }

  async start(request: StartRequest, hooks: CommandHooks): Promise<StartOutcome> {
    return this.watching(hooks, async (watch) => {
      const { link, clock, device } = this;
      const outcome = await startSale({ link, clock, device, watch, request, hooks });
      this.chipWaits = outcome.kind === 'online-required' && outcome.card.iccData.length > 0;
      return outcome;
    });
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    return this.chipWaits ? completeChip(this.link, result) : completeMagstripe(result);
  }

  finish(text: string): Promise<Result<undefined>> {
    return this.watching(undefined, async (watch) => {
      // A transaction that was not continued is still open on the device.
      const aborted = dataOf('abort', await this.link.abort());
      if (isFailed(aborted)) return aborted;
      const stuck = await this.slotEmpty(watch, text);
      if (stuck) return stuck;
      return tellCards(this.link, 'nothing') ?? showText(this.link, text);
    });
  }

  async interrupt(): Promise<void> {
    this.watch?.interrupt();
    if (this.link.blocking) await this.link.abort();
  }

  showIdle(): Promise<Result<undefined>> {
    return showText(this.link, this.idleText);
  }

  async checkAlive(): Promise<Result<undefined>> {
    const data = dataOf('p2peStatus', await ask(this.link, 'p2peStatus'));
    return isFailed(data) ? data : undefined;
  }

  condition(): Promise<Result<TerminalCondition>> {
    return readCondition(this.link, this.device);
  }

  /** Waits until the slot is empty, however long that takes. */
  private async slotEmpty(watch: CardWatch, text: string): Promise<Result<undefined>> {
    const told = tellCards(this.link, 'slot');
    if (told) return told;
    const slot = await watch.next((event) => (event.kind === 'card' ? event : undefined), COMMAND_TIMEOUT_MS);
    if (slot === 'timeout')
      return failed('terminal-silent', 'CARD STATUS: the terminal tells nothing of its slot');
    if (slot === 'gone') return PORT_CLOSED;
    if (slot === 'stopped' || !slot.status.present) return undefined;
    const shown = await showText(this.link, `${text} - REMOVE CARD`);
    if (shown) return shown;
    const left = await watch.next(
      (event) => (event.kind === 'card' && !event.status.present ? event : undefined),
      REMOVE_CARD_MS,
    );
    return left === 'gone' ? PORT_CLOSED : undefined;
  }

  private async watching<T>(
    hooks: CommandHooks | undefined,
    work: (watch: CardWatch) => Promise<T>,
  ): Promise<T> {
    const watch = new CardWatch(this.link, this.clock, () => hooks?.progress({ step: 'pin-entry' }));
    this.watch = watch;
    try {
      return await work(watch);
    } finally {
      this.watch = undefined;
      watch.close();
    }
  }
}

/** Miura MPI. */
export const openMaker: OpenMaker =
  ({ clock, idleText }) =>
  (pipe) => {
    const link = new MiuraLink(pipe, clock);
    return {
      async openSession() {
        const device = await openDevice(link);
        return isFailed(device) ? device : new MiuraSession(link, clock, device, idleText);
      },
    };
  };
