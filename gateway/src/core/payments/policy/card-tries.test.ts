import { describe, expect, it } from 'vitest';
import type { Use } from '../../../security/use-limits/decide-use.js';
import { type CardTry, DEFAULT_CARD_TRY_LIMITS, decideCardTry } from './card-tries.js';

const NOW_MS = 1_700_000_000_000;
const LIMITS = { pairsAtMerchant: 3, pairsOfCard: 5, pairWindowMs: 1_000 };

/** What becomes of tries `merchant pair`, each a millisecond after the other. */
function tried(tries: readonly string[], from: readonly Use[] = [], startMs = NOW_MS) {
  let uses = from;
  const verdicts = tries.map((text, at) => {
    const [merchant = '', pair = ''] = text.split(' ');
    const one: CardTry = { merchant, pair };
    const verdict = decideCardTry(uses, one, startMs + at, LIMITS);
    uses = verdict.uses ?? uses;
    return verdict.refused ? 'refused' : 'taken';
  });
  return { verdicts, uses };
}

const times = (count: number, text: string) => Array.from({ length: count }, () => text);

describe('pairs of one card', () => {
  it('are as many as the limit at one merchant, and a known one is taken again', () => {
    const { verdicts, uses } = tried(['m 1', 'm 2', 'm 1', 'm 3', 'm 4', 'm 2', 'n 4']);
    expect(verdicts).toEqual(['taken', 'taken', 'taken', 'taken', 'refused', 'taken', 'taken']);
    expect(uses).toHaveLength(5);
  });

  it('are as many as the limit at all merchants, each counted once', () => {
    const at = ['a 1', 'b 2', 'c 3', 'd 4', 'e 5', 'f 5', 'f 1'];
    expect(new Set(tried(at).verdicts)).toEqual(new Set(['taken']));
    expect(tried([...at, 'f 6', 'f 4']).verdicts.slice(-2)).toEqual(['refused', 'taken']);
  });

  it('are all refused at a merchant once as many were refused there, and nothing more is written', () => {
    const { verdicts, uses } = tried(['m 1', 'm 2', 'm 3', 'm 4', 'm 5', 'm 1', 'm 6', 'm 1', 'n 1']);
    expect(verdicts.slice(3)).toEqual(['refused', 'refused', 'taken', 'refused', 'refused', 'taken']);
    expect(decideCardTry(uses, { merchant: 'm', pair: '1' }, NOW_MS + 20, LIMITS)).toEqual({ refused: true });
  });

  it('are all refused everywhere once as many were refused at all merchants', () => {
    const full = ['a 1', 'b 2', 'c 3', 'd 4', 'e 5'];
    const beyond = ['a 6', 'b 7', 'c 8', 'd 9', 'e 10'];
    expect(tried([...full, ...beyond, 'f 1']).verdicts.at(-1)).toBe('refused');
    expect(tried([...full, ...beyond.slice(1), 'f 1']).verdicts.at(-1)).toBe('taken');
  });

  it('count no more when their time is over, also by a clock that was set back', () => {
    const { uses } = tried(['m 1', 'm 2', 'm 3', 'm 4']);
    expect(tried(['m 5'], uses, NOW_MS + 999).verdicts).toEqual(['refused']);
    expect(tried(['m 5'], uses, NOW_MS + 1_000).verdicts).toEqual(['taken']);
    expect(tried(['m 5'], uses, NOW_MS - 1_000).verdicts).toEqual(['taken']);
  });

  it('that stay the same change nothing', () => {
    const { uses } = tried(['m 1']);
    expect(decideCardTry(uses, { merchant: 'm', pair: '1' }, NOW_MS + 1, LIMITS)).toEqual({ refused: false });
  });

  it('of however many merchants stand in a row that does not grow without end', () => {
    const { uses } = tried(Array.from({ length: 990 }, (_, at) => `m${at} 1`));
    expect(uses).toHaveLength(990);
    const more = Array.from({ length: 20 }, (_, at) => `n${at} 1`);
    const kept = tried(more, uses, NOW_MS).uses;
    expect(kept).toHaveLength(1_000);
    expect(kept.at(-1)?.[0]).toBe('n19 1');
  });

  it('are ten at one merchant and twenty in all a day, unless configured', () => {
    expect(DEFAULT_CARD_TRY_LIMITS).toEqual({
      pairsAtMerchant: 10,
      pairsOfCard: 20,
      pairWindowMs: 86_400_000,
    });
    expect(tried(times(50, 'm 1')).verdicts).not.toContain('refused');
  });
});
