import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import {
  FIRST_RETRY_MS,
  MAX_RETRY_MS,
  OPEN_TIMEOUT_MS,
  type PortState,
  STABLE_AFTER_MS,
  supervisePort,
} from './port-supervisor.js';

/** A port that can be plugged and unplugged. */
function socket() {
  const state = { plugged: false, opens: 0, device: undefined as BytePipe | undefined };
  const open = async (): Promise<BytePipe> => {
    state.opens += 1;
    if (!state.plugged) throw new Error('port does not exist');
    const [host, device] = memoryPipe();
    state.device = device;
    return host;
  };
  return { state, open };
}

describe('port supervisor', () => {
  it('opens at once, and again after the port was unplugged and came back', async () => {
    const clock = new VirtualClock();
    const port = socket();
    port.state.plugged = true;
    const supervisor = supervisePort({ open: port.open, clock });
    const kinds: PortState['kind'][] = [];
    supervisor.onState((state) => kinds.push(state.kind));
    await settle();
    expect(supervisor.state.kind).toBe('open');

    port.state.plugged = false;
    await port.state.device?.close();
    await settle();
    expect(supervisor.state).toMatchObject({ kind: 'waiting', reason: 'closed by the other side' });
    await clock.advance(60_000);
    expect(supervisor.state).toMatchObject({
      kind: 'waiting',
      reason: 'port does not exist',
      retryMs: MAX_RETRY_MS,
    });

    port.state.plugged = true;
    await clock.advance(MAX_RETRY_MS);
    expect(supervisor.state.kind).toBe('open');
    expect(kinds.slice(0, 2)).toEqual(['open', 'waiting']);
    await supervisor.close();
    expect(supervisor.state.kind).toBe('closed');
  });

  it('doubles the wait up to its limit and starts over once a port was stable', async () => {
    const clock = new VirtualClock();
    const port = socket();
    const supervisor = supervisePort({ open: port.open, clock });
    await clock.advance(5_000);
    port.state.plugged = true;
    await clock.advance(MAX_RETRY_MS);
    await clock.advance(STABLE_AFTER_MS);
    supervisor.reopen('silent');
    expect(supervisor.state).toMatchObject({ kind: 'waiting', reason: 'silent', retryMs: FIRST_RETRY_MS });
    await clock.advance(FIRST_RETRY_MS);
    supervisor.reopen('silent again');
    expect(supervisor.state).toMatchObject({ kind: 'waiting', retryMs: 2 * FIRST_RETRY_MS });
    await supervisor.close();
  });

  it('gives up an open that hangs, and closes its pipe when it comes late', async () => {
    const clock = new VirtualClock();
    const late = memoryPipe();
    let answer: ((pipe: BytePipe) => void) | undefined;
    const supervisor = supervisePort({
      clock,
      open: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const first = answer;
    await clock.advance(OPEN_TIMEOUT_MS);
    expect(supervisor.state.kind).toBe('waiting');
    let closed = false;
    late[0].onClose(() => {
      closed = true;
    });
    first?.(late[0]);
    await settle();
    expect(closed).toBe(true);
    await supervisor.close();
  });

  it('does nothing more once closed', async () => {
    const clock = new VirtualClock();
    const port = socket();
    const supervisor = supervisePort({ open: port.open, clock });
    await settle();
    await supervisor.close();
    const { opens } = port.state;
    await clock.advance(60_000);
    expect(port.state.opens).toBe(opens);
    expect(clock.nextTimerInMs()).toBeUndefined();
  });
});
