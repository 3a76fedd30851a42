import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { displayMessage } from '@tillbridge/protocol/terminals/abecs/classic.js';
import { keyIndexText } from '@tillbridge/protocol/terminals/abecs/key-map.js';
import { packTableRecords } from '@tillbridge/protocol/terminals/abecs/tables.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type {
  CompleteOutcome,
  DriverProgress,
  DriverState,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalDriver,
  TerminalIdentity,
} from '../driver.js';
import { completeChip, completeStripe } from './complete-sale.js';
import type { AbecsConfig } from './config.js';
import { AbecsConnection, type ConnectionPhase, type DriverLog, type ReadyLine } from './connection.js';
import { twoLines } from './display-text.js';
import { type Failed, failed } from './failures.js';
import { endSale, showIdle } from './idle-display.js';
import { LAST_MESSAGE_MS, LIVENESS_INTERVAL_MS } from './limits.js';
import { checkAlive } from './session.js';
import { startSale } from './start-sale.js';

/** What a Gertec driver needs. */
export interface GertecDriverOptions {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly config: AbecsConfig;
  readonly log: DriverLog;
}

/** The command that runs. */
interface Running {
  readonly name: 'start' | 'complete' | 'finish';
  stopped: boolean;
  readonly ended: Promise<unknown>;
}

/** A card that waits for `complete`, bound to the session in which it was read. */
interface WaitingCard {
  readonly line: ReadyLine;
  readonly chip: boolean;
}

/** Failures after which nobody knows what the device does: the session must begin anew. */
const LINE_FAULTS: ReadonlySet<string> = new Set(['terminal-silent', 'terminal-gone', 'protocol-error']);

class GertecDriver implements TerminalDriver {
  identity: TerminalIdentity | undefined;
  private readonly options: GertecDriverOptions;
  private readonly connection: AbecsConnection;
  private readonly listeners = new Set<(state: DriverState) => void>();
  private shown: DriverState = 'disconnected';
  private running: Running | undefined;
  private waitingCard: WaitingCard | undefined;
  /** The card was read and `finish` has not come yet. */
  private inSale = false;
  private showsLastMessage = true;
  private idleTimer: Timer | undefined;
  private idleWork: Promise<void> = Promise.resolve();

  constructor(options: GertecDriverOptions) {
    this.options = options;
    this.connection = new AbecsConnection({ ...options, onPhase: (phase) => this.phaseChanged(phase) });
    this.connection.start();
  }

  get state(): DriverState {
    return this.shown;
  }

  async start(request: StartRequest, progress: (step: DriverProgress) => void): Promise<StartOutcome> {
    const number = currencyNumber(request.amount.currency);
    if (number === undefined) return failed('internal', 'the currency has no ISO 4217 number');
    return this.operate<StartOutcome>('start', async (line, running) => {
      this.waitingCard = undefined;
      this.inSale = false;
      this.showsLastMessage = true;
      const { client, session } = line;
      const stopped = () => running.stopped;
      const { config } = this.options;
      const outcome = await startSale({
        client,
        config,
        session,
        request,
        currencyNumber: number,
        progress,
        stopped,
      });
      if ('card' in outcome) this.inSale = true;
      if (outcome.kind === 'online-required') {
        this.waitingCard = { line, chip: outcome.card.iccData.length > 0 };
      }
      return outcome;
    });
  }

  async complete(result: OnlineResult, progress: (step: DriverProgress) => void): Promise<CompleteOutcome> {
    return this.operate<CompleteOutcome>('complete', async (line) => {
      const card = this.waitingCard;
      this.waitingCard = undefined;
      if (!card) return failed('internal', 'no card waits for an answer');
      if (card.line !== line) return failed('terminal-gone', 'the terminal was lost since the card was read');
      return card.chip ? completeChip(line.client, result, progress) : completeStripe(result);
    });
  }

