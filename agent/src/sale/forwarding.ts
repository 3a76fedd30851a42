import type { Outcome } from '@tillbridge/protocol/bridge/messages.js';
import { wipe } from '@tillbridge/protocol/bytes.js';
import { BlobError } from '../journal/blob-cipher.js';
import type { ForwardProjection } from '../journal/forward-projection.js';
import type { Exposure, ForwardQueue, QueueItem, StreamEnvelope } from '../journal/forward-queue.js';
import { type Journal, JournalUnavailable } from '../journal/journal.js';
import { streamEnvelope, type TerminalProfile } from './bridge-messages.js';
import type { SaleEvent, SensitiveData } from './events.js';
import { replaySale, rowToFact } from './fact-rows.js';
import { toGatewayAnswer } from './gateway-answer.js';
import type { SaleBook } from './sale-book.js';
import { decodeSensitive } from './sensitive-codec.js';

/** What the queue is made of. */
export interface ForwardingPorts {
  readonly journal: Journal;
  readonly projection: ForwardProjection;
  readonly book: SaleBook;
  profile(terminalId: string): TerminalProfile;
}

/** The forward queue: places from the projection, contents from the journal, news to the sale that sent the message. */
export class Forwarding implements ForwardQueue {
  readonly #ports: ForwardingPorts;
  readonly #listeners = new Set<(terminalId: string) => void>();

  constructor(ports: ForwardingPorts) {
    this.#ports = ports;
  }

  terminals(): readonly string[] {
    return this.#ports.projection.terminals();
  }

  async next(terminalId: string, afterSequence: number): Promise<StreamEnvelope | undefined> {
    const item = this.#ports.projection.next(terminalId, afterSequence);
    return item && this.#envelope(item);
  }

  async acknowledged(messageId: string, outcome: Outcome): Promise<void> {
    const answer = toGatewayAnswer(outcome);
    await this.#tell(messageId, { kind: 'acknowledged', messageId, answer });
  }

  async parked(messageId: string, reason: { readonly code: string; readonly text: string }): Promise<void> {
    await this.#tell(messageId, { kind: 'parked', messageId, ...reason });
  }

  onWork(listener: (terminalId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Rings for a terminal with waiting messages, or for all of them. */
  ring(terminalIds: readonly string[] = this.terminals()): void {
    for (const terminalId of new Set(terminalIds)) {
      for (const listener of [...this.#listeners]) listener(terminalId);
    }
  }

  positions(): readonly { readonly terminalId: string; readonly nextSequence: number }[] {
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
    return this.#ports.journal.head;
  }

  async #envelope({ messageId, reference, terminalId, sequence }: QueueItem): Promise<StreamEnvelope> {
    const { journal } = this.#ports;
    const [row, rows, sensitive] = await Promise.all([
      journal.rowOfMessage(messageId),
      journal.rowsOf(reference),
      this.#sensitive(messageId),
    ]);
    const fact = row && rowToFact(row);
    const state = replaySale(rows);
    if (!state || !fact) throw new JournalUnavailable('corrupt', `message ${messageId} has no row`);
    if (fact.kind !== 'reversal' && fact.kind !== 'offline-record' && fact.kind !== 'capture') {
      throw new JournalUnavailable('corrupt', `message ${messageId} belongs to no stream`);
    }
    return streamEnvelope(state, fact, sequence, this.#ports.profile(terminalId), sensitive);
  }

  async #sensitive(messageId: string): Promise<SensitiveData | undefined> {
    try {
      const bytes = await this.#ports.journal.blob(messageId);
      if (!bytes) return undefined;
      const sensitive = decodeSensitive(messageId, bytes);
      wipe(bytes);
      return sensitive;
    } catch (error) {
      if (error instanceof BlobError) throw new JournalUnavailable('corrupt', error.message);
      throw error;
    }
  }

  async #tell(messageId: string, event: SaleEvent): Promise<void> {
    const item = this.#ports.projection.get(messageId);
    if (item) await this.#ports.book.use(item.reference, (actor) => actor?.post(event));
  }
}
