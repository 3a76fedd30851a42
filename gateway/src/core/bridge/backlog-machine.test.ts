import { describe, expect, test } from 'vitest';
import {
  type BacklogEffect,
  type BacklogEvent,
  type BacklogState,
  backlogStep,
  initialBacklog,
  type StreamEnvelope,
} from './backlog-machine.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';

const LIMITS = { ...DEFAULT_BRIDGE_LIMITS, parallelStreams: 2, backlogCredits: 4 };

function reversal(terminalId: string, sequence: number, id = `${terminalId}-${sequence}`): StreamEnvelope {
  const body = { originalMessageId: 'o', reference: 'r', reason: '', iccData: new Uint8Array() };
  return { id, terminalId, sequence, kind: 'reversal', body };
}

const arrived = (terminalId: string, sequence: number, id?: string): BacklogEvent => ({
  kind: 'arrived',
  envelope: reversal(terminalId, sequence, id),
});
const finished = (terminalId: string): BacklogEvent => ({ kind: 'finished', terminalId });

function text(effect: BacklogEffect): string {
  if (effect.kind === 'handle') return effect.envelope.id;
  if (effect.kind === 'gap') return `gap ${effect.terminalId} ${effect.expected}<${effect.got}`;
  return effect.kind === 'violation' ? `violation: ${effect.reason}` : '';
}

/** Runs events one after the other. @returns what each led to */
function run(positions: Parameters<typeof initialBacklog>[0], ...events: BacklogEvent[]): string[][] {
  let state: BacklogState = initialBacklog(positions);
  return events.map((event) => {
    const step = backlogStep(state, event, LIMITS);
    state = step.state;
    return step.effects.map(text).filter((line) => line !== '');
  });
}

describe('within a stream', () => {
  test('one message at a time, in order', () => {
    expect(run([], arrived('a', 1), arrived('a', 2), arrived('a', 3), finished('a'), finished('a'))).toEqual([
      ['a-1'],
      [],
      [],
      ['a-2'],
      ['a-3'],
    ]);
  });

  test('a message that overtook another waits for it', () => {
    const at4 = [{ terminalId: 'a', nextSequence: 4 }];
    expect(run(at4, arrived('a', 5), arrived('a', 4), finished('a'))).toEqual([
      ['gap a 4<5'],
      ['a-4'],
      ['a-5'],
    ]);
  });

  test('a hole behind handled messages is a gap too', () => {
    expect(run([], arrived('a', 1), arrived('a', 3), finished('a'))).toEqual([['a-1'], [], ['gap a 2<3']]);
  });

  test('a lower number is handled at once and does not move the position back', () => {
    const at9 = [{ terminalId: 'a', nextSequence: 9 }];
    expect(
      run(at9, arrived('a', 2), finished('a'), arrived('a', 9), finished('a'), arrived('a', 11)),
    ).toEqual([['a-2'], [], ['a-9'], [], ['gap a 10<11']]);
  });

  test('a repeat of what is in work or waits changes nothing', () => {
    expect(
      run([], arrived('a', 1), arrived('a', 2), arrived('a', 1), arrived('a', 2), finished('a')),
    ).toEqual([['a-1'], [], [], [], ['a-2']]);
  });

  test('two messages at one place, no place, or more than the credits are violations', () => {
    expect(run([], arrived('a', 1), arrived('a', 1, 'other'))[1]).toEqual([
      'violation: two messages at 1 of stream a',
    ]);
    expect(run([], arrived('a', 0))[0]?.[0]).toMatch(/without a terminal or sequence/);
    expect(run([], arrived('', 1))[0]?.[0]).toMatch(/without a terminal or sequence/);
    const five = [1, 2, 3, 4, 5].map((sequence) => arrived('a', sequence));
    expect(run([], ...five)[4]).toEqual(['violation: more than 4 stream messages unacknowledged']);
  });
});

describe('between streams', () => {
  test('they run in parallel up to the limit, in turn', () => {
    expect(run([], arrived('a', 1), arrived('b', 1), arrived('c', 1), finished('b'), finished('a'))).toEqual([
      ['a-1'],
      ['b-1'],
      [],
      ['c-1'],
      [],
    ]);
  });

  test('a postponed message holds up its own stream alone, and comes again', () => {
    const events = [
      arrived('a', 1),
      arrived('a', 2),
      arrived('b', 1),
      arrived('c', 1),
      { kind: 'postponed', terminalId: 'a' } as const,
      finished('b'),
      { kind: 'resumed', terminalId: 'a' } as const,
      finished('a'),
    ];
    expect(run([], ...events)).toEqual([['a-1'], [], ['b-1'], [], ['c-1'], [], ['a-1'], ['a-2']]);
  });

  test('live messages leave one stream at a time, and never none', () => {
    const events = [
      { kind: 'live-began' } as const,
      arrived('a', 1),
      arrived('b', 1),
      finished('a'),
      arrived('c', 1),
      { kind: 'live-ended' } as const,
    ];
    expect(run([], ...events)).toEqual([[], ['a-1'], [], ['b-1'], [], ['c-1']]);
  });
});