  async cancel(): Promise<void> {
    const { running } = this;
    // Once the issuer has answered, the card must hear it: FCX is never cancelled.
    if (!running || running.name === 'complete') return;
    running.stopped = true;
    const { ready } = this.connection;
    if (ready?.link.blocking) await ready.client.cancel();
    await running.ended;
  }

  async finish(text: string): Promise<void> {
    await this.operate<undefined | Failed>('finish', async (line) => {
      this.waitingCard = undefined;
      this.inSale = false;
      this.showsLastMessage = true;
      return endSale(line.client, displayMessage(...twoLines(text)));
    });
  }

  onState(listener: (state: DriverState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.idleTimer?.cancel();
    await this.connection.close();
    await this.running?.ended;
    this.show('disconnected');
    this.listeners.clear();
  }

  /** Runs one command alone on the open session, after any idle work; a fault of the line opens the session anew. */
  private async operate<T extends { readonly kind: string } | undefined>(
    name: Running['name'],
    work: (line: ReadyLine, running: Running) => Promise<T | Failed>,
  ): Promise<T | Failed> {
    if (this.running)
      return failed('terminal-busy', `the terminal runs another command (${this.running.name})`);
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running: Running = { name, stopped: false, ended };
    this.running = running;
    this.idleTimer?.cancel();
    this.refresh();
    try {
      await this.idleWork;
      const line = this.connection.ready;
      if (!line)
        return failed(
          'terminal-gone',
          `the terminal is ${this.connection.phase}: ${this.connection.problem}`,
        );
      const outcome = await work(line, running);
      if (outcome?.kind === 'failed') this.watchFault(line, outcome as Failed);
      return outcome;
    } finally {
      this.running = undefined;
      end();
      this.refresh();
      this.armIdle();
    }
  }

  private watchFault(line: ReadyLine, problem: Failed): void {
    if (LINE_FAULTS.has(problem.failure)) this.connection.broken(line, problem);
  }

  private phaseChanged(phase: ConnectionPhase): void {
    const { ready } = this.connection;
    if (phase === 'ready' && ready) {
      this.identity = ready.session.identity;
      this.inSale = false;
      this.showsLastMessage = true;
      this.armIdle(0);
    } else {
      this.idleTimer?.cancel();
    }
    this.refresh();
  }

  /** Idle work: the idle display once, then signs of life. Never while a command runs or a card is in a sale. */
  private armIdle(displayAfterMs = LAST_MESSAGE_MS): void {
    this.idleTimer?.cancel();
    const line = this.connection.ready;
    if (!line || this.running || this.inSale) return;
    const waitMs = this.showsLastMessage ? displayAfterMs : LIVENESS_INTERVAL_MS;
    this.idleTimer = this.options.clock.setTimer(waitMs, () => {
      this.idleWork = this.idle(line).finally(() => this.armIdle());
    });
  }

  private async idle(line: ReadyLine): Promise<void> {
    const display = this.showsLastMessage;
    this.showsLastMessage = false;
    const problem = display
      ? await showIdle(line.client, this.options.config)
      : await checkAlive(line.client);
    if (problem) this.watchFault(line, problem);
  }

  private refresh(): void {
    const { phase } = this.connection;
    this.show(phase === 'ready' && (this.running || this.inSale) ? 'busy' : phase);
  }

  private show(state: DriverState): void {
    if (state === this.shown) return;
    this.shown = state;
    for (const listener of [...this.listeners]) listener(state);
  }
}

/** Faults of a configuration come out here, at the start, and not in a sale. */
function checkConfig(config: AbecsConfig): void {
  keyIndexText(config.pinKeyIndex);
  keyIndexText(config.dataKeyIndex);
  packTableRecords(config.tables);
}

/**
 * Opens a driver for a Gertec PPC930 (ABECS 2.12); it connects by itself, and again whenever the terminal was gone.
 * @throws AbecsFormatError naming the field when the configuration cannot be written as ABECS wants it
 */
export function openGertecDriver(options: GertecDriverOptions): TerminalDriver {
  checkConfig(options.config);
  return new GertecDriver(options);
}
