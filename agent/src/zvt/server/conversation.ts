import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { TillEvent } from '../../sale/service/sale-service.js';
import type { Apdu } from '../messages/apdu.js';
import { type Command, type Registration, readReceived } from '../messages/commands.js';
import { INTERMEDIATE, RESULT, type ResultCode } from '../messages/result-codes.js';
import { ZvtError, type ZvtRule } from '../messages/zvt-error.js';
import type { PasswordGuard } from '../service/password-guard.js';
import type { Report, RunningRequest, ZvtTill } from '../service/ports.js';
import type { ServedCommand, ZvtService } from '../service/zvt-service.js';
import {
  NEW_SESSION,
  type Session,
  type SessionEffect,
  type SessionEvent,
  step,
  waitMs,
} from '../session/session.js';

/** How often a till gets the message that its sale still runs, milliseconds: shorter than the times after which tills give up. */
export const STILL_RUNNING_MS = 15_000;

/** What a conversation works with. */
export interface ConversationDeps {
  readonly till: ZvtTill;
  readonly service: Pick<ZvtService, 'begin' | 'registered' | 'sellsIn'>;
  readonly password: PasswordGuard;
  readonly clock: Clock;
  /** The registration that the till goes on with, where a former connection from its address has left one. */
  recallRegistration(): Registration | undefined;
  /** Remembers it for the next connection; without one it is forgotten. */
  keepRegistration(registration: Registration | undefined): void;
  send(bytes: Uint8Array): void;
  /** Ends the connection; on a line that cannot end, nothing. */
  hangUp(): void;
  onEvent(listener: (event: TillEvent) => void): () => void;
  /** A stranger, or a till that is set up wrongly. */
  refused(code: 'wrong-password' | ZvtRule): void;
  fault(error: unknown): void;
}

/** The result for each rule that a message may break. */
const OF_RULES: Readonly<Record<ZvtRule, ResultCode>> = {
  'bad-apdu': RESULT.protocolError,
  'bad-field': RESULT.protocolError,
  'too-long': RESULT.protocolError,
  'unknown-bitmap': RESULT.protocolError,
  'reference-conflict': RESULT.protocolError,
  'card-data': RESULT.cardDataNotTaken,
};

/** The states that a till is shown, by the steps of a sale. */
const OF_STEPS: Readonly<Record<string, number>> = {
  'waiting-for-card': INTERMEDIATE.insertCard,
  'reading-card': INTERMEDIATE.pleaseWait,
  'pin-entry': INTERMEDIATE.watchPinPad,
  'remove-card': INTERMEDIATE.removeCard,
  authorizing: INTERMEDIATE.waitingForHost,
};

interface Current {
  readonly work: number;
  readonly request: RunningRequest;
}

