import { encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import type { Bodies, Envelope, Outcome } from '@tillbridge/wire/bridge/messages.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { PARK_REASONS } from '../../kernel/errors/error-table.js';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import { type Change, CommitConflict, type Store, StoreUnavailableError } from '../../kernel/store/store.js';
import type { MessageSeal } from '../../security/vault/message-seal.js';
import type { PaymentService } from '../payments/payment-service.js';
import { epochFence } from '../payments/rules/message-changes.js';
import {
  OutageError,
  OutsidePolicyError,
  type PaymentResult,
  StaleSessionError,
} from '../payments/rules/requests.js';
import type { StreamItem } from './backlog-machine.js';
import type { BridgeLog } from './bridge-log.js';
import { type BlockedTime, blockedTime } from './limits/blocked-time.js';
import type { BridgeLimits } from './limits/bridge-limits.js';
import { parkedSubject } from './parked/parked-subject.js';
import { heldBackBy, type PlaceInSale, saleOf, stillParked } from './same-sale.js';
import type { OpenSession } from './session-machine.js';
import { refusedOutcome, shortened, wireOutcome, wireStatus } from './wire-outcome.js';
import {
  type ServiceCall,
  translateAuthorization,
  translateStream,
  UntranslatableError,
} from './wire-translation.js';

/** What the handler works with. */
export interface MessageHandlerDeps {
  readonly service: PaymentService;
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly log: BridgeLog;
  /** Seals parked messages, so that they can be tried again. */
  readonly seal: MessageSeal;
  readonly limits: Pick<BridgeLimits, 'streamBlockMs' | 'retryMaxMs'>;
  /** Whether the acquirer is away: then no message is parked for want of its answer. Absent: it never is. */
  readonly isAcquirerSilent?: () => boolean;
}

/** A message that a till waits for. */
export type LiveEnvelope = Envelope<'authorizationRequest' | 'statusRequest'>;

/** Answer to a live message; `none` when the outcome is not known: the agent requests the status. */
type LiveResult =
  | { readonly kind: 'authorizationAnswer'; readonly body: Bodies['authorizationAnswer'] }
  | { readonly kind: 'statusAnswer'; readonly body: Bodies['statusAnswer'] }
  | { readonly kind: 'none' }
  | { readonly kind: 'stale' };

/** How a stream message ended. */
export type StreamResult =
  /** Committed: the agent may forget it. */
  | { readonly kind: 'acknowledgement'; readonly outcome: Outcome }
  /** It will not be carried out without manual resolution, and that is committed. */
  | { readonly kind: 'parked'; readonly reasonCode: string; readonly reason: string }
  /** Nothing was decided; `failed` counts towards parking. */
  | { readonly kind: 'later'; readonly failed: boolean }
  | { readonly kind: 'stale' };

/** Why a message is parked. */
export type ParkReason = keyof typeof PARK_REASONS;

/** Parked messages of one agent that are stored with their content; further ones are stored without it, and their agent still has them. */
export const KEPT_MESSAGES = 500;

/** Passes messages of authenticated agents to the payment service and returns what to answer. */
export class MessageHandler {
  readonly #deps: MessageHandlerDeps;
  /** How long the head of each stream has blocked it, by agent and terminal; it outlives sessions. */
  readonly #blocked = new Map<string, BlockedTime>();
  /** Whether messages of an agent were parked at the first read of its session: while the session lasts, no other node parks one. */
  readonly #hasParked = new WeakMap<OpenSession, Promise<boolean>>();

  constructor(deps: MessageHandlerDeps) {
    this.#deps = deps;
  }

  /** An authorization or status request. Never rejects. */
  async live(envelope: LiveEnvelope, session: OpenSession): Promise<LiveResult> {
    try {
      if (envelope.kind === 'statusRequest') return await this.#status(envelope, session);
      const outcome = await this.#authorization(envelope, session);
      return { kind: 'authorizationAnswer', body: { messageId: envelope.id, outcome } };
    } catch (error) {
      if (error instanceof StaleSessionError) return { kind: 'stale' };
      this.#complain(error, envelope, session);
      return { kind: 'none' };
    }
  }

  async #authorization(envelope: Envelope<'authorizationRequest'>, session: OpenSession): Promise<Outcome> {
    try {
      return wireOutcome(await callService(this.#deps.service, translateAuthorization(envelope, session)));
    } catch (error) {
      if (error instanceof UntranslatableError) return refusedOutcome(error.message);
      throw error;
    }
  }

  async #status({ body }: Envelope<'statusRequest'>, session: OpenSession): Promise<LiveResult> {
    const { messageId } = body;
    try {
      const status = await this.#deps.service.status(session.agentId, messageId);
      return { kind: 'statusAnswer', body: wireStatus(messageId, status) };
    } catch (error) {
      // The message is known and its outcome is not: the agent requests the status.
      if (error instanceof TryLaterError)
        return { kind: 'statusAnswer', body: wireStatus(messageId, { state: 'in-progress' }) };
      throw error;
    }
  }

  /**
   * A message of a stream. Never rejects.
   * @param lastTry an unexpected failure parks the message
   */
  async stream(envelope: StreamItem, session: OpenSession, lastTry: boolean): Promise<StreamResult> {
    try {
      return await this.#stream(envelope, session);
    } catch (error) {
      if (error instanceof StaleSessionError) return { kind: 'stale' };
      this.#complain(error, envelope, session);
      if (error instanceof OutsidePolicyError)
        return this.#giveUp(envelope, session, 'outside-policy', error.message);
      if (isPassing(error)) return this.#waitOrPark(envelope, session, error);
      return lastTry ? this.#giveUp(envelope, session, 'handling-failed') : { kind: 'later', failed: true };
    }
  }

  async #stream(envelope: StreamItem, session: OpenSession): Promise<StreamResult> {
    const hasParked = await this.#mayHaveParked(session);
    const parked = hasParked && (await this.#deps.store.get('parked', [session.agentId, envelope.id]));
    // Resolved: an operator had it tried again, and its answer is in the inbox.
    if (parked && parked.state !== 'resolved')
      return { kind: 'parked', reasonCode: parked.reasonCode, reason: parked.reason };
    if (envelope.kind === 'unreadable') return this.#park(envelope, session, 'unreadable', envelope.fault);
    let call: ServiceCall;
    try {
      call = translateStream(envelope, session);
    } catch (error) {
      if (error instanceof UntranslatableError)
        return this.#park(envelope, session, 'malformed', error.message);
      throw error;
    }
    const before =
      hasParked && (await heldBackBy(this.#deps.store, envelope.kind, placeOf(envelope, session)));
    if (before)
      return this.#park(envelope, session, 'behind-parked', before.messageId, [stillParked(before)]);
    const result = await callService(this.#deps.service, call);
    // A refusal may have changed nothing, not even the stream's position; the next session begins after it all the same.
    if (result.disposition === 'refused') await this.#commit(session, [advance(envelope, session)]);
    return { kind: 'acknowledgement', outcome: wireOutcome(result) };
  }

  /** Most agents have no parked message: then the search for those of each message and sale is left out. */
  #mayHaveParked(session: OpenSession): Promise<boolean> {
    const known = this.#hasParked.get(session);
    if (known) return known;
    const reading = this.#deps.store
      .find('parked', 'agent', [session.agentId], { limit: 1 })
      .then(({ length }) => length > 0);
    this.#hasParked.set(session, reading);
    // A failed look is not remembered.
    reading.catch(() => this.#hasParked.delete(session));
    return reading;
  }

  /** Lets an undecided message block its stream for a limited time, then parks it. */
  async #waitOrPark(envelope: StreamItem, session: OpenSession, error: Error): Promise<StreamResult> {
    const { clock, limits, isAcquirerSilent } = this.#deps;
    const { id: messageId, terminalId } = envelope;
    const stream = `${session.agentId}/${terminalId}`;
    const outage =
      error instanceof StoreUnavailableError || error instanceof OutageError || isAcquirerSilent?.() === true;
    const attempt = { messageId, atMs: clock.monotonicMs(), outage };
    const time = blockedTime(this.#blocked.get(stream), attempt, limits);
    this.#blocked.set(stream, time);
    if (time.blockedMs < limits.streamBlockMs) return { kind: 'later', failed: false };
    return this.#giveUp(envelope, session, 'blocked', error.message);
  }

  async #giveUp(
    envelope: StreamItem,
    session: OpenSession,
    reasonCode: ParkReason,
    detail?: string,
  ): Promise<StreamResult> {
    try {
      return await this.#park(envelope, session, reasonCode, detail);
    } catch (error) {
      if (error instanceof StaleSessionError) return { kind: 'stale' };
      this.#complain(error, envelope, session);
      return { kind: 'later', failed: true };
    }
  }

  async #park(
    envelope: StreamItem,
    session: OpenSession,
    reasonCode: ParkReason,
    detail?: string,
    guards: readonly Change[] = [],
  ): Promise<StreamResult> {
    const reason = shortened([PARK_REASONS[reasonCode][0], detail].filter(Boolean).join(': '));
    const { agentId, entityId } = session;
    const nowMs = this.#deps.clock.nowMs();
    const sealed = (await this.#mayKeep(agentId))
      ? this.#deps.seal.seal(agentId, envelope.id, messageBytes(envelope))
      : { message: null, keyId: null };
    const row = {
      ...placeOf(envelope, session),
      messageId: envelope.id,
      kind: envelope.kind,
      reasonCode,
      reason,
      state: 'waiting',
      note: null,
      ...sealed,
      createdAtMs: nowMs,
      version: 1,
    } as const;
    const alert = {
      code: 'message-parked',
      subject: parkedSubject(row),
      entityId,
      detail: `${row.kind} of terminal ${row.terminalId}: ${reason}`,
    } as const;
    this.#hasParked.set(session, Promise.resolve(true));
    await this.#commit(session, [
      ...guards,
      { op: 'insert', table: 'parked', row },
      raiseAlert(alert, nowMs),
      advance(envelope, session),
    ]);
    this.#deps.log.error(
      { agentId, messageId: envelope.id, kind: envelope.kind, reasonCode, reason },
      'message parked',
    );
    return { kind: 'parked', reasonCode, reason };
  }

  async #mayKeep(agentId: string): Promise<boolean> {
    const parked = await this.#deps.store.find('parked', 'agent', [agentId]);
    return parked.filter(({ message }) => message !== null).length < KEPT_MESSAGES;
  }

  /** @throws StaleSessionError when the agent has a newer session */
  async #commit(session: OpenSession, changes: readonly Change[]): Promise<void> {
    try {
      await this.#deps.store.commit([epochFence(session), ...changes]);
    } catch (error) {
      const { kind, table } = error instanceof CommitConflict ? error.conflict : {};
      if (kind === 'field' && table === 'agents')
        throw new StaleSessionError('the agent has a newer session');
      throw error;
    }
  }

  #complain(error: unknown, envelope: Envelope | StreamItem, { agentId }: OpenSession): void {
    const about = { agentId, messageId: envelope.id, kind: envelope.kind, err: error };
    if (isPassing(error)) this.#deps.log.warn(about, 'message must wait');
    else this.#deps.log.error(about, 'message failed');
  }
}

