import type { TryLaterError } from '../../kernel/errors/try-later-error.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type {
  FollowUpRequest,
  MessageStatus,
  PaymentRequest,
  PaymentResult,
  StaleSessionError,
} from './rules/requests.js';
import type { WaitCause } from './rules/waits.js';

/** Who reads a payment: the entity that owns it, or a function that decides whether the payments of an entity may be read. */
export type Reader = string | ((ownerId: string) => Promise<boolean>);

/**
 * Where payments are made: REST and the agents' bridge both come here. Every promise resolves after the commit, never before.
 *
 * All methods may throw {@link StaleSessionError}, {@link TryLaterError} or the store's `StoreUnavailableError`; then nothing
 * was answered and a bridge message must not be acknowledged. Everything else, refusals included, is a result.
 */
export interface PaymentService {
  /**
   * PA, PA.CP, DB or CD, online or already decided offline (PA.CP: online alone). The same (agent, message id) again gives the
   * running or stored answer; with other content it is refused and changes nothing. A message id that was reversed before it arrived
   * is refused for ever, and so is the counter of a card (tag 9F36) that another sale has used.
   */
  authorize(request: PaymentRequest): Promise<PaymentResult>;
  /**
   * A request on an earlier payment. A reversal by message id whose original is unknown leaves a tombstone and answers `nothing-to-reverse`;
   * one whose original is running waits for it.
   */
  followUp(request: FollowUpRequest): Promise<PaymentResult>;
  /** The status of an agent's message. An interrupted one is resolved at the acquirer first, as far as it can be reached. */
  status(agentId: string, messageId: string): Promise<MessageStatus>;
  /**
   * The payment with this id, if it belongs to the entity; undefined for unknown and foreign ones alike (P8). One whose outcome is
   * not known yet has the state `pending`.
   */
  find(paymentId: string, entityId: string): Promise<PaymentRow | undefined>;
  /**
   * As {@link find}, but a payment whose outcome is not known yet is resolved at the acquirer first, as far as that can be reached in a
   * short time. One that waits for its shopper is looked at, and never ended
   * before its deadline.
   */
  lookUp(paymentId: string, reader: Reader): Promise<PaymentRow | undefined>;
  /**
   * Looks at a payment that waits (docs/waiting-payments.md): its shopper came back, news came, or a client requests it.
   * @returns the outcome; undefined while it waits on, and for a payment that does not wait
   */
  continueWaiting(paymentId: string, why: WaitCause): Promise<PaymentResult | undefined>;
}
