import {
  Disposition,
  type Outcome,
  type StatusAnswer,
  StatusState,
} from '@tillbridge/protocol/bridge/messages.js';
import { VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import type {
  CompleteOutcome,
  DriverState,
  OnlineResult,
  StartOutcome,
  StartRequest,
  TerminalDriver,
} from '../drivers/driver.js';
import type { ForwardQueue, StreamEnvelope } from '../journal/forward-queue.js';
import { type MemoryDisk, MemoryJournal, newMemoryDisk } from '../journal/memory-journal.js';
import type { LiveEnvelope, Uplink, UplinkState } from '../uplink/uplink.js';
import type { SaleRequest } from './desk.js';
import type { SalePolicy } from './policy.js';
import { SaleRunner } from './runner.js';
import { AAC, AT, chipCard, iccData, OFFLINE_POLICY, SeededRandom, TC } from './sale.test.support.js';

/** An authorization or offline record at the acquirer. */
export interface LedgerEntry {
  readonly messageId: string;
  readonly reference: string;
  readonly kind: 'authorization' | 'offline';
  readonly minor: number;
  readonly approved: boolean;
  reversed: boolean;
}

/** Bytes of tag 91 that the ledger's issuer answers with. */
const ISSUER_DATA = Buffer.from('910A1122334455667788AA00', 'hex');

/** The far end of the bridge: dedupes by id, keeps tombstones, remembers every authorization it ever booked. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>();
  readonly tombstones = new Set<string>();
  readonly seen: Map<string, Outcome> = new Map();
  /** Sequences of stream messages in the order of their first arrival, by terminal. */
  readonly streams = new Map<string, number[]>();
  readonly captured: string[] = [];
  /** What the issuer says to the next request. */
  approves: (reference: string) => boolean = () => true;
  parks: (envelope: StreamEnvelope) => boolean = () => false;

  authorize(envelope: LiveEnvelope): Outcome | undefined {
    if (envelope.kind !== 'authorizationRequest') return undefined;
    const { id, body } = envelope;
    const known = this.seen.get(id);
    if (known) return known;
    if (this.tombstones.has(id)) return outcome(Disposition.REFUSED);
    const approved = this.approves(body.reference);
    const { reference } = body;
    const minor = body.amount?.minor ?? 0;
    this.entries.set(id, {
      messageId: id,
      reference,
      kind: 'authorization',
      minor,
      approved,
      reversed: false,
    });
    return this.#remember(id, outcome(approved ? Disposition.APPROVED : Disposition.DECLINED, id));
  }

  status(messageId: string): StatusAnswer {
    const known = this.seen.get(messageId);
    if (known) return { messageId, state: StatusState.ANSWERED, outcome: known };
    const state = this.tombstones.has(messageId) ? StatusState.TOMBSTONED : StatusState.NOT_SEEN;
    return { messageId, state };
  }

  take(envelope: StreamEnvelope): Outcome {
    const known = this.seen.get(envelope.id);
    if (known) return known;
    const { terminalId, sequence } = envelope;
    this.streams.set(terminalId, [...(this.streams.get(terminalId) ?? []), sequence]);
    return this.#remember(envelope.id, this.#book(envelope));
  }

  /** Approved and not undone, by till reference. */
  standing(reference: string): LedgerEntry[] {
    const all = [...this.entries.values()];
    return all.filter((entry) => entry.reference === reference && entry.approved && !entry.reversed);
  }

  #book(envelope: StreamEnvelope): Outcome {
    switch (envelope.kind) {
      case 'reversal': {
        const { originalMessageId } = envelope.body;
        const entry = this.entries.get(originalMessageId);
        if (!entry) this.tombstones.add(originalMessageId);
        if (!entry?.approved || entry.reversed) return outcome(Disposition.NOTHING_TO_REVERSE);
        entry.reversed = true;
        return outcome(Disposition.REVERSED);
      }
      case 'capture':
        this.captured.push(envelope.body.originalMessageId);
        return outcome(Disposition.APPROVED, envelope.id);
      case 'offlineRecord': {
        const { id, body } = envelope;
        const approved = this.approves(body.reference);
        const { reference } = body;
        const minor = body.amount?.minor ?? 0;
        this.entries.set(id, { messageId: id, reference, kind: 'offline', minor, approved, reversed: false });
        return outcome(approved ? Disposition.APPROVED : Disposition.DECLINED, id);
      }
    }
  }

  #remember(id: string, answer: Outcome): Outcome {
    this.seen.set(id, answer);
    return answer;
  }
}

function outcome(disposition: Disposition, id = ''): Outcome {
  const approved = disposition === Disposition.APPROVED;
  return {
    disposition,
    paymentId: id.replaceAll('-', ''),
    resultCode: approved ? '000.000.000' : '800.100.152',
    description: '',
    approvalCode: approved ? '123456' : '',
    responseCode: approved ? '00' : '05',
    iccDataResponse: ISSUER_DATA,
    brand: 'VISA',
  };
}

