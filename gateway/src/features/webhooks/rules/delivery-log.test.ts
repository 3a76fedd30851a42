import { describe, expect, it } from 'vitest';
import { isTaken, triesOf, withTry } from './delivery-log.js';

describe('a delivery', () => {
  it('is taken with any 2xx, and with nothing else', () => {
    for (const status of [200, 201, 204, 299]) expect(isTaken({ status }), String(status)).toBe(true);
    for (const status of [100, 199, 300, 304, 404, 500])
      expect(isTaken({ status }), String(status)).toBe(false);
    expect(isTaken({})).toBe(false);
  });

  it('remembers its latest fifty tries, and never the reason of a fault', () => {
    let attempts = '[]';
    for (let atMs = 1; atMs <= 53; atMs += 1)
      attempts = withTry({ attempts }, { atMs, fault: 'refused', reason: '10.0.0.7:443', durationMs: 2 });
    const tries = triesOf({ attempts });
    expect(tries.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 50 }, (_none, at) => at + 4));
    expect(tries[0]).toEqual({ atMs: 4, fault: 'refused', durationMs: 2 });
  });
});
