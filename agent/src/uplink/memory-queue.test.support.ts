import type { Outcome } from '@tillbridge/wire/bridge/messages.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { Exposure, ForwardQueue, QueueItem, StreamEnvelope } from '../journal/forward-queue.js';

/** A forward queue in memory for tests of the uplink, with the disk's faults on demand. */
export class MemoryQueue implements ForwardQueue {
  readonly ended: string[] = [];
  /** While true nothing can be read or written. */
  broken = false;
  private messages: StreamEnvelope[] = [];
  private readonly listeners = new Listeners<[terminalId: string]>();

  /** Adds a capture, the smallest of the stream messages. */
  add(terminalId: string, sequence: number, changes: { readonly reference?: string } = {}): StreamEnvelope {
    const envelope: StreamEnvelope = {
      id: `m-${terminalId}-${sequence}`,
      terminalId,
      sequence,
      kind: 'capture',
      body: {
        originalMessageId: `o-${sequence}`,
        reference: `r-${sequence}`,
        amount: { minor: 100 * sequence, currency: 'EUR' },
        final: true,
        ...changes,
      },
    };
    this.put(envelope);
    return envelope;
  }

  /** Adds a message at the end of its stream. */
  put(envelope: StreamEnvelope): void {
    this.messages.push(envelope);
    this.listeners.tell(envelope.terminalId);
  }

  terminals(): readonly string[] {
    return [...new Set(this.messages.map(({ terminalId }) => terminalId))];
  }

  async next(terminalId: string, afterSequence: number): Promise<StreamEnvelope | undefined> {
    this.refuseWhileBroken();
    return this.messages.find((each) => each.terminalId === terminalId && each.sequence > afterSequence);
  }

  async acknowledged(messageId: string, _outcome: Outcome): Promise<void> {
    this.refuseWhileBroken();
    this.end(`acknowledged ${messageId}`, messageId);
  }

  async parked(messageId: string, reason: { readonly code: string; readonly text: string }): Promise<void> {
    this.refuseWhileBroken();
    this.end(`parked ${messageId}: ${reason.code}, ${reason.text}`, messageId);
  }

  onWork(listener: (terminalId: string) => void): () => void {
    return this.listeners.add(listener);
  }

  positions(): readonly { readonly terminalId: string; readonly nextSequence: number }[] {
    return this.terminals().map((terminalId) => ({
      terminalId,
      nextSequence: Math.min(
        ...this.messages.filter((m) => m.terminalId === terminalId).map((m) => m.sequence),
      ),
    }));
  }

  depth(): number {
    return this.messages.length;
  }

  parkedCount(): number {
    return 0;
  }

  oldestAtMs(): number | undefined {
    return this.messages.length > 0 ? Date.UTC(2025, 11, 31) : undefined;
  }

  exposure(): readonly Exposure[] {
    return [{ terminalId: '1', currency: 'EUR', minor: 700, count: 2 }];
  }

  items(): readonly QueueItem[] {
    return [];
  }

  head(): { readonly row: number; readonly hash: Uint8Array } {
    return { row: 42, hash: new Uint8Array(32).fill(7) };
  }

  private end(entry: string, messageId: string): void {
    this.ended.push(entry);
    this.messages = this.messages.filter(({ id }) => id !== messageId);
  }

  private refuseWhileBroken(): void {
    if (this.broken) throw new Error('disk full');
  }
}
