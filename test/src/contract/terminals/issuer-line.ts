import type { CardData } from '@tillbridge/agent/drivers/core/driver.js';
import type { ForwardQueue } from '@tillbridge/agent/journal/forward-queue.js';
import { Ledger } from '@tillbridge/agent/sale/ledger.test.support.js';
import type { LiveEnvelope, Uplink, UplinkState } from '@tillbridge/agent/uplink/uplink.js';
import { Disposition, type Outcome, type StatusAnswer } from '@tillbridge/wire/bridge/messages.js';
import type { IssuerAnswer, IssuerHost } from './issuer-host.js';
import { Signal } from './signal.js';

type Request = Extract<LiveEnvelope, { readonly kind: 'authorizationRequest' }>;

/**
 * The agent's link to a gateway whose issuer judges real cryptograms and whose ledger remembers what it recorded. An answer
 * may be held back until it is released.
 */
export class IssuerLine implements Uplink {
  readonly state: UplinkState = 'up';
  readonly ledger = new Ledger();
  /** An authorization stands in the ledger; its answer is on the way or held back. */
  readonly recorded = new Signal();
  /** An answer reaches the agent, before it does anything with it. */
  readonly answered = new Signal();
  /** What went wrong at the far side. */
  readonly problems: unknown[] = [];
  /** How the issuer answers from now on. */
  decision: IssuerAnswer = 'approve';
  readonly #host: IssuerHost;
  readonly #answers = new Set<(messageId: string, outcome: Outcome) => void>();
  readonly #statuses = new Set<(answer: StatusAnswer) => void>();
  readonly #emptied = new Signal();
  #queue: ForwardQueue | undefined;
  #held: (() => void)[] | undefined;

  constructor(host: IssuerHost) {
    this.#host = host;
  }

  /** Holds back every answer until {@link release}. */
  hold(): void {
    this.#held ??= [];
  }

  /** Lets the answers go that were held back. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const answer of held) answer();
  }

  /** Takes the stream messages from a queue from now on. */
  pull(queue: ForwardQueue): void {
    this.#queue = queue;
    queue.onWork(
      (terminalId) => void this.#take(queue, terminalId).catch((error) => this.problems.push(error)),
    );
  }

  /** Resolves when nothing waits in the queue. */
  async drained(): Promise<void> {
    while (this.#queue && this.#queue.terminals().length > 0) {
      await new Promise<void>((resolve) => {
        const end = this.#emptied.on(() => {
          end();
          resolve();
        });
      });
    }
  }

  sendLive(envelope: LiveEnvelope): boolean {
    if (envelope.kind === 'authorizationRequest') {
      // The sender wipes its PIN block as soon as it is handed over.
      const copy = structuredClone(envelope.body);
      void this.#authorize(envelope, copy).catch((error) => this.problems.push(error));
      return true;
    }
    const status = this.ledger.status(envelope.body.messageId);
    queueMicrotask(() => {
      for (const listener of this.#statuses) listener(status);
    });
    return true;
  }

  nudge(): void {}

  onAnswer(listener: (messageId: string, outcome: Outcome) => void): () => void {
    this.#answers.add(listener);
    return () => this.#answers.delete(listener);
  }

  onStatus(listener: (answer: StatusAnswer) => void): () => void {
    this.#statuses.add(listener);
    return () => this.#statuses.delete(listener);
  }

  onState(): () => void {
    return () => undefined;
  }

  onGatewayTime(): () => void {
    return () => undefined;
  }

  async #authorize(envelope: Request, { pos }: Request['body']): Promise<void> {
    if (!pos?.sred) throw new Error('the request has no enciphered card data');
    const { deviceType, entryMode, panSequenceNumber, iccData, sred, expiry } = pos;
    const facts = { entryMode: entryMode as CardData['facts']['entryMode'], panSequenceNumber, expiry };
    const card: CardData = { facts, iccData, sred };
    const account = await this.#host.account(deviceType, card);
    const result = await this.#host.answer(card, account, this.decision);
    if (result.kind === 'unable-to-go-online') throw new Error('the issuer is here');
    this.ledger.approves = () => result.kind === 'approved';
    const recorded = this.ledger.authorize(envelope);
    if (!recorded) throw new Error('the ledger ledgers authorizations');
    const { responseCode, issuerData } = result;
    const taken = recorded.disposition !== Disposition.REFUSED;
    const outcome = taken ? { ...recorded, responseCode, iccDataResponse: issuerData } : recorded;
    const answer = (): void => this.#answer(envelope.id, outcome);
    if (this.#held) this.#held.push(answer);
    else queueMicrotask(answer);
    this.recorded.emit();
  }

  #answer(messageId: string, outcome: Outcome): void {
    this.answered.emit();
    for (const listener of this.#answers) listener(messageId, outcome);
  }

  async #take(queue: ForwardQueue, terminalId: string): Promise<void> {
    for (let next = await queue.next(terminalId, 0); next; next = await queue.next(terminalId, 0)) {
      await queue.acknowledged(next.id, this.ledger.take(next));
    }
    this.#emptied.emit();
  }
}
