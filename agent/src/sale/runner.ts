import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import { type Outcome, type StatusAnswer, StatusState } from '@tillbridge/wire/bridge/messages.js';
import { wordOfWire } from '@tillbridge/wire/bridge/wire-words.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import { oneRun } from '@tillbridge/wire/seams/one-run.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { TerminalDriver } from '../drivers/core/driver.js';
import { ForwardProjection } from '../journal/forward-projection.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { Journal, JournalRow, JournalState } from '../journal/journal.js';
import type { SaleHold } from '../journal/journal-watch.js';
import type { StorePolicySource } from '../uplink/store-policy-keeper.js';
import type { Uplink, UplinkState } from '../uplink/uplink.js';
import type { SaleEvent, StepContext } from './machine/state/events.js';
import { toGatewayAnswer } from './machine/state/gateway-answer.js';
import { parkedMessages } from './machine/state/messages.js';
import type { SalePolicy } from './machine/state/policy.js';
import { holdsTerminal, isOpen, type SaleState } from './machine/state/sale-state.js';
import { cardFingerprints, FINGERPRINT_KEY_BYTES, type FingerprintCard } from './offline/card-fingerprint.js';
import { offlineExpiryMs } from './offline/offline-policy.js';
import { type OfflineSituation, saleReasons } from './offline/offline-rules.js';
import { RecordAges } from './offline/record-ages.js';
import { TimeFloor } from './offline/time-floor.js';
import { type PolicyInForce, policyInForce, UNLIMITED } from './policy/policy-in-force.js';
import { DEFAULT_STORE, type StoreConfig } from './receipts/store.js';
import { statusRequest, type TerminalProfile } from './records/bridge-messages.js';
import { bootReplay } from './runtime/boot.js';
import { ContactLog } from './runtime/contact-log.js';
import { Effects } from './runtime/effects.js';
import { ExpiryWatch } from './runtime/expiry-watch.js';
import { Forwarding } from './runtime/forwarding.js';
import { LateDeclines } from './runtime/late-declines.js';
import { OfflineStanding } from './runtime/offline-standing.js';
import { ParkedInquiry } from './runtime/parked-inquiry.js';
import type { ActorPorts } from './runtime/sale-actor.js';
import { SaleRegistry } from './runtime/sale-registry.js';
import { TerminalExecutor } from './runtime/terminal-executor.js';
import { JournaledSaleService } from './service/journaled-sale-service.js';
import { ParkedSales } from './service/parked-sales.js';
import { rowEvent } from './service/sale-events.js';
import type { SaleService, TillEvent } from './service/sale-service.js';
import { terminalView } from './service/views.js';

/** What the runner runs on. */
interface RunnerDeps extends Seams {
  readonly journal: Journal;
  /** What stands on receipts. Default: nothing of a store. */
  readonly store?: StoreConfig;
  /** As the agent is configured. */
  readonly policy: SalePolicy;
  /** The gateway's policy of the store; the stricter of both applies. Default: only the configuration. */
  readonly storePolicy?: StorePolicySource;
  readonly terminals: readonly { readonly profile: TerminalProfile; readonly driver: TerminalDriver }[];
  /**
   * Key of card fingerprints ({@link FINGERPRINT_KEY_BYTES}); the same at every start. Default: a key of this process, under
   * which the records of earlier ones count against every card.
   */
  readonly fingerprintKey?: Uint8Array;
  /** What ages are measured with. Default: a floor of the clock's own. */
  readonly time?: TimeFloor;
  /** What the ages of waiting records are. Default: by the clock and the floor. */
  readonly ages?: (time: TimeFloor) => RecordAges;
  /** What keeps new sales, or approvals without the gateway, away: the journal's standing and its copy. Default: nothing. */
  readonly saleHold?: () => SaleHold;
  /** Called with faults of the agent that stopped no sale; never card data. Default: not reported. */
  readonly onFault?: (error: unknown) => void;
}

/** A state that this build does not know decides nothing: the resolver requests the status again. */
const statusOf = wordOfWire(StatusState, 'in-progress');

const NO_STORE_POLICY: StorePolicySource = { policy: UNLIMITED, onChange: () => () => undefined };

const NO_HOLD: SaleHold = { hold: 'none', text: '' };

