import { localTime } from '@tillbridge/wire/text/local-time.js';
import { describe, expect, it } from 'vitest';
import { instantOf } from './store-time.js';

const BERLIN = 'Europe/Berlin';
const NOW = Date.parse('2026-11-23T22:30:00Z');
const at = (text: string, zone = BERLIN) => {
  const atMs = instantOf(text, zone, NOW);
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
};

describe('times of a store', () => {
  it('begin days at local midnight, in winter and in summer', () => {
    expect(at('2026-11-23')).toBe('2026-11-22T23:00:00.000Z');
    expect(at('2026-07-01')).toBe('2026-06-30T22:00:00.000Z');
    expect(at('today')).toBe('2026-11-22T23:00:00.000Z');
    expect(at('today', 'Pacific/Auckland')).toBe('2026-11-23T11:00:00.000Z');
  });

  it('keep a zone that the text names', () => {
    expect(at('2026-11-23T10:00:00Z')).toBe('2026-11-23T10:00:00.000Z');
    expect(at('2026-11-23T10:00+05:30')).toBe('2026-11-23T04:30:00.000Z');
    expect(at('2026-11-23T10:00')).toBe('2026-11-23T09:00:00.000Z');
  });

  it('take the earlier of a doubled hour, and the first instant behind a missing one', () => {
    expect(at('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
    expect(at('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z');
    expect(localTime(Date.parse('2026-03-29T01:30:00Z'), BERLIN)).toMatchObject({ hour: 3, minute: 30 });
  });

  it('know a midnight that is skipped', () => {
    expect(at('2026-09-06', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
  });

  it.each([
    '',
    'yesterday',
    '2026-13-01',
    '0026-11-23',
    '0026-11-23T10:00:00Z',
    '2026-02-30',
    '2026-11-23T25:00',
    '2026-11-23 10:00',
    '1',
    '2026-11-23T10:00:00+5',
  ])('refuse %j', (text) => expect(at(text)).toBeUndefined());
});
