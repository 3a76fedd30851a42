import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import type { IntentRow, PaymentRow } from '../../kernel/store/rows.js';
import { InFlight, Turns, within } from './in-flight.js';
import { intentOfMessage, intentOfPayment } from './lookup/find-intent.js';
import { awaitedTransfer } from './lookup/transfers.js';
import { cancelIfUnseen } from './messages/cancel-if-unseen.js';
import { leftToBeginMs, ofRequest } from './ownership/begin-in-time.js';
import { isElsewhere, takeOver } from './ownership/own-intents.js';
import type { PaymentService, Reader } from './payment-service.js';
import { Resolver } from './resolver.js';
import { FOLLOW_UP_ROWS } from './rules/follow-up-rows.js';
import { detailOf } from './rules/intent-detail.js';
import { intentKey, messageKey } from './rules/message-changes.js';
import { CONTENT_CHANGED_CODE, contentHash } from './rules/message-content.js';
import type {
  BridgeOrigin,
  FollowUpRequest,
  MessageStatus,
  Origin,
  PaymentRequest,
  PaymentResult,
} from './rules/requests.js';
import { bareResult, decodeResult, resultOf } from './rules/results.js';
import type { WaitCause } from './rules/waits.js';
import { prefetchDevice } from './steps/admit-account-data.js';
import { authorizeNew, resendOffline } from './steps/authorize.js';
import { type FoundTarget, findTarget } from './steps/find-target.js';
import { askFollowUp, beginFollowUp } from './steps/follow-up.js';
import { answerWithoutTarget } from './steps/follow-up-without-target.js';
import { type NewIds, newIds } from './steps/message-ids.js';
import { PAYMENT_LIMITS, type PaymentContext } from './steps/payment-context.js';
import { resolveIntent } from './steps/resolve-intent.js';
import { retryOnConflict } from './steps/retry.js';
import { lookAtWait } from './waits/look-at-wait.js';
import { receiveTransfer } from './waits/receive-transfer.js';
import { WaitDeadlines } from './waits/wait-deadlines.js';

/** The result of a message without a stored answer; `known`: its intent, where an earlier process left one. */
type Work = (ids: NewIds, known?: IntentRow) => Promise<PaymentResult>;

/** The payment service: reads, lets pure functions decide, commits, sends to the acquirer. `PaymentService` describes its methods. */
export class GatewayPaymentService implements PaymentService {
  readonly #context: PaymentContext;
  /** Running work of this process, by message and by intent. */
  readonly #running = new InFlight<PaymentResult | undefined>();
  /** Content hashes of the running messages. */
  readonly #contents = new Map<string, string | undefined>();
  readonly #turns: Turns;
  readonly #resolver: Resolver;
  readonly #deadlines: WaitDeadlines;

