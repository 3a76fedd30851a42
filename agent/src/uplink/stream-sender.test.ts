import { describe, expect, it } from 'vitest';
import type { StreamEnvelope } from '../journal/forward-queue.js';
import {
  INITIAL_SENDER,
  isStalled,
  mayGoLive,
  SENDER_LIMITS,
  type SenderEffect,
  type SenderEvent,
  type SenderState,
  senderStep,
} from './stream-sender.js';

function capture(terminalId: string, sequence: number): StreamEnvelope {
  return {
    id: `${terminalId}-${sequence}`,
    terminalId,
    sequence,
    kind: 'capture',
    body: { originalMessageId: 'o', reference: 'r', amount: { minor: 1, currency: 'EUR' }, final: true },
  };
}

/** A sender whose queue answers at once from `streams`, and whose writes are taken when the test releases them. */
class SaleHarness {
  state: SenderState = INITIAL_SENDER;
  readonly sent: string[] = [];
  readonly streams = new Map<string, StreamEnvelope[]>();
  private readonly toWrite: number[] = [];

  constructor(...envelopes: StreamEnvelope[]) {
    for (const envelope of envelopes) this.add(envelope);
  }

  add(envelope: StreamEnvelope): void {
    this.streams.set(envelope.terminalId, [...(this.streams.get(envelope.terminalId) ?? []), envelope]);
  }

  feed(event: SenderEvent): void {
    const { state, effects } = senderStep(this.state, event);
    this.state = state;
    for (const effect of effects) this.carryOut(effect);
  }

  up(backlogCredits: number): void {
    this.feed({ kind: 'session-up', liveCredits: 2, backlogCredits, terminals: [...this.streams.keys()] });
  }

  /** Lets every write be taken until the sender rests. */
  drain(): void {
    for (let session = this.toWrite.shift(); session !== undefined; session = this.toWrite.shift()) {
      this.feed({ kind: 'written', session });
    }
  }

  acknowledge(messageId: string): void {
    for (const [terminalId, stream] of this.streams) {
      this.streams.set(
        terminalId,
        stream.filter(({ id }) => id !== messageId),
      );
    }
    this.feed({ kind: 'recorded', messageId });
  }

  private carryOut(effect: SenderEffect): void {
    if (effect.kind === 'send') {
      this.sent.push(effect.envelope.id);
      this.toWrite.push(effect.session);
      return;
    }
    const { session, terminalId, afterSequence } = effect;
    const envelope = this.streams.get(terminalId)?.find(({ sequence }) => sequence > afterSequence);
    this.feed({ kind: 'pulled', session, terminalId, envelope, atMs: 0 });
  }
}

