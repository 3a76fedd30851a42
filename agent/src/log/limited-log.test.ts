import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { LIMITED_LOG, LimitedLog } from './limited-log.js';

const { linesPerWindow, windowMs } = LIMITED_LOG;

describe('a limited log', () => {
  it('counts lines of one text beyond its limit, and logs the count once a window', async () => {
    const lines: [object, string][] = [];
    const clock = new VirtualClock();
    const take = (about: object, text: string) => lines.push([about, text]);
    const log = new LimitedLog({ warn: take, error: take } as never, clock);
    for (let at = 0; at < linesPerWindow + 5; at += 1) log.warn({ at, code: 'bad' }, 'refused');
    log.warn({ code: 'other' }, 'refused');
    log.error({}, 'failed');
    expect(lines).toHaveLength(linesPerWindow + 2);
    await clock.advance(windowMs);
    expect(lines.slice(linesPerWindow + 2)).toEqual([[{ code: 'bad', unlogged: 5 }, 'refused']]);
    log.warn({ at: 'later', code: 'bad' }, 'refused');
    expect(lines.at(-1)).toEqual([{ at: 'later', code: 'bad' }, 'refused']);
    log.close();
    expect(lines).toHaveLength(linesPerWindow + 4);
  });
});
