import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { present } from '@tillbridge/wire/present.js';
import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerMoneyRequest,
  type AcquirerRequest,
  type AcquirerReversal,
  type AcquirerStatus,
  AcquirerUnreachableError,
} from '../acquirer.js';
import { partsOf } from './journal/exchange-parts.js';
import type { StoreLinkJournal } from './journal/store-link-journal.js';
import type { HostLink, LinkRequest } from './link/host-link.js';
import {
  type CardLookup,
  DuplicateExchangeError,
  HostDownError,
  NotSentError,
  OutcomeUnknownError,
} from './link/link-deps.js';
import { refundInParts, takeBack } from './refund-in-parts.js';
import { standInOperation } from './rules/decide-stand-in.js';
import { decisionOf, standInDecision } from './rules/exchange-answer.js';
import {
  approvedMinor,
  type ExchangePurpose,
  type ExchangeRecord,
  type RefundPart,
} from './rules/exchange-record.js';
import { exchangeRequest } from './rules/exchange-request.js';
import { refundParts, remainingMinor, wholeMinor } from './rules/followed.js';
import {
  APPROVAL_CODES,
  NOT_SUPPORTED,
  NOT_WRITABLE,
  OPERATIONS,
  type Operation,
  OTHER_CONTENT,
  operationOf,
  REASONS,
  REVERSED,
  UNKNOWN_ORIGINAL,
} from './rules/mapping.js';
import { isFurtherPart, MAX_PARTS, mayAskAgain, partReference } from './rules/parts.js';
import type { StandIns } from './stand-in/stand-in.js';

/** What the acquirer works with. */
interface Iso8583AcquirerDeps {
  readonly name: string;
  readonly link: HostLink;
  readonly journal: Pick<StoreLinkJournal, 'following'>;
  /** Number of the acquiring institution (field 32). */
  readonly acquirerId?: string;
  /** Reads cards for captures and refunds; absent: they name no card. */
  readonly cardOf?: CardLookup;
  /** A follow-up is sent without its card, which the vault has no more. */
  readonly withoutCard?: (reference: string) => void;
  /** Approves while no host can be reached; absent: no stand-in. */
  readonly standIns?: Pick<StandIns, 'approve' | 'cardOf'>;
  readonly mode: 'test' | 'live';
  /** Whether what the journal does not know may have been sent, since the database was put back; absent: it never was. */
  readonly isPerhapsForgotten?: (reference: string, messageId?: string) => Promise<boolean>;
}

type Refusal = { readonly resultCode: string; readonly responseCode: string };

/**
 * An acquirer behind ISO 8583. A host gives no status by reference: the journal of the link knows what was sent and answered. A request without an
 * answer is reversed until the host acknowledges it; captures, refunds and sales that have happened are sent again under the same number.
 */
export class Iso8583Acquirer implements Acquirer {
  readonly name: string;
  readonly #deps: Iso8583AcquirerDeps;
  /** Running requests by reference: a status waits for its request. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(deps: Iso8583AcquirerDeps) {
    this.#deps = deps;
    this.name = deps.name;
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
    const parts = await this.#partsOf(acquirerReference);
    if (parts.length === 0) await this.#refuseForgotten(acquirerReference);
    const answers = parts.map((part) => this.#decisionOn(part));
    const split = parts[0]?.purpose?.split;
    const isWhole = !split || (answers.length === split.length && answers.every((each) => each?.approved));
    const answer = split ? answers[0] : answers.at(-1);
    // The outcome without an answer is unknown: the caller reverses the request or sends it again.
    return answer && isWhole ? { state: 'answered', answer } : { state: 'unknown' };
  }

  async #carryOut(request: AcquirerRequest): Promise<AcquirerAnswer> {
    if (request.kind === 'reversal') return this.#reverse(request);
    const parts = await this.#partsOf(request.acquirerReference);
    const known = parts.at(-1);
    const split = parts[0]?.purpose?.split;
    if (split) return this.#refundInParts(request, split);
    if (known && mayAskAgain(known) && parts.length < MAX_PARTS) {
      const acquirerReference = partReference(request.acquirerReference, parts.length);
      return this.#askAs({ ...request, acquirerReference }, undefined);
    }
    if (known && !isRepeatedAdvice(known)) return this.#knownAnswer(known, request);
    // A request that an agent makes online never comes again.
    const comesAgain =
      request.kind !== 'authorization' || request.deferred || request.approvalCode !== undefined;
    if (!known && comesAgain && request.messageId !== undefined)
      await this.#refuseForgotten(request.acquirerReference, request.messageId);
    return this.#askAs(request, known);
  }

  /** @throws AcquirerUnreachableError what is unknown here may have been carried out before the database was put back */
  async #refuseForgotten(reference: string, messageId?: string): Promise<void> {
    if (await this.#deps.isPerhapsForgotten?.(reference, messageId))
      throw new AcquirerUnreachableError(
        'the database was put back from a backup: an operator has to compare it with the host first (acquirer close-gap)',
      );
  }