  constructor(context: PaymentContext) {
    this.#context = context;
    this.#turns = new Turns(context.clock);
    const { store, clock, random, node, onFault } = context;
    this.#resolver = new Resolver({
      store,
      clock,
      onFault,
      isRunning: async (intent) =>
        this.#running.get(intentKey(intent.id)) !== undefined || isElsewhere(context, intent),
      resolve: (intent) => this.#resolve(intent),
    });
    const end = (paymentId: string, why: WaitCause) => this.continueWaiting(paymentId, why);
    this.#deadlines = new WaitDeadlines({ store, clock, random, node, onFault, end });
  }

  authorize(received: PaymentRequest): Promise<PaymentResult> {
    const context = ofRequest(this.#context);
    const request = this.#stamped(received);
    const device = prefetchDevice(context, request);
    return this.#once(request.origin, (ids, known) =>
      known
        ? this.#resume(known, (own) => resendOffline(context, request, own))
        : this.#asIntent(ids.intentId, () => authorizeNew(context, request, ids, device)),
    );
  }

  followUp(received: FollowUpRequest): Promise<PaymentResult> {
    const context = ofRequest(this.#context);
    const request = this.#stamped(received);
    return this.#once(request.origin, (ids, known) =>
      known
        ? this.#resume(known, (own) => askFollowUp(context, own))
        : this.#followUpNew(context, request, ids),
    );
  }

  async status(agentId: string, messageId: string): Promise<MessageStatus> {
    const { store } = this.#context;
    if (await store.get('tombstones', [agentId, messageId])) return { state: 'tombstoned' };
    if (this.#running.get(messageKey(agentId, messageId))) return { state: 'in-progress' };
    const intent = await intentOfMessage(store, agentId, messageId);
    if (intent?.state === 'open') await this.#resolve(intent);
    const answer = await store.get('inbox', [agentId, messageId]);
    if (answer) return { state: 'answered', result: decodeResult(answer.result) };
    return { state: intent ? 'in-progress' : 'not-seen' };
  }

  async find(paymentId: string, entityId: string): Promise<PaymentRow | undefined> {
    const found = await this.#stored(paymentId);
    return found?.entityId === entityId ? found : undefined;
  }

  async lookUp(paymentId: string, reader: Reader): Promise<PaymentRow | undefined> {
    const found = await this.#stored(paymentId);
    if (!found || !(await mayRead(reader, found.entityId))) return undefined;
    if (found.state !== 'pending') return found;
    const intent = await intentOfPayment(this.#context.store, paymentId);
    if (intent?.state === 'waiting') return this.#lookAtWaiting(intent, found.entityId);
    // The request that makes the payment still runs: its client is answered first.
    if (!intent || this.#running.get(intentKey(intent.id))) return found;
    await this.#shortly(this.#resolve(intent));
    return this.#stored(paymentId);
  }

  async continueWaiting(paymentId: string, why: WaitCause): Promise<PaymentResult | undefined> {
    const { store } = this.#context;
    const known = await intentOfPayment(store, paymentId);
    // A reader at this moment may have begun before the event was stored.
    if (known && why !== 'poll') await this.#running.get(intentKey(known.id))?.catch(() => undefined);
    const intent = known && (await store.get('intents', [known.id]));
    if (intent?.state !== 'waiting') return undefined;
    return this.#running.once(intentKey(intent.id), () => lookAtWait(this.#context, intent, why));
  }

  /** Resolves the intents that a crash or a silent acquirer left open; returns how many are still open. @throws StoreUnavailableError */
  resolveOpen(): Promise<number> {
    return this.#resolver.all();
  }

  /** What is wrong with waits whose deadline is long over; undefined while nothing is. */
  get overdueWaits(): string | undefined {
    return this.#deadlines.fault;
  }

  /** Ends the waits whose deadline is over. */
  endOverdueWaits(): Promise<void> {
    return this.#deadlines.round();
  }

  /** Tries open intents every `intervalMs`, each on the resolver's schedule, and ends waits whose deadline is over, until {@link stop}. */
  startResolver(intervalMs: number): void {
    this.#resolver.start(intervalMs);
    this.#deadlines.start(intervalMs);
  }

  /** Stops the resolver and waits for all running work. */
  async stop(): Promise<void> {
    await this.#resolver.stop();
    await this.#deadlines.stop();
    await this.#running.settled();
  }

  /** A payment, or the draft of one whose outcome is not known yet. */
  async #stored(paymentId: string): Promise<PaymentRow | undefined> {
    const { store } = this.#context;
    const payment = await store.get('payments', [paymentId]);
    if (payment) return payment;
    const intent = await intentOfPayment(store, paymentId);
    // A done intent: its outcome was written between the two reads.
    return intent?.state === 'done' ? store.get('payments', [paymentId]) : intent && detailOf(intent).draft;
  }

  /** Runs `work` once per message: gives the stored answer or the running work's result where there is one. */
  async #once(origin: Origin, work: Work): Promise<PaymentResult> {
    const { store } = this.#context;
    const ids = newIds(this.#context, origin);
    if (origin.kind === 'rest') {
      const given = origin.paymentId !== undefined;
      return (given && (await this.#madeBefore(ids.paymentId, origin.entityId))) || work(ids);
    }
    const { agentId, messageId, contentHash: content } = origin;
    const key = messageKey(agentId, messageId);
    const atWork = this.#contents.get(key);
    if (atWork !== undefined && atWork !== content) return this.#contentChanged(origin);
    this.#contents.set(key, content);
    const result = await this.#running
      .once(key, async () => {
        const [answer, known] = await Promise.all([
          store.get('inbox', [agentId, messageId]),
          intentOfMessage(store, agentId, messageId),
        ]);
        if (answer) {
          const same = answer.contentHash === null || answer.contentHash === content;
          return same ? decodeResult(answer.result) : this.#contentChanged(origin);
        }
        return known && isOther(origin, known) ? this.#contentChanged(origin) : work(ids, known);
      })
      .finally(() => this.#contents.delete(key));
    if (!result) throw new TryLaterError('the message has no outcome yet');
    return result;
  }

  /** Adds the content hash to an agent's request. */
  #stamped<R extends PaymentRequest | FollowUpRequest>(request: R): R {
    const { origin } = request;
    if (origin.kind === 'rest') return request;
    return {
      ...request,
      origin: { ...origin, contentHash: contentHash(this.#context.fingerprint, origin, request) },
    };
  }

  /** Refuses other content under a used message id: a fault of the agent, or an attacker. The first message keeps its answer. */
  async #contentChanged({ agentId, messageId }: BridgeOrigin): Promise<PaymentResult> {
    const about = new Error(`message ${messageId} of agent ${agentId} came again with other content`);
    this.#context.onFault('a message id was used twice', about);
    const { alerts } = this.#context;
    await alerts.raise({ code: 'message-id-reused', subject: agentId, detail: `message ${messageId}` });
    return bareResult('refused', CONTENT_CHANGED_CODE);
  }

  /** The result of a payment whose id was given out before; undefined when it was never begun. @throws TryLaterError while it is open */
  async #madeBefore(paymentId: string, entityId: string): Promise<PaymentResult | undefined> {
    const intent = await intentOfPayment(this.#context.store, paymentId);
    if (intent?.state === 'open') await this.#resolve(intent);
    const payment = await this.find(paymentId, entityId);
    // One that waits is answered as it was when it began to.
    if (
      payment?.state === 'pending' &&
      (await intentOfPayment(this.#context.store, paymentId))?.state === 'open'
    )
      throw new TryLaterError('the outcome is not known yet', paymentId);
    return payment && resultOf(payment);
  }

  /** Finishes an intent that an earlier process left: resolves it at the acquirer, or sends it again where that is allowed. */
  async #resume(
    intent: IntentRow,
    resend: (own: IntentRow) => Promise<PaymentResult>,
  ): Promise<PaymentResult> {
    const mayResend = detailOf(intent).recovery !== 'fence';
    const own = mayResend && (await takeOver(this.#context, intent));
    const result = await (own ? this.#asIntent(own.id, () => resend(own)) : this.#resolve(intent));
    if (!result) throw new TryLaterError('the outcome is not known yet', intent.paymentId);
    return result;
  }

  async #asIntent(intentId: string, work: () => Promise<PaymentResult>): Promise<PaymentResult> {
    const result = await this.#running.once(intentKey(intentId), work);
    if (!result) throw new TryLaterError('the outcome is not known yet');
    return result;
  }

  #resolve(intent: IntentRow): Promise<PaymentResult | undefined> {
    return this.#running.once(intentKey(intent.id), async () => {
      const own = await takeOver(this.#context, intent);
      return own && resolveIntent(this.#context, own);
    });
  }

  /** Looks at a payment that waits, for the client that requests it. */
  async #lookAtWaiting(intent: IntentRow, entityId: string): Promise<PaymentRow | undefined> {
    const { paymentId } = intent;
    await this.#shortly(this.continueWaiting(paymentId, 'poll'));
    return this.find(paymentId, entityId);
  }

  /** Waits a short time for work that a client requested; what takes longer goes on without the client. */
  async #shortly(work: Promise<unknown>): Promise<void> {
    const { clock } = this.#context;
    await within(clock, PAYMENT_LIMITS.lookUpWaitMs, work, 'the acquirer is slow').catch((error: unknown) => {
      if (!(error instanceof TryLaterError)) throw error;
    });
  }

  async #followUpNew(context: PaymentContext, request: FollowUpRequest, ids: NewIds): Promise<PaymentResult> {
    const rootKey = await this.#rootKey(request);
    // It runs before its intent is stored: a reader of the intent finds the work running, and does not take the intent over.
    const work = async (): Promise<PaymentResult> => {
      const begun = await retryOnConflict(context, request.origin, () => this.#round(context, request, ids));
      return 'detail' in begun ? askFollowUp(context, begun, request.silentMs) : begun;
    };
    return this.#turns.take(rootKey, leftToBeginMs(context), () => this.#asIntent(ids.intentId, work));
  }

  async #round(
    context: PaymentContext,
    request: FollowUpRequest,
    ids: NewIds,
  ): Promise<PaymentResult | IntentRow> {
    let found = await findTarget(context, request);
    if (found.state === 'open') {
      await this.#resolveById(context, found.intentId);
      found = await findTarget(context, request);
      if (found.state === 'open' && request.origin.kind === 'bridge') {
        throw new TryLaterError('the outcome of the original is not known yet');
      }
    }
    if (request.cancelIfUnseen) return cancelIfUnseen(context, request);
    const awaited = await this.#awaitedBy(request, found);
    if (awaited) {
      const result = await receiveTransfer(context, request, awaited, ids);
      if (result.disposition === 'approved')
        await this.#shortly(this.continueWaiting(awaited.payment.id, 'news'));
      return result;
    }
    if (found.state !== 'found') return answerWithoutTarget(context, request, found.state, ids);
    // Another node has begun this same message since it was looked up: to wait for it here is to wait for ourselves.
    if (found.root.lockedBy === ids.intentId)
      throw new TryLaterError('another node has begun the payment', ids.paymentId);
    if (found.root.lockedBy !== null) {
      await this.#resolveById(context, found.root.lockedBy);
      found = await findTarget(context, request);
      if (found.state !== 'found' || found.root.lockedBy !== null) {
        throw new TryLaterError('another request on this payment has no outcome yet');
      }
    }
    return beginFollowUp(context, request, found, ids);
  }

  /** The payment that waits for the transfer that a request reports. */
  async #awaitedBy({ type, target }: FollowUpRequest, found: FoundTarget) {
    const isReceipt =
      found.state === 'open' && FOLLOW_UP_ROWS[type].request === 'receipt' && target.by === 'payment';
    return isReceipt ? awaitedTransfer(this.#context.store, target.paymentId) : undefined;
  }

  /** Waits for the intent's outcome: for its running work in this process or at another node, otherwise for the acquirer. */
  async #resolveById(context: PaymentContext, intentId: string): Promise<void> {
    const intent = await context.store.get('intents', [intentId]);
    if (intent?.state !== 'open') return;
    await within(context.clock, leftToBeginMs(context), this.#endOf(intent), 'the original still runs');
  }

  async #endOf(intent: IntentRow): Promise<unknown> {
    const { store, clock } = this.#context;
    for (let known: IntentRow | undefined = intent; known?.state === 'open'; ) {
      if (!(await isElsewhere(this.#context, known))) return this.#resolve(known);
      await new Promise<void>((resolve) => clock.setTimer(PAYMENT_LIMITS.otherNodeMs, resolve));
      known = await store.get('intents', [intent.id]);
    }
    return undefined;
  }

  /** Key by which follow-ups of one payment tree run one by one in this process; the row's version guards against other processes. */
  async #rootKey(request: FollowUpRequest): Promise<string> {
    const found = await findTarget(this.#context, request);
    if (found.state === 'found') return found.root.id;
    // What is unknown to one tenant may be another's, which does not wait for it.
    const { target, origin } = request;
    const name = target.by === 'payment' ? target.paymentId : target.messageId;
    return JSON.stringify([origin.kind === 'rest' ? origin.entityId : origin.agentId, name]);
  }
}

/** Whether an intent was committed for other content under the message's id; intents of older builds know no content. */
function isOther(origin: BridgeOrigin, intent: IntentRow): boolean {
  const before = detailOf(intent).place?.contentHash;
  return before !== undefined && before !== origin.contentHash;
}

async function mayRead(reader: Reader, ownerId: string): Promise<boolean> {
  return typeof reader === 'string' ? reader === ownerId : reader(ownerId);
}