/** Runs sales: connects terminals, journal, uplink and tills with the sale machine, which decides. */
export class SaleRunner {
  /** What tills call. */
  readonly service: SaleService;
  /** What the uplink pulls from. */
  readonly queue: ForwardQueue;
  readonly #deps: RunnerDeps;
  readonly #executors: ReadonlyMap<string, TerminalExecutor>;
  readonly #projection = new ForwardProjection();
  readonly #lateDeclines = new LateDeclines();
  readonly #parkedSales = new ParkedSales();
  readonly #fingerprint: FingerprintCard;
  readonly #expiry: ExpiryWatch;
  readonly #standing: OfflineStanding;
  readonly #time: TimeFloor;
  readonly #ages: RecordAges;
  readonly #contacts: ContactLog;
  readonly #events: Listeners<[event: TillEvent]>;
  readonly #registry: SaleRegistry;
  readonly #forwarding: Forwarding;
  readonly #inquiry: ParkedInquiry;
  readonly #subscriptions: (() => void)[] = [];
  #inForce: PolicyInForce;
  #effects: Effects | undefined;
  #uplink: Uplink | undefined;
  #booted = false;
  #closing = false;

  constructor(deps: RunnerDeps) {
    const { journal, clock, terminals, random } = deps;
    this.#deps = deps;
    this.#inForce = this.#readPolicy();
    this.#fingerprint = cardFingerprints(deps.fingerprintKey ?? random.bytes(FINGERPRINT_KEY_BYTES));
    this.#executors = new Map(
      terminals.map(({ profile, driver }) => [profile.id, new TerminalExecutor(profile, driver)]),
    );
    this.#time = deps.time ?? new TimeFloor(clock);
    this.#ages = deps.ages?.(this.#time) ?? new RecordAges(clock, this.#time);
    this.#contacts = new ContactLog(journal, this.#time);
    this.#events = new Listeners(deps.onFault ?? (() => undefined));
    const ports = this.#actorPorts();
    this.#registry = new SaleRegistry(journal, ports);
    this.#forwarding = new Forwarding({
      journal,
      projection: this.#projection,
      registry: this.#registry,
      profile: (terminalId) => this.#profile(terminalId),
      isExpired: (item) => this.#expiry.isExpired(item),
      ageMs: (item) => this.#ages.ownMs(item),
    });
    this.#inquiry = this.#newInquiry();
    this.#expiry = new ExpiryWatch({
      clock,
      ages: this.#ages,
      expiryMs: () => offlineExpiryMs(this.#policy.offline),
      items: () => this.#projection.items(),
      expired: (reference) => this.#forwarding.expired(reference),
    });
    this.#standing = new OfflineStanding({
      policy: () => this.#inForce,
      projection: this.#projection,
      registry: this.#registry,
      lateDeclines: this.#lateDeclines,
      time: this.#time,
      executors: this.#executors,
      journalReady: () => journal.state.kind === 'ready' && this.#saleHold().hold === 'none',
    });
    this.queue = this.#forwarding;
    this.service = new JournaledSaleService({
      journal,
      policy: () => this.#inForce,
      ports,
      executors: this.#executors,
      registry: this.#registry,
      time: this.#time,
      events: this.#events,
      queue: this.#forwarding,
      store: deps.store ?? DEFAULT_STORE,
      askParked: () => this.#inquiry.begin(),
      link: () => this.#link(),
      isBooted: () => this.#booted,
      isClosing: () => this.#closing,
      readiness: (terminalId) => this.#standing.readiness(terminalId),
      saleHold: () => this.#saleHold(),
      unforwarded: () => this.#standing.unforwarded(),
      lateDeclines: () => this.#lateDeclines.list(),
      parkedSales: () => this.#parkedSales.list(),
      isExpired: (item) => this.#expiry.isExpired(item),
    });
  }

  /**
   * Attaches the uplink and brings back what the journal holds. Resolves when that is done; with a journal that cannot be
   * read it resolves at once, and the boot follows when the journal is there. Until then no till is served.
   */
  async start(uplink: Uplink): Promise<void> {
    const { clock, random, policy, journal, store = DEFAULT_STORE } = this.#deps;
    this.#uplink = uplink;
    this.#effects = new Effects({
      uplink,
      clock,
      random,
      policy,
      timeZone: store.timeZone,
      executor: (terminalId) => this.#executors.get(terminalId),
      progress: (actor, progress) => {
        const { reference, terminalId, request } = actor.state;
        const till = request.till === undefined ? {} : { till: request.till };
        const text = progress.step === 'message' ? { text: progress.text } : {};
        const atMs = clock.nowMs();
        const where = { reference, terminalId, ...till };
        this.#events.tell({ type: 'progress', atMs, ...where, step: progress.step, ...text });
      },
    });
    this.#subscriptions.push(
      uplink.onState((state) => this.#linkChanged(state)),
      uplink.onSilent?.((silent) => this.#linkSilent(silent)) ?? (() => undefined),
      uplink.onAnswer((messageId, outcome) => this.#answered(messageId, outcome)),
      uplink.onStatus((answer) => this.#status(answer)),
      uplink.onGatewayTime((timeMs) => {
        this.#contacts.noteGatewayTime(timeMs);
        // What counts as too old follows from the gateway's time.
        this.#expiry.look();
      }),
      journal.onState((state) => this.#journalChanged(state)),
      this.#storePolicy.onChange(() => this.#policyChanged()),
      ...[...this.#executors.values()].map((executor) =>
        executor.driver.onState(() => this.#terminalChanged(executor)),
      ),
    );
    for (const executor of this.#executors.values()) void this.#examine(executor);
    await this.#boot();
  }

  /** Takes no more calls and ends all subscriptions, timers and commands; the next start finds the open sales again. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const end of this.#subscriptions.splice(0)) end();
    this.#effects?.close();
    this.#expiry.close();
    await Promise.all([...this.#executors.values()].map((executor) => executor.cancel()));
  }

  #boot(): Promise<void> {
    if (this.#booted || this.#deps.journal.state.kind !== 'ready') return Promise.resolve();
    return this.#replay();
  }

  readonly #replay = oneRun(async () => {
    const { journal } = this.#deps;
    try {
      await bootReplay({
        journal,
        queue: this.#projection,
        time: this.#time,
        registry: this.#registry,
        found: (state) => this.#noteFor(state),
      });
      this.#expiry.booted();
      for (const actor of this.#registry.present()) await actor.flush();
      this.#booted = journal.state.kind === 'ready';
      this.#expiry.look();
      this.#forwarding.ring();
      this.#inquiry.begin();
    } catch (error) {
      // The journal reports its state itself; when it is back, the boot begins again.
      this.#deps.onFault?.(error);
    }
  });

  #actorPorts(): ActorPorts {
    const { journal, clock } = this.#deps;
    return {
      journal,
      clock,
      fingerprint: (facts) => this.#fingerprint(facts),
      context: (state) => this.#context(state),
      perform: (actor, effect) => this.#effects?.perform(actor, effect),
      committed: (rows, states) => this.#committed(rows, states),
      changed: (state) => this.#changed(state),
    };
  }

  #context(state: SaleState): StepContext {
    const { clock, random } = this.#deps;
    const nowMs = clock.nowMs();
    const newId = () => newMessageId(nowMs, random);
    // Gathered from all that is unforwarded, and few steps look at it.
    let gathered: OfflineSituation | undefined;
    const situation = (): OfflineSituation => {
      gathered ??= this.#standing.situation(state.terminalId, state.reference);
      return gathered;
    };
    return {
      nowMs,
      ids: [newId(), newId(), ...parkedMessages(state).map(newId)],
      policy: this.#policy,
      link: this.#link(),
      get offlineReasons() {
        return saleReasons(situation(), state.request);
      },
      get offline() {
        return situation();
      },
      fingerprint: this.#fingerprint,
    };
  }

  #committed(rows: readonly JournalRow[], states: readonly SaleState[]): void {
    const ring = new Set<string>();
    for (const [index, row] of rows.entries()) {
      this.#time.journaled(row.atMs);
      if (this.#projection.apply(row)) ring.add(row.terminalId);
      const state = states[index];
      if (state) this.#noteFor(state);
      const event = state && rowEvent(row, state, this.#deps.store);
      if (event) this.#events.tell(event);
    }
    this.#contacts.journaled();
    this.#expiry.look();
    this.#forwarding.ring([...ring]);
  }

  /** Notes late declines and parked sales for staff. */
  #noteFor(state: SaleState): void {
    this.#lateDeclines.look(state);
    this.#parkedSales.look(state);
  }

  #changed(state: SaleState): void {
    const executor = this.#executors.get(state.terminalId);
    if (executor?.running === state.reference && !holdsTerminal(state)) executor.running = undefined;
    if (!isOpen(state)) this.#registry.tidy(state.reference);
  }

  /** For people alone: sales go by the state of the session. */
  #linkSilent(silent: boolean): void {
    const state = this.#uplink?.state ?? 'down';
    this.#events.tell({
      type: 'gateway',
      atMs: this.#time.wallMs(),
      state,
      ...(silent && { silent: true }),
    });
  }

  #linkChanged(state: UplinkState): void {
    this.#events.tell({ type: 'gateway', atMs: this.#time.wallMs(), state });
    this.#expiry.look();
    for (const actor of this.#registry.present())
      void actor.post({ kind: 'link', state }).catch(() => undefined);
    if (state === 'up') this.#inquiry.begin();
  }

  /** The policy of the store has changed: what waits may be too old now, and terminals may sell less or more without the gateway. */
  #policyChanged(): void {
    this.#inForce = this.#readPolicy();
    this.#expiry.look();
    for (const executor of this.#executors.values()) this.#tellTerminal(executor);
  }

  #readPolicy(): PolicyInForce {
    return policyInForce(this.#deps.policy, this.#storePolicy.policy);
  }

  get #storePolicy(): StorePolicySource {
    return this.#deps.storePolicy ?? NO_STORE_POLICY;
  }

  get #policy(): SalePolicy {
    return this.#inForce.policy;
  }

  #journalChanged(state: JournalState): void {
    const reason = state.kind === 'unavailable' ? { reason: state.reason } : {};
    this.#events.tell({ type: 'journal', atMs: this.#time.wallMs(), state: state.kind, ...reason });
    // What was lost or not is read again before a till is served.
    if (state.kind === 'ready') void this.#boot();
    else this.#booted = false;
  }

  #terminalChanged(executor: TerminalExecutor): void {
    void this.#examine(executor);
    this.#tellTerminal(executor);
  }

  #tellTerminal(executor: TerminalExecutor): void {
    const terminal = terminalView(executor, this.#standing.readiness(executor.profile.id));
    this.#events.tell({ type: 'terminal', atMs: this.#time.wallMs(), terminal });
  }

  /** Reads the condition of a terminal: its keys count for its readiness. A terminal that cannot answer is no fault. */
  async #examine(executor: TerminalExecutor): Promise<void> {
    const before = executor.problem;
    await executor.examine();
    if (executor.problem !== before) this.#terminalChanged(executor);
  }

  #answered(messageId: string, outcome: Outcome): void {
    const answer = toGatewayAnswer(outcome);
    void this.#tellOwner(messageId, {
      kind: 'answer',
      messageId,
      answer,
      issuerData: outcome.iccDataResponse,
    });
  }

  #status(answer: StatusAnswer): void {
    if (this.#inquiry.onStatus(answer)) return;
    const { messageId, state, outcome } = answer;
    void this.#tellOwner(messageId, {
      kind: 'status',
      messageId,
      state: statusOf(state),
      issuerData: outcome?.iccDataResponse ?? new Uint8Array(),
      ...(outcome && { answer: toGatewayAnswer(outcome) }),
    });
  }

  /** Notifies the sale that sent the message; one that the journal does not know is ignored. */
  async #tellOwner(messageId: string, event: SaleEvent): Promise<void> {
    try {
      const reference = await this.#ownerOf(messageId);
      if (reference) await this.#registry.use(reference, (actor) => actor?.post(event));
    } catch (error) {
      // Without the disk nothing was decided: the resolver requests the status again.
      this.#deps.onFault?.(error);
    }
  }

  async #ownerOf(messageId: string): Promise<string | undefined> {
    const present = this.#registry.present().find((actor) => actor.state.messageId === messageId);
    return present?.state.reference ?? (await this.#deps.journal.rowOfMessage(messageId))?.reference;
  }

  #profile(terminalId: string): TerminalProfile {
    // A terminal that is configured no more still owes its messages.
    return (
      this.#executors.get(terminalId)?.profile ?? { id: terminalId, deviceType: '', pinEntryAvailable: false }
    );
  }

  #newInquiry(): ParkedInquiry {
    const { clock, random, onFault } = this.#deps;
    return new ParkedInquiry({
      parked: () =>
        this.#projection.items().flatMap(({ state, messageId }) => (state === 'parked' ? [messageId] : [])),
      ask: (messageId) =>
        this.#uplink?.sendLive(statusRequest(newMessageId(clock.nowMs(), random), messageId)) ?? false,
      acknowledged: (messageId, outcome) => this.#forwarding.acknowledged(messageId, outcome),
      onFault: (error) => onFault?.(error),
    });
  }

  #saleHold(): SaleHold {
    return this.#deps.saleHold?.() ?? NO_HOLD;
  }

  #link(): UplinkState {
    return this.#uplink?.state ?? 'down';
  }
}