/** One till on one connection: carries out what the session decides. */
export class Conversation {
  readonly #deps: ConversationDeps;
  readonly #unlisten: () => void;
  #session: Session;
  #current: Current | undefined;
  #cancelled: number | undefined;
  #timer: Timer | undefined;
  #stillRunning: Timer | undefined;
  #isClosed = false;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
    const registration = deps.recallRegistration();
    this.#session = registration ? { ...NEW_SESSION, registration } : NEW_SESSION;
    this.#unlisten = deps.onEvent((event) => this.#seen(event));
  }

  get isRegistered(): boolean {
    return this.#session.registration !== undefined;
  }

  received(apdu: Apdu): void {
    this.#stayRegistered();
    try {
      this.#take({ kind: 'received', received: readReceived(apdu) });
    } catch (error) {
      if (!(error instanceof ZvtError)) throw error;
      this.#deps.refused(error.code);
      this.#take({ kind: 'unreadable', code: OF_RULES[error.code] });
    }
  }

  /** The connection ended. A sale that runs goes on: the till comes back, and repeats its request. */
  closed(): void {
    if (!this.#isClosed) this.#stayRegistered();
    this.#isClosed = true;
    this.#unlisten();
    this.#timer?.cancel();
    this.#stillRunning?.cancel();
  }

  /** Its age counts from now: a line may break without an end. */
  #stayRegistered(): void {
    const { registration } = this.#session;
    if (registration) this.#deps.keepRegistration(registration);
  }

  #take(event: SessionEvent): void {
    if (this.#isClosed) return;
    const before = this.#session;
    const { session, effects } = step(before, event);
    this.#session = session;
    if (session.registration !== before.registration) this.#deps.keepRegistration(session.registration);
    for (const effect of effects) this.#carryOut(effect);
    const hasChanged = session.outbox[0] !== before.outbox[0] || session.repeats !== before.repeats;
    if (hasChanged) this.#arm();
  }

  #carryOut(effect: SessionEffect): void {
    const current = 'work' in effect && this.#current?.work === effect.work ? this.#current : undefined;
    switch (effect.kind) {
      case 'send':
        this.#deps.send(effect.bytes);
        return;
      case 'begin':
        this.#guard(this.#begin(effect.work, effect.command));
        return;
      case 'cancel':
        this.#cancelled = effect.work;
        this.#guard(current?.request.cancel?.());
        return;
      case 'withhold':
        this.#guard(current && this.#report(current, current.request.withhold?.()));
        return;
      case 'acknowledge':
        this.#guard(current?.request.acknowledge?.());
        return;
      case 'hang-up':
        this.#deps.hangUp();
    }
  }

  /** What was begun goes on by itself; a fault of it is in the log. */
  #guard(work: Promise<unknown> | undefined): void {
    work?.catch((error: unknown) => this.#deps.fault(error));
  }

  async #begin(work: number, command: Command): Promise<void> {
    const { till, service, password } = this.#deps;
    if ('password' in command && !password.check(command.password)) {
      this.#deps.refused('wrong-password');
      return this.#take({ kind: 'declined-to-begin', work, code: RESULT.notRegistered });
    }
    if (command.kind === 'registration') return this.#register(work, command);
    const { registration } = this.#session;
    const begun = await service.begin({ till, registration, command: command as ServedCommand });
    if (begun.kind === 'refused') return this.#take({ kind: 'declined-to-begin', work, code: begun.code });
    const current = { work, request: begun };
    this.#current = current;
    this.#take({ kind: 'accepted', work });
    this.#waitWith(work);
    if (this.#cancelled === work) await begun.cancel?.();
    await this.#report(current, begun.report);
  }

  #register(work: number, command: Extract<Command, { readonly kind: 'registration' }>): void {
    const { till, service } = this.#deps;
    if (!service.sellsIn(command.currency)) {
      this.#take({ kind: 'declined-to-begin', work, code: RESULT.wrongCurrency });
      return;
    }
    this.#take({ kind: 'registered', work, registration: command.wish });
    this.#take({ kind: 'accepted', work });
    this.#take({ kind: 'ended', work, messages: [service.registered(command, till)], canWithhold: false });
  }

  async #report({ work }: Current, report: Promise<Report> | undefined): Promise<void> {
    const made = await report;
    this.#stillRunning?.cancel();
    if (made) this.#take({ kind: 'ended', work, messages: made.messages, canWithhold: made.canWithhold });
  }

  #waitWith(work: number): void {
    this.#stillRunning?.cancel();
    if (this.#isClosed) return;
    this.#stillRunning = this.#deps.clock.setTimer(STILL_RUNNING_MS, () => {
      this.#take({ kind: 'progress', work, status: INTERMEDIATE.pleaseWait });
      if (this.#current?.work === work) this.#waitWith(work);
    });
  }

  #seen(event: TillEvent): void {
    const { work, request } = this.#current ?? {};
    if (work === undefined || request?.reference === undefined) return;
    if (event.type !== 'progress' && event.type !== 'sale') return;
    const reference = event.type === 'sale' ? event.sale.reference : event.reference;
    const status = OF_STEPS[event.step];
    if (reference === request.reference && status !== undefined)
      this.#take({ kind: 'progress', work, status });
  }

  #arm(): void {
    this.#timer?.cancel();
    const ms = waitMs(this.#session);
    if (ms === undefined) return;
    this.#timer = this.#deps.clock.setTimer(ms, () => this.#take({ kind: 'time-over' }));
  }
}