/** Calls the service with a translated message. */
export function callService(service: PaymentService, call: ServiceCall): Promise<PaymentResult> {
  return call.call === 'authorize' ? service.authorize(call.request) : service.followUp(call.request);
}

/** The message as it is stored: an unreadable one as it came, any other without its PIN block, which may not be stored. */
function messageBytes(item: StreamItem): Uint8Array {
  if (item.kind === 'unreadable') return item.bytes;
  if (item.kind !== 'offlineRecord' || !item.body.pos?.pin) return encodeEnvelope(item);
  const { pin: _, ...pos } = item.body.pos;
  return encodeEnvelope({ ...item, body: { ...item.body, pos } });
}

function placeOf(envelope: StreamItem, { agentId }: OpenSession): PlaceInSale {
  const { terminalId, sequence } = envelope;
  return { agentId, terminalId, sequence, reference: saleOf(envelope) };
}

function advance(envelope: StreamItem, { agentId }: OpenSession): Change {
  const { terminalId, sequence } = envelope;
  return { op: 'advance-stream', agentId, terminalId, nextSequence: sequence + 1 };
}

/** Whether a fault is temporary and outside: the message itself may be in order. */
export function isPassing(error: unknown): error is Error {
  return (
    error instanceof TryLaterError ||
    error instanceof StoreUnavailableError ||
    error instanceof CommitConflict
  );
}