describe('backlog', () => {
  it('keeps the order of each terminal and gives terminals turns', () => {
    const harness = new SaleHarness(
      capture('1', 1),
      capture('1', 2),
      capture('1', 3),
      capture('2', 7),
      capture('2', 9),
    );
    harness.up(10);
    harness.drain();
    expect(harness.sent).toEqual(['1-1', '2-7', '1-2', '2-9', '1-3']);
  });

  it('puts one message at a time in front of the socket', () => {
    const harness = new SaleHarness(capture('1', 1), capture('1', 2));
    harness.up(10);
    expect(harness.sent).toEqual(['1-1']);
    harness.drain();
    expect(harness.sent).toEqual(['1-1', '1-2']);
  });

  it('waits for credits and goes on with each acknowledgement', () => {
    const harness = new SaleHarness(capture('1', 1), capture('1', 2), capture('1', 3));
    harness.up(2);
    harness.drain();
    expect(harness.sent).toEqual(['1-1', '1-2']);
    harness.acknowledge('1-2');
    harness.drain();
    expect(harness.sent).toEqual(['1-1', '1-2', '1-3']);
  });

  it('sends again after a reconnect what was not acknowledged, and nothing else', () => {
    const harness = new SaleHarness(capture('1', 1), capture('1', 2), capture('1', 3));
    harness.up(3);
    harness.drain();
    harness.acknowledge('1-1');
    harness.feed({ kind: 'session-down' });
    harness.up(3);
    harness.drain();
    expect(harness.sent).toEqual(['1-1', '1-2', '1-3', '1-2', '1-3']);
  });

  it('finds a message that was added while its queue was being read', () => {
    let { state, effects } = senderStep(INITIAL_SENDER, {
      kind: 'session-up',
      liveCredits: 1,
      backlogCredits: 4,
      terminals: ['1'],
    });
    expect(effects).toEqual([{ kind: 'pull', session: 1, terminalId: '1', afterSequence: 0 }]);
    ({ state } = senderStep(state, { kind: 'work', terminalId: '1' }));
    ({ state, effects } = senderStep(state, {
      kind: 'pulled',
      session: 1,
      terminalId: '1',
      envelope: undefined,
      atMs: 0,
    }));
    expect(effects).toEqual([{ kind: 'pull', session: 1, terminalId: '1', afterSequence: 0 }]);
  });

  it('ignores the pulls of an earlier session', () => {
    const harness = new SaleHarness(capture('1', 1));
    harness.up(1);
    harness.feed({ kind: 'session-down' });
    harness.up(1);
    const before = harness.state;
    harness.feed({ kind: 'pulled', session: 1, terminalId: '1', envelope: capture('1', 1), atMs: 0 });
    harness.feed({ kind: 'written', session: 1 });
    expect(harness.state).toBe(before);
  });

  it('lets other terminals go on when one cannot be read', () => {
    let step = senderStep(INITIAL_SENDER, {
      kind: 'session-up',
      liveCredits: 1,
      backlogCredits: 4,
      terminals: ['1', '2'],
    });
    step = senderStep(step.state, { kind: 'pull-failed', session: 1 });
    expect(step.effects).toEqual([{ kind: 'pull', session: 1, terminalId: '2', afterSequence: 0 }]);
  });

  it.each([
    ['another stream', capture('2', 9)],
    ['a sequence already sent', capture('1', 1)],
  ])('refuses a queue that gives %s', (_name, envelope) => {
    const harness = new SaleHarness(capture('1', 1));
    harness.up(9);
    harness.streams.set('1', []);
    expect(() => harness.feed({ kind: 'pulled', session: 1, terminalId: '1', envelope, atMs: 0 })).toThrow(
      RangeError,
    );
  });

  it('is stalled when an acknowledgement stays away', () => {
    const harness = new SaleHarness(capture('1', 1));
    harness.up(1);
    expect(isStalled(harness.state, SENDER_LIMITS.acknowledgeTimeoutMs - 1)).toBe(false);
    expect(isStalled(harness.state, SENDER_LIMITS.acknowledgeTimeoutMs)).toBe(true);
    harness.acknowledge('1-1');
    expect(isStalled(harness.state, SENDER_LIMITS.acknowledgeTimeoutMs)).toBe(false);
  });
});

it('counts the time of an acknowledgement from when its message was sent', () => {
  const up = senderStep(INITIAL_SENDER, {
    kind: 'session-up',
    liveCredits: 1,
    backlogCredits: 1,
    terminals: ['1'],
  });
  const pulled = {
    kind: 'pulled',
    session: 1,
    terminalId: '1',
    envelope: capture('1', 1),
    atMs: 100,
  } as const;
  const { state } = senderStep(up.state, pulled);
  expect(isStalled(state, SENDER_LIMITS.acknowledgeTimeoutMs + 99)).toBe(false);
  expect(isStalled(state, SENDER_LIMITS.acknowledgeTimeoutMs + 100)).toBe(true);
});

describe('live', () => {
  it('needs a session and a credit, and gets credits back by answers and by time', () => {
    const harness = new SaleHarness(capture('1', 1));
    expect(mayGoLive(harness.state, 0)).toBe(false);
    harness.up(0);
    expect(harness.sent).toEqual([]);
    harness.feed({ kind: 'live-sent', messageId: 'a', atMs: 0 });
    expect(mayGoLive(harness.state, 0)).toBe(true);
    harness.feed({ kind: 'live-sent', messageId: 'b', atMs: 5 });
    expect(mayGoLive(harness.state, 5)).toBe(false);
    expect(mayGoLive(harness.state, SENDER_LIMITS.liveCreditTtlMs)).toBe(true);
    harness.feed({ kind: 'live-answered', messageId: 'b' });
    expect(mayGoLive(harness.state, 5)).toBe(true);
    harness.feed({ kind: 'session-down' });
    expect(mayGoLive(harness.state, 5)).toBe(false);
  });
});