  async #askAs(request: AcquirerMoneyRequest, known: ExchangeRecord | undefined): Promise<AcquirerAnswer> {
    const operation = operationOf(request);
    if (operation === undefined || !isCarried(request)) return refused(NOT_SUPPORTED);
    if (!OPERATIONS[operation].follows) return this.#ask(request, operation, undefined, known);
    const original = await this.#approved(request.originalReference);
    if (!original) return refused(UNKNOWN_ORIGINAL);
    if (operation !== 'refund' || original.request?.kind === 'financial')
      return this.#ask(request, operation, original, known);
    const followers = await this.#deps.journal.following(request.originalReference ?? '');
    const split = refundParts(request.amount.minor, followers);
    if (!split) return refused(UNKNOWN_ORIGINAL);
    const [only] = split;
    if (split.length > 1 || !only) return this.#refundInParts(request, split);
    return this.#ask(request, operation, await this.#approved(only.capture), known);
  }

  #refundInParts(request: AcquirerMoneyRequest, split: readonly RefundPart[]): Promise<AcquirerAnswer> {
    const sum = split.reduce((total, { minor }) => total + minor, 0);
    if (sum !== request.amount.minor) return Promise.resolve(refused(OTHER_CONTENT));
    const { link } = this.#deps;
    return refundInParts(request, split, {
      link,
      refund: async (part, capture, whole) => {
        const known = await link.find(part.acquirerReference);
        if (known && !isRepeatedAdvice(known)) return this.#knownAnswer(known, part);
        const original = await this.#approved(capture);
        return original ? this.#ask(part, 'refund', original, known, whole) : refused(UNKNOWN_ORIGINAL);
      },
    });
  }

  async #ask(
    request: AcquirerMoneyRequest,
    operation: Operation,
    followed: ExchangeRecord | undefined,
    known: ExchangeRecord | undefined,
    split?: readonly RefundPart[],
  ): Promise<AcquirerAnswer> {
    const { link, acquirerId, standIns } = this.#deps;
    if (followed && !followed.request) return refused(UNKNOWN_ORIGINAL);
    // Until the host knows the original, nothing can follow it there.
    if (followed?.state === 'advice-pending')
      throw new AcquirerUnreachableError('the host has not received the original yet');
    const purpose = { ...purposeOf(request), ...present({ split, card: standIns?.cardOf(request) }) };
    try {
      const original = followed && (await this.#followed(followed));
      const message: LinkRequest = exchangeRequest(request, operation, original, acquirerId);
      const answer = known
        ? await link.repeat(known, message)
        : await link.ask(request.acquirerReference, message, purpose);
      return this.#decision(answer);
    } catch (error) {
      if (error instanceof Iso8583Error || error instanceof TlvError) return refused(NOT_WRITABLE);
      const approved =
        error instanceof HostDownError && !known && (await this.#standIn(request, operation, purpose));
      if (approved) return approved;
      throw error;
    }
  }

  /** What a follow-up names of its original. @throws StoreUnavailableError */
  async #followed(original: ExchangeRecord) {
    const { reference, request, answer, standIn } = original;
    const { cardOf, withoutCard } = this.#deps;
    const card = await cardOf?.(original);
    if (cardOf && !card) withoutCard?.(reference);
    const approvalCode = answer?.approvalCode ?? standIn?.approvalCode;
    const hostData = answer?.hostData;
    return request && { request, ...present({ card, approvalCode, hostData }) };
  }

  /** Approves in the place of a host, where nothing was sent and the rule of the acquirer allows it. */
  async #standIn(
    request: AcquirerMoneyRequest,
    operation: Operation,
    purpose: ExchangePurpose,
  ): Promise<AcquirerAnswer | undefined> {
    const { standIns, acquirerId } = this.#deps;
    const adviceOperation = standInOperation(operation);
    if (!standIns || !adviceOperation || isFurtherPart({ reference: request.acquirerReference }))
      return undefined;
    const advice = {
      ...exchangeRequest(request, adviceOperation, undefined, acquirerId),
      reasonCode: REASONS.standIn,
    };
    return standIns.approve(request, advice, purpose);
  }

  /** The answer to a request whose reference was used. @throws AcquirerUnreachableError while it is being reversed */
  #knownAnswer(known: ExchangeRecord, request: AcquirerMoneyRequest): AcquirerAnswer {
    const { request: sent, state } = known;
    const isOther = sent?.amount !== undefined && sent.amount.minor !== request.amount.minor;
    if (isOther) return refused(OTHER_CONTENT);
    const decision = this.#decisionOn(known);
    if (decision) return decision;
    if (state === 'reversed') return refused(REVERSED);
    throw new AcquirerUnreachableError('the host gave no answer, and has not acknowledged the reversal yet');
  }

  /** All parts of an acquirer reference; none where nothing was sent under it. */
  async #partsOf(reference: string): Promise<readonly ExchangeRecord[]> {
    const { link } = this.#deps;
    const record = await link.find(reference);
    return record ? partsOf((part) => link.find(part), record) : [];
  }

  /** The exchange of an acquirer reference that the host has approved. */
  async #approved(reference: string | undefined): Promise<ExchangeRecord | undefined> {
    const parts = reference === undefined ? [] : await this.#partsOf(reference);
    return parts.find((part) => approvedMinor(part) > 0);
  }

  async #reverse({ acquirerReference, originalReference }: AcquirerReversal): Promise<AcquirerAnswer> {
    const { link, journal } = this.#deps;
    const first = (await link.find(originalReference)) ?? (await this.#begunMeanwhile(originalReference));
    if (!first) return this.#reversed();
    const parts = await partsOf((part) => link.find(part), first);
    const original = (first.purpose?.split ? first : parts.at(-1)) ?? first;
    for (const part of [...parts].reverse()) if (part !== original) await takeBack(link, part.reference);
    if (mayAskAgain(original)) await link.leaveTombstone(partReference(originalReference, parts.length));
    if (original.state === 'reversed') return this.#reversed();
    const followers = await journal.following(original.purpose?.originalReference ?? originalReference);
    const [minor, whole] = [remainingMinor(original, followers), wholeMinor(original, followers)];
    if (approvedMinor(original) > 0 && minor >= whole)
      return refused({ resultCode: '800.100.191', responseCode: '12' });
    const currency = original.request?.amount?.currency ?? '';
    await takeBack(link, original.reference, {
      reference: acquirerReference,
      ...(minor > 0 && { remaining: { minor, currency } }),
      ...(whole > approvedMinor(original) && { amount: { minor: whole, currency } }),
    });
    return this.#reversed();
  }

  /** Leaves a tombstone for a request that was never sent; gives the request where it was begun in this moment. */
  async #begunMeanwhile(reference: string): Promise<ExchangeRecord | undefined> {
    const { link } = this.#deps;
    await this.#refuseForgotten(reference);
    try {
      await link.leaveTombstone(reference);
      return undefined;
    } catch (error) {
      if (!(error instanceof DuplicateExchangeError)) throw error;
      return link.find(reference);
    }
  }

  #reversed(): AcquirerAnswer {
    return this.#decision({ responseCode: '00' });
  }

  /** The decision on an exchange; undefined while there is none. */
  #decisionOn({ answer, standIn, state }: ExchangeRecord): AcquirerAnswer | undefined {
    // The gateway's own decision stands, also where the host declines the advice.
    if (standIn)
      return state === 'advice-pending' || state === 'answered'
        ? standInDecision(standIn.approvalCode)
        : undefined;
    return answer && this.#decision(answer);
  }

  #decision(answer: Parameters<typeof decisionOf>[0] | { readonly responseCode: string }): AcquirerAnswer {
    return decisionOf(answer as Parameters<typeof decisionOf>[0], APPROVAL_CODES[this.#deps.mode]);
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

/** Whether it is an advice without an answer: it is sent again under the same number. */
function isRepeatedAdvice({ state, request }: ExchangeRecord): boolean {
  return state === 'sent' && request?.isAdvice === true;
}

function purposeOf({
  kind,
  captureNow,
  originalReference,
  messageId,
  deferred,
}: AcquirerMoneyRequest): ExchangePurpose {
  return {
    operation: kind,
    ...(captureNow && { captureNow }),
    ...(deferred && { deferred }),
    ...present({ originalReference, messageId }),
  };
}

/** What the gateway knows of a message without an answer: its outcome is unknown. */
function unreachable(error: unknown): unknown {
  if (
    error instanceof NotSentError ||
    error instanceof OutcomeUnknownError ||
    error instanceof DuplicateExchangeError
  )
    return new AcquirerUnreachableError(error.message);
  return error;
}
