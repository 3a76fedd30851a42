import { TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { Iso8583Error } from '@tillbridge/protocol/iso8583/iso8583-error.js';
import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerMoneyRequest,
  type AcquirerRequest,
  type AcquirerReversal,
  type AcquirerStatus,
  AcquirerUnreachableError,
} from '../acquirer.js';
import { decisionOf } from './decide/exchange-answer.js';
import {
  approvedMinor,
  approves,
  type ExchangePurpose,
  type ExchangeRecord,
} from './decide/exchange-record.js';
import { exchangeRequest } from './decide/exchange-request.js';
import { followedBy, remainingMinor } from './decide/followed.js';
import {
  APPROVAL_CODES,
  NOT_SUPPORTED,
  NOT_WRITABLE,
  OPERATIONS,
  type Operation,
  OTHER_CONTENT,
  operationOf,
  REVERSED,
  UNKNOWN_ORIGINAL,
} from './decide/mapping.js';
import type { StoreLinkJournal } from './journal/store-link-journal.js';
import type { HostLink, LinkRequest } from './link/host-link.js';
import { KnownExchangeError, NotSentError, OutcomeUnknownError } from './link/link-parts.js';

/** What the acquirer works with. */
export interface Iso8583AcquirerParts {
  readonly name: string;
  readonly link: HostLink;
  readonly journal: Pick<StoreLinkJournal, 'following'>;
  /** Number of the acquiring institution (field 32). */
  readonly acquirerId?: string;
  readonly mode: 'test' | 'live';
}

type Refusal = { readonly resultCode: string; readonly responseCode: string };

/**
 * An acquirer behind ISO 8583. A host tells no status by reference: the journal of the link knows what was sent and answered. A request without an
 * answer is reversed until the host acknowledges it; captures, refunds and sales that have happened are told again under the same number.
 */
