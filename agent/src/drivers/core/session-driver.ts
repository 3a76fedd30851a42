import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { LineProbe } from '../../ports/line-probe.js';
import type { PortSupervisor } from '../../ports/port-supervisor.js';
import type {
  CardData,
  CompleteOutcome,
  DeviceOutcome,
  DeviceWork,
  DriverProgress,
  DriverState,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalDriver,
  TerminalIdentity,
} from './driver.js';
import { LAST_MESSAGE_MS, LIVENESS_INTERVAL_MS } from './limits.js';
import type { MakerSession, OpenMakerLine, Sale } from './maker-session.js';
import { type Failed, failed, isFailed, type Result } from './result.js';
import { type ConnectionPhase, type DriverLog, TerminalConnection } from './terminal-connection.js';
import { transactionValues } from './transaction-values.js';

/** What a driver is made of. */
export interface SessionDriverDeps {
  /** The supervised port; the driver owns it from now on. */
  readonly port: PortSupervisor;
  readonly clock: Clock;
  readonly log: DriverLog;
  readonly openLine: OpenMakerLine;
  /** Why a device may not sell here; called each time the driver becomes ready. Every device may where absent. */
  readonly refuse?: (identity: TerminalIdentity) => string | undefined;
  /** Finds out how the line is set; until it has, each session that fails has the port opened anew. */
  readonly probe?: Pick<LineProbe, 'isFound' | 'answered'>;
}

/** The command that runs. */
interface Running {
  readonly name: 'start' | 'complete' | 'finish' | 'status' | DeviceWork['kind'];
  stopped: boolean;
  readonly ended: Promise<unknown>;
}

/** Failures after which the state of the device is unknown: a new session must begin. */
const LINE_FAULTS: ReadonlySet<string> = new Set(['terminal-silent', 'terminal-gone', 'protocol-error']);

/** Shown behind a card that was read without a payment. */
const AFTER_CARD = 'PLEASE WAIT';
const UNAVAILABLE = { kind: 'unavailable' } as const;
const DONE = { kind: 'done' } as const;
/** What the device knew of its session is gone with it. */
const RESET_REQUESTED = failed('terminal-gone', 'the terminal restarts, as requested');

/** What all makers share: one command at a time, idle display, liveness checks, a new session after a fault. */
class SessionDriver implements TerminalDriver {
  identity: TerminalIdentity | undefined;
  private readonly deps: SessionDriverDeps;
  private readonly connection: TerminalConnection;
  private readonly listeners = new Set<(state: DriverState) => void>();
  private shown: DriverState = 'disconnected';
  private running: Running | undefined;
  /** The card that waits for `complete`, and the session that read it. */
  private waiting: { readonly session: MakerSession; readonly card: CardData } | undefined;
  /** Why the device may not sell here. */
  private refused: string | undefined;
  /** The card was read and `finish` has not come yet. */
  private inSale = false;
  private showsLastMessage = true;
  private idleTimer: Timer | undefined;
  private idleWork: Promise<void> = Promise.resolve();

  constructor(deps: SessionDriverDeps) {
    this.deps = deps;
    this.connection = new TerminalConnection({ ...deps, onPhase: (phase) => this.phaseChanged(phase) });
    this.connection.start();
  }

  get state(): DriverState {
    return this.shown;
  }

  async start(request: StartRequest, progress: (step: DriverProgress) => void): Promise<StartOutcome> {
    if (this.refused !== undefined) return failed('wrong-device', this.refused);
    return this.operate<StartOutcome>('start', async (session, stopped) => {
      this.forgetSale();
      const sale = this.saleOf(request, progress, stopped);
      if (isFailed(sale)) return sale;
      const outcome = await session.start(sale);
      if ('card' in outcome) this.inSale = true;
      if (outcome.kind === 'online-required') this.waiting = { session, card: outcome.card };
      return outcome;
    });
  }

  async complete(result: OnlineResult, progress: (step: DriverProgress) => void): Promise<CompleteOutcome> {
    return this.operate<CompleteOutcome>('complete', async (session, stopped) => {
      const { waiting } = this;
      this.waiting = undefined;
      if (!waiting) return failed('internal', 'no card waits for an answer');
      if (waiting.session !== session)
        return failed('terminal-gone', 'the terminal was lost since the card was read');
      return session.complete(result, waiting.card, { progress, stopped });
    });
  }

  async cancel(): Promise<void> {
    const { running } = this;
    // The card must receive an answer that the issuer gave: `complete` is never cancelled.
    if (!running || running.name === 'complete') return;
    running.stopped = true;
    await this.connection.ready?.interrupt();
    await running.ended;
  }

  async finish(text: string): Promise<void> {
    await this.operate<undefined | Failed>('finish', async (session, stopped) => {
      this.forgetSale();
      return session.finish(text, { progress: () => {}, stopped });
    });
  }

  async status(): Promise<Result<TerminalCondition>> {
    return this.operate<TerminalCondition | Failed>('status', (session) => session.condition());
  }