/** What the network does to live messages. */
export interface Weather {
  dropRequest(): boolean;
  dropAnswer(): boolean;
  /** One way, milliseconds. */
  delayMs(): number;
}

export const FAIR: Weather = { dropRequest: () => false, dropAnswer: () => false, delayMs: () => 10 };

/** The uplink of one boot: a wire to the ledger with weather on it. */
export class Wire implements Uplink {
  state: UplinkState = 'down';
  weather: Weather = FAIR;
  readonly sent: LiveEnvelope[] = [];
  nudges = 0;
  readonly #ledger: Ledger;
  readonly #clock: VirtualClock;
  readonly #onSend: (envelope: LiveEnvelope) => void;
  readonly #answers = new Set<(messageId: string, outcome: Outcome) => void>();
  readonly #statuses = new Set<(answer: StatusAnswer) => void>();
  readonly #states = new Set<(state: UplinkState) => void>();
  readonly #times = new Set<(timeMs: number) => void>();
  #queue: ForwardQueue | undefined;
  #dead = false;
  #pumping = new Set<string>();

  constructor(ledger: Ledger, clock: VirtualClock, onSend: (envelope: LiveEnvelope) => void) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#onSend = onSend;
  }

  sendLive(envelope: LiveEnvelope): boolean {
    if (this.state !== 'up' || this.#dead) return false;
    this.sent.push(envelope);
    this.#onSend(envelope);
    if (this.weather.dropRequest()) return true;
    this.#clock.setTimer(this.weather.delayMs(), () => this.#deliver(envelope));
    return true;
  }

  nudge(): void {
    this.nudges += 1;
  }

  onAnswer(listener: (messageId: string, outcome: Outcome) => void): () => void {
    return subscribe(this.#answers, listener);
  }

  onStatus(listener: (answer: StatusAnswer) => void): () => void {
    return subscribe(this.#statuses, listener);
  }

  onState(listener: (state: UplinkState) => void): () => void {
    return subscribe(this.#states, listener);
  }

  onGatewayTime(listener: (timeMs: number) => void): () => void {
    return subscribe(this.#times, listener);
  }

  set(state: UplinkState): void {
    if (this.state === state || this.#dead) return;
    this.state = state;
    for (const listener of this.#states) listener(state);
    if (state !== 'up') return;
    for (const listener of this.#times) listener(this.#clock.nowMs());
    for (const terminalId of this.#queue?.terminals() ?? []) void this.#pump(terminalId);
  }

  /** Pulls the stream messages, one at a time per terminal, as an uplink does. */
  pull(queue: ForwardQueue): void {
    this.#queue = queue;
    queue.onWork((terminalId) => void this.#pump(terminalId));
  }

  /** The process is gone: nothing of it is heard again. */
  kill(): void {
    this.#dead = true;
  }

  #deliver(envelope: LiveEnvelope): void {
    const answer = envelope.kind === 'statusRequest' ? undefined : this.#ledger.authorize(envelope);
    if (this.weather.dropAnswer()) return;
    this.#clock.setTimer(this.weather.delayMs(), () => {
      if (this.#dead || this.state !== 'up') return;
      if (answer) for (const listener of this.#answers) listener(envelope.id, answer);
      if (envelope.kind !== 'statusRequest') return;
      const status = this.#ledger.status(envelope.body.messageId);
      for (const listener of this.#statuses) listener(status);
    });
  }

  async #pump(terminalId: string): Promise<void> {
    if (this.#pumping.has(terminalId)) return;
    this.#pumping.add(terminalId);
    try {
      while (this.#queue && this.state === 'up' && !this.#dead) {
        const envelope = await this.#queue.next(terminalId, 0);
        if (!envelope || this.#dead) break;
        if (this.#ledger.parks(envelope)) {
          await this.#queue.parked(envelope.id, { code: 'unknown-card', text: 'nobody knows this card' });
          continue;
        }
        const taken = this.#ledger.take(envelope);
        if (this.weather.dropAnswer()) break;
        await this.#queue.acknowledged(envelope.id, taken);
      }
    } catch {
      // The journal is away: a later ring or link brings the message again.
    } finally {
      this.#pumping.delete(terminalId);
    }
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A terminal at the driver seam whose card and holder are scripted. */
export class ScriptedDriver implements TerminalDriver {
  state: DriverState = 'ready';
  readonly identity = { maker: 'Gertec', model: 'PPC930', firmware: '1', serial: '123' };
  readonly log: string[] = [];
  /** How reading the card ends. */
  reads: (request: StartRequest) => StartOutcome | Promise<StartOutcome> = () => ({
    kind: 'online-required',
    card: chipCard(),
  });
  /** How the card takes the answer. */
  completes: (result: OnlineResult) => CompleteOutcome | Promise<CompleteOutcome> = ({ kind }) =>
    kind === 'declined'
      ? { kind: 'declined', iccData: iccData(AAC, { '8A': '3035' }) }
      : { kind: 'approved', iccData: iccData(TC, { '8A': kind === 'approved' ? '3030' : '5933' }) };
  #cancel: (() => void) | undefined;

  async start(request: StartRequest): Promise<StartOutcome> {
    this.log.push(`start ${request.kind} ${request.amount.minor}`);
    const cancelled = new Promise<StartOutcome>((resolve) => {
      this.#cancel = () => resolve({ kind: 'cancelled', by: 'till' });
    });
    const end = await Promise.race([this.reads(request), cancelled]);
    this.#cancel = undefined;
    return end;
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    this.log.push(`complete ${result.kind}`);
    return this.completes(result);
  }

  async cancel(): Promise<void> {
    this.log.push('cancel');
    this.#cancel?.();
  }

  async finish(text: string): Promise<void> {
    this.log.push(`finish ${text}`);
  }

  onState(): () => void {
    return () => undefined;
  }

  async close(): Promise<void> {}
}

export const TERMINALS = ['11', '22'] as const;

/** An agent on a memory disk and a virtual clock, with its gateway. It can be killed and booted again. */
export class World {
  readonly clock: VirtualClock = new VirtualClock(AT);
  readonly ledger = new Ledger();
  readonly disk: MemoryDisk = newMemoryDisk();
  readonly random: SeededRandom;
  readonly policy: SalePolicy;
  readonly faults: unknown[] = [];
  drivers = new Map<string, ScriptedDriver>();
  journal = new MemoryJournal(this.disk);
  wire: Wire;
  runner: SaleRunner;
  readonly #terminals: readonly string[];

  constructor({ seed = 1, policy = OFFLINE_POLICY, terminals = ['11'] as readonly string[] } = {}) {
    this.random = new SeededRandom(seed);
    this.policy = policy;
    this.#terminals = terminals;
    this.wire = this.#newWire();
    this.runner = this.#newRunner();
  }

  get desk() {
    return this.runner.desk;
  }

  driver(id = '11'): ScriptedDriver {
    const driver = this.drivers.get(id);
    if (!driver) throw new Error(`no terminal ${id}`);
    return driver;
  }

  async boot(link: UplinkState = 'up'): Promise<this> {
    await this.runner.start(this.wire);
    this.wire.pull(this.runner.queue);
    this.wire.set(link);
    return this;
  }

  /** `kill -9`, then a new process on the same disk. */
  async crash(link: UplinkState = 'up'): Promise<void> {
    this.wire.kill();
    await this.journal.close();
    this.journal = new MemoryJournal(this.disk);
    this.wire = this.#newWire();
    this.runner = this.#newRunner();
    await this.boot(link);
  }

  /** A till's call, with time going on while it runs. */
  async sell(request: Partial<SaleRequest> & { readonly reference: string }, forMs = 120_000) {
    const { amount = { minor: 1_234, currency: 'EUR' }, type = 'sale', ...rest } = request;
    const call = this.desk.request({ amount, type, ...rest });
    return this.during(call, forMs);
  }

  /** Lets time go on until the promise settles. */
  async during<T>(call: Promise<T>, forMs = 120_000): Promise<T> {
    const over = { settled: false };
    const mark = () => {
      over.settled = true;
    };
    call.then(mark, mark);
    for (let spent = 0; spent < forMs; spent += 50) {
      await this.clock.advance(0);
      if (over.settled) break;
      await this.clock.advance(50);
    }
    if (!over.settled) throw new Error(`not settled within ${forMs} ms`);
    return call;
  }

  kinds(reference: string): string[] {
    return this.disk.rows.filter((row) => row.reference === reference).map((row) => row.kind);
  }

  #newWire(): Wire {
    return new Wire(this.ledger, this.clock, (envelope) => {
      if (envelope.kind !== 'authorizationRequest') return;
      const onDisk = this.disk.rows.some(
        (row) => row.kind === 'authorizing' && row.messageId === envelope.id,
      );
      if (!onDisk) this.faults.push(`request ${envelope.id} left before its id was on disk`);
    });
  }

  #newRunner(): SaleRunner {
    this.drivers = new Map(this.#terminals.map((id) => [id, new ScriptedDriver()]));
    return new SaleRunner({
      journal: this.journal,
      clock: this.clock,
      random: this.random,
      policy: this.policy,
      terminals: [...this.drivers].map(([id, driver]) => ({
        profile: { id, deviceType: 'GERTEC_PPC930', deviceId: '123', pinEntryAvailable: true },
        driver,
      })),
      onFault: (error) => this.faults.push(error),
    });
  }
}