export class Iso8583Acquirer implements Acquirer {
  readonly name: string;
  readonly #parts: Iso8583AcquirerParts;
  /** Running requests by reference: a status waits for its request. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(parts: Iso8583AcquirerParts) {
    this.#parts = parts;
    this.name = parts.name;
  }

  async send(request: AcquirerRequest): Promise<AcquirerAnswer> {
    const { acquirerReference } = request;
    const before = this.#running.get(acquirerReference) ?? Promise.resolve();
    const work = before.catch(() => undefined).then(() => this.#carryOut(request));
    this.#running.set(acquirerReference, work);
    try {
      return await work;
    } catch (error) {
      throw unreachable(error);
    } finally {
      if (this.#running.get(acquirerReference) === work) this.#running.delete(acquirerReference);
    }
  }

  async status(acquirerReference: string): Promise<AcquirerStatus> {
    await this.#running.get(acquirerReference)?.catch(() => undefined);
    const record = await this.#parts.link.find(acquirerReference);
    // What has no answer is unknown, and whoever asks has it reversed or told again.
    return record?.answer
      ? { state: 'answered', answer: this.#decision(record.answer) }
      : { state: 'unknown' };
  }

  async #carryOut(request: AcquirerRequest): Promise<AcquirerAnswer> {
    if (request.kind === 'reversal') return this.#reverse(request);
    const known = await this.#parts.link.find(request.acquirerReference);
    const isTold = known?.state === 'sent' && known.request?.isAdvice === true;
    if (known && !isTold) return this.#knownAnswer(known, request);
    const operation = operationOf(request);
    if (operation === undefined || !isCarried(request)) return refused(NOT_SUPPORTED);
    const followed = OPERATIONS[operation].follows ? await this.#followed(request) : undefined;
    if (OPERATIONS[operation].follows && !followed?.request) return refused(UNKNOWN_ORIGINAL);
    return this.#ask(request, operation, followed, known);
  }

  async #ask(
    request: AcquirerMoneyRequest,
    operation: Operation,
    followed: ExchangeRecord | undefined,
    known: ExchangeRecord | undefined,
  ): Promise<AcquirerAnswer> {
    const { link, acquirerId } = this.#parts;
    try {
      const original = followed?.request && { request: followed.request };
      const message: LinkRequest = exchangeRequest(request, operation, original, acquirerId);
      const answer = known
        ? await link.repeat(known, message)
        : await link.ask(request.acquirerReference, message, purposeOf(request));
      return this.#decision(answer);
    } catch (error) {
      if (error instanceof Iso8583Error || error instanceof TlvError) return refused(NOT_WRITABLE);
      throw error;
    }
  }

  /** The answer to a request whose reference was used. @throws AcquirerUnreachableError while it is being reversed */
  #knownAnswer(
    { request: sent, answer, state }: ExchangeRecord,
    request: AcquirerMoneyRequest,
  ): AcquirerAnswer {
    const isOther = sent?.amount !== undefined && sent.amount.minor !== request.amount.minor;
    if (isOther) return refused(OTHER_CONTENT);
    if (answer) return this.#decision(answer);
    if (state === 'reversed') return refused(REVERSED);
    throw new AcquirerUnreachableError('the host gave no answer, and has not acknowledged the reversal yet');
  }

  /** The exchange that a capture or refund names to the host. */
  async #followed({
    kind,
    amount,
    originalReference,
  }: AcquirerMoneyRequest): Promise<ExchangeRecord | undefined> {
    if (originalReference === undefined) return undefined;
    const original = await this.#parts.link.find(originalReference);
    if (!original || approvedMinor(original) === 0) return undefined;
    const followers = await this.#parts.journal.following(originalReference);
    return followedBy(kind === 'capture' ? 'capture' : 'refund', amount.minor, original, followers);
  }

  async #reverse({ acquirerReference, originalReference }: AcquirerReversal): Promise<AcquirerAnswer> {
    const { link, journal } = this.#parts;
    const original = (await link.find(originalReference)) ?? (await this.#begunMeanwhile(originalReference));
    if (!original || original.state === 'reversed') return this.#reversed();
    const root = original.purpose?.originalReference ?? originalReference;
    const minor = remainingMinor(original, await journal.following(root));
    if (original.answer && approves(original.answer) && minor >= approvedMinor(original))
      return refused({ resultCode: '800.100.191', responseCode: '12' });
    const currency = original.request?.amount?.currency;
    const isPartial = minor > 0 && currency !== undefined;
    const remaining = isPartial && { remaining: { minor, currency } };
    await link.reverse(originalReference, { reference: acquirerReference, ...remaining });
    if (await link.isReversed(originalReference)) return this.#reversed();
    throw new AcquirerUnreachableError('the host has not acknowledged the reversal yet');
  }

  /** Leaves a tombstone for a request that was never sent; gives the request where it was begun in this moment. */
  async #begunMeanwhile(reference: string): Promise<ExchangeRecord | undefined> {
    const { link } = this.#parts;
    try {
      await link.leaveTombstone(reference);
      return undefined;
    } catch (error) {
      if (!(error instanceof KnownExchangeError)) throw error;
      return link.find(reference);
    }
  }

  #reversed(): AcquirerAnswer {
    return this.#decision({ responseCode: '00' });
  }

  #decision(answer: Parameters<typeof decisionOf>[0] | { readonly responseCode: string }): AcquirerAnswer {
    return decisionOf(answer as Parameters<typeof decisionOf>[0], APPROVAL_CODES[this.#parts.mode]);
  }
}

function refused(codes: Refusal): AcquirerAnswer {
  return { approved: false, ...codes };
}

/** Whether a means of payment goes to hosts of cards. */
function isCarried({ instrument }: AcquirerMoneyRequest): boolean {
  return (
    instrument === undefined ||
    instrument.kind === 'card' ||
    (instrument.kind === 'token' && instrument.type === 'NETWORK')
  );
}

function purposeOf({
  kind,
  captureNow,
  originalReference,
  messageId,
}: AcquirerMoneyRequest): ExchangePurpose {
  return {
    operation: kind,
    ...(captureNow && { captureNow }),
    ...(originalReference !== undefined && { originalReference }),
    ...(messageId !== undefined && { messageId }),
  };
}

/** What the gateway knows of a message without an answer: its outcome is unknown. */
function unreachable(error: unknown): unknown {
  if (
    error instanceof NotSentError ||
    error instanceof OutcomeUnknownError ||
    error instanceof KnownExchangeError
  )
    return new AcquirerUnreachableError(error.message);
  return error;
}