  async device(work: DeviceWork): Promise<DeviceOutcome> {
    return this.operate<DeviceOutcome>(work.kind, async (session, stopped) => {
      if (this.inSale) return failed('terminal-busy', 'a card is in a sale');
      // The idle text comes back after a while.
      this.showsLastMessage = true;
      switch (work.kind) {
        case 'read-card':
          return this.readCard(session, work.request, stopped);
        case 'ask':
          return session.ask?.(work.question, { progress: () => undefined, stopped }) ?? UNAVAILABLE;
        case 'print':
          return session.print?.(work.lines) ?? UNAVAILABLE;
        case 'display':
          return session.showText ? ((await session.showText(work.text)) ?? DONE) : UNAVAILABLE;
        case 'reset':
          return this.restart(session);
      }
    });
  }

  private async restart(session: MakerSession): Promise<DeviceOutcome> {
    if (!session.reset) return UNAVAILABLE;
    const problem = await session.reset();
    if (!problem) this.connection.broken(session, RESET_REQUESTED);
    return problem ?? DONE;
  }

  private async readCard(
    session: MakerSession,
    request: StartRequest,
    stopped: () => boolean,
  ): Promise<Result<DeviceOutcome>> {
    if (this.refused !== undefined) return failed('wrong-device', this.refused);
    if (!session.readCard) return UNAVAILABLE;
    const sale = this.saleOf(request, () => undefined, stopped);
    if (isFailed(sale)) return sale;
    const outcome = await session.readCard(sale);
    const left = await session.finish(AFTER_CARD, sale.hooks);
    return isFailed(outcome) ? outcome : (left ?? outcome);
  }

  private saleOf(
    request: StartRequest,
    progress: (step: DriverProgress) => void,
    stopped: () => boolean,
  ): Result<Sale> {
    const values = transactionValues(request);
    if (isFailed(values)) return values;
    const { clock } = this.deps;
    const untilMs = clock.monotonicMs() + request.cardTimeoutMs;
    const leftMs = (): number => Math.max(1, untilMs - clock.monotonicMs());
    return { request, values, hooks: { progress, stopped, leftMs } };
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

  /** Runs one command at a time on the open session, after any idle work; a fault of the line opens a new session. */
  private async operate<T extends { readonly kind: string } | undefined>(
    name: Running['name'],
    work: (session: MakerSession, stopped: () => boolean) => Promise<Result<T>>,
  ): Promise<Result<T>> {
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
      const session = this.connection.ready;
      if (!session)
        return failed(
          'terminal-gone',
          `the terminal is ${this.connection.phase}: ${this.connection.problem}`,
        );
      const outcome = await work(session, () => running.stopped);
      if (isFailed(outcome)) this.watchFault(session, outcome);
      return outcome;
    } finally {
      this.running = undefined;
      end();
      this.refresh();
      this.armIdle();
    }
  }

  private forgetSale(): void {
    this.waiting = undefined;
    this.inSale = false;
    this.showsLastMessage = true;
  }

  private watchFault(session: MakerSession, problem: Failed): void {
    if (LINE_FAULTS.has(problem.failure)) this.connection.broken(session, problem);
  }

  private phaseChanged(phase: ConnectionPhase): void {
    const { ready } = this.connection;
    if (phase === 'ready' && ready) {
      this.identity = ready.identity;
      this.inSale = false;
      this.showsLastMessage = true;
      this.armIdle(0);
    } else {
      this.idleTimer?.cancel();
    }
    this.refresh();
  }

  /** Idle work: the idle display once, then liveness checks. Never while a command runs or a card is in a sale. */
  private armIdle(displayAfterMs = LAST_MESSAGE_MS): void {
    this.idleTimer?.cancel();
    const session = this.connection.ready;
    if (!session || this.running || this.inSale) return;
    const waitMs = this.showsLastMessage ? displayAfterMs : LIVENESS_INTERVAL_MS;
    this.idleTimer = this.deps.clock.setTimer(waitMs, () => {
      this.idleWork = this.idle(session).finally(() => this.armIdle());
    });
  }

  private async idle(session: MakerSession): Promise<void> {
    const display = this.showsLastMessage;
    this.showsLastMessage = false;
    const problem = display ? await session.showIdle() : await session.checkAlive();
    if (problem) this.watchFault(session, problem);
  }

  private refresh(): void {
    const { phase } = this.connection;
    this.show(phase === 'ready' && (this.running || this.inSale) ? 'busy' : phase);
  }

  private show(state: DriverState): void {
    if (state === this.shown) return;
    this.shown = state;
    if (state === 'ready' && this.identity) this.refused = this.deps.refuse?.(this.identity);
    for (const listener of [...this.listeners]) listener(state);
  }
}

/** Opens a driver over a maker's lines; it connects, and reconnects whenever the terminal was gone. */
export function openSessionDriver(deps: SessionDriverDeps): TerminalDriver {
  return new SessionDriver(deps);
}
