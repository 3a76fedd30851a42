import { BridgeError, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import type { Outcome, StreamPosition } from '@tillbridge/wire/bridge/messages.js';
import { wipe } from '@tillbridge/wire/bytes.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import { BlobError } from '../../journal/blob-cipher.js';
import type { ForwardProjection } from '../../journal/forward-projection.js';
import type { Exposure, ForwardQueue, QueueItem, StreamEnvelope } from '../../journal/forward-queue.js';
import { type Journal, JournalUnavailable } from '../../journal/journal.js';
import type { SaleEvent, SensitiveData } from '../machine/state/events.js';
import { isStreamFact } from '../machine/state/facts.js';
import { toGatewayAnswer } from '../machine/state/gateway-answer.js';
import { streamEnvelope, type TerminalProfile } from '../records/bridge-messages.js';
import { loadSale } from '../records/compacted-sale.js';
import { rowToFact } from '../records/fact-rows.js';
import { decodeSensitive, SensitiveFormatError } from '../records/sensitive-codec.js';
import type { SaleRegistry } from './sale-registry.js';

const LOST_DATA = 'its card data cannot be read any more: the key file was changed, or the data were damaged';

/** What the queue is made of. */
interface ForwardingPorts {
  readonly journal: Journal;
  readonly projection: ForwardProjection;
  readonly registry: SaleRegistry;
  profile(terminalId: string): TerminalProfile;
  /** Whether the record has waited too long: it is sent as such, and that stands on disk before. */
  isExpired(item: QueueItem): boolean;
  /** Age of the record by the agent's own clocks, in milliseconds. */
  ageMs(item: QueueItem): number;
}

/** The forward queue: places from the projection, contents from the journal, delivery status to the sale that sent the message. */
export class Forwarding implements ForwardQueue {
  readonly #ports: ForwardingPorts;
  readonly #listeners = new Listeners<[terminalId: string]>();

  constructor(ports: ForwardingPorts) {
    this.#ports = ports;
  }

  terminals(): readonly string[] {
    return this.#ports.projection.terminals();
  }

  async next(terminalId: string, afterSequence: number): Promise<StreamEnvelope | undefined> {
    for (;;) {
      const item = this.#ports.projection.next(terminalId, afterSequence);
      if (!item) return undefined;
      if (this.#ports.isExpired(item)) await this.expired(item.reference);
      const envelope = await this.#envelope(item);
      const problem = envelope ? whyNotSendable(envelope) : LOST_DATA;
      if (envelope && !problem) return envelope;
      // It can never be sent as it is: a person has to see that, and nothing behind it may wait for ever (P4).
      await this.parked(item.messageId, { code: 'cannot-be-sent', text: problem ?? LOST_DATA });
    }
  }

  async acknowledged(messageId: string, outcome: Outcome): Promise<void> {
    const answer = toGatewayAnswer(outcome);
    await this.#tell(messageId, { kind: 'acknowledged', messageId, answer });
  }

  async parked(messageId: string, reason: { readonly code: string; readonly text: string }): Promise<void> {
    await this.#tell(messageId, {
      kind: 'parked',
      messageId,
      code: reason.code,
      text: maskText(reason.text),
    });
  }

  /** The sale's offline record has waited too long. @throws JournalUnavailable */
  async expired(reference: string): Promise<void> {
    await this.#ports.registry.use(reference, (actor) => actor?.post({ kind: 'expire' }));
  }

  onWork(listener: (terminalId: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Rings for a terminal with waiting messages, or for all of them. */
  ring(terminalIds: readonly string[] = this.terminals()): void {
    for (const terminalId of new Set(terminalIds)) this.#listeners.tell(terminalId);
  }

  positions(): readonly StreamPosition[] {
    return this.#ports.projection.positions();
  }

  depth(): number {
    return this.#ports.projection.depth();
  }

  parkedCount(): number {
    return this.#ports.projection.parkedCount();
  }

  oldestAtMs(): number | undefined {
    return this.#ports.projection.oldestAtMs();
  }

  exposure(): readonly Exposure[] {
    return this.#ports.projection.exposure();
  }

  items(): readonly QueueItem[] {
    return this.#ports.projection.items();
  }

  head(): { readonly row: number; readonly hash: Uint8Array } {
    const { state, head } = this.#ports.journal;
    // The head of a journal that cannot be read is unknown: an empty hash stands for it.
    return state.kind === 'ready' ? head : { row: 0, hash: new Uint8Array() };
  }

  /** `undefined` when the sensitive part of the message cannot be read any more. */
  async #envelope(item: QueueItem): Promise<StreamEnvelope | undefined> {
    const { messageId, reference, terminalId, sequence } = item;
    const { journal } = this.#ports;
    const [row, state, sensitive] = await Promise.all([
      journal.rowOfMessage(messageId),
      loadSale(journal, reference),
      this.#sensitive(messageId),
    ]);
    const fact = row && rowToFact(row);
    if (!state || !fact) throw new JournalUnavailable('corrupt', `message ${messageId} has no row`);
    if (!isStreamFact(fact)) {
      throw new JournalUnavailable('corrupt', `message ${messageId} belongs to no stream`);
    }
    // The chain has a hash of data: without them the message is incomplete.
    if (sensitive === 'lost' || (row.blobHash && !sensitive)) return undefined;
    const place = { sequence, ageMs: this.#ports.ageMs(item) };
    return streamEnvelope(state, fact, place, this.#ports.profile(terminalId), sensitive);
  }

  async #sensitive(messageId: string): Promise<SensitiveData | undefined | 'lost'> {
    try {
      const bytes = await this.#ports.journal.blob(messageId);
      if (!bytes) return undefined;
      const sensitive = decodeSensitive(messageId, bytes);
      wipe(bytes);
      return sensitive;
    } catch (error) {
      if (error instanceof BlobError || error instanceof SensitiveFormatError) return 'lost';
      throw error;
    }
  }

  async #tell(messageId: string, event: SaleEvent): Promise<void> {
    const item = this.#ports.projection.get(messageId);
    if (item) await this.#ports.registry.use(item.reference, (actor) => actor?.post(event));
  }
}

/** Which rule of the bridge keeps the message from ever being sent; `undefined` when none does. */
function whyNotSendable(envelope: StreamEnvelope): string | undefined {
  try {
    encodeEnvelope(envelope);
    return undefined;
  } catch (error) {
    if (error instanceof BridgeError) return error.message;
    throw error;
  }
}
