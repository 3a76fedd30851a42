import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { FairShare, OverloadedError, type Place, SHARE_LIMITS } from './fair-share.js';

const PLACES = 32;

let clock: VirtualClock;
let share: FairShare;
/** Merchants in the order in which their requests were let in. */
let letIn: string[];
let refused: number;
/** Of them those whose own merchant had all places of its share. */
let tooMany: number;
beforeEach(() => {
  clock = new VirtualClock();
  share = new FairShare(PLACES, clock);
  letIn = [];
  refused = 0;
  tooMany = 0;
});

/** Requests places; resolves once those that wait are noted. */
function enter(merchant: string, count = 1): (Place | Promise<Place>)[] {
  return Array.from({ length: count }, () => {
    const place = share.enter(merchant);
    if (!(place instanceof Promise)) letIn.push(merchant);
    else
      place.then(
        () => letIn.push(merchant),
        (error: unknown) => {
          expect(error).toBeInstanceOf(OverloadedError);
          if (error instanceof OverloadedError && error.isOwnDoing) tooMany += 1;
          refused += 1;
        },
      );
    return place;
  });
}
const held = (places: readonly (Place | Promise<Place>)[]): Place[] =>
  places.filter((place): place is Place => !(place instanceof Promise));
const settled = () => new Promise(setImmediate);

describe('places for requests at work', () => {
  it('all go to a merchant when no other sends requests', () => {
    expect(held(enter('a', PLACES + 5))).toHaveLength(PLACES);
    expect(share.atWork).toBe(PLACES);
  });

  it('are shared with all merchants that were active within the last second, and never less than a few', async () => {
    enter('b').map((place) => share.leave(place as Place));
    expect(held(enter('a', PLACES))).toHaveLength(PLACES / 2);
    const many = new FairShare(PLACES, clock);
    for (let at = 0; at < 100; at += 1) many.leave(many.enter(`m${at}`) as Place);
    const given = Array.from({ length: PLACES }, () => many.enter('a'));
    expect(held(given)).toHaveLength(SHARE_LIMITS.least);
  });

  it('fall to a merchant that stays when the others have gone', async () => {
    enter('b').map((place) => share.leave(place as Place));
    await clock.advance(SHARE_LIMITS.activeMs);
    expect(held(enter('a', PLACES))).toHaveLength(PLACES);
  });

  it('are given by turns to those that wait', async () => {
    const [first, ...others] = held(enter('a', PLACES + 40));
    enter('b', 3);
    enter('c', 3);
    letIn = [];
    share.leave(first as Place);
    for (const place of others) share.leave(place);
    await settled();
    // Before a gets another one it has no more than its share.
    expect(letIn.slice(0, 6)).toEqual(['b', 'c', 'b', 'c', 'b', 'c']);
    expect(letIn.filter((merchant) => merchant === 'a')).toHaveLength(Math.floor(PLACES / 3));
  });

  it('are not kept from a merchant by the requests of another that wait', () => {
    enter('b').map((place) => share.leave(place as Place));
    enter('a', 300);
    expect(held(enter('b', 4))).toHaveLength(4);
  });

  it('are taken back from requests that wait for another service', async () => {
    const stuck = held(enter('a', PLACES));
    enter('a');
    letIn = [];
    await clock.advance(SHARE_LIMITS.placeMs + SHARE_LIMITS.checkMs);
    await settled();
    expect(letIn).toEqual(['a']);
    expect(share.atWork).toBe(1);
    for (const place of stuck) share.leave(place);
    expect(share.atWork).toBe(1);
  });

  it('are refused at once where too many of a merchant wait, which keeps no other merchant from waiting', () => {
    enter('a', PLACES + SHARE_LIMITS.waiting);
    expect(() => share.enter('a')).toThrow(OverloadedError);
    expect(share.enter('b')).toBeInstanceOf(Promise);
  });

  it('are refused to a request that has waited too long', async () => {
    enter('a', PLACES * 4);
    expect(refused).toBe(0);
    // Two rounds of places are taken back meanwhile; the rest has waited in vain.
    await clock.advance(SHARE_LIMITS.waitMs + SHARE_LIMITS.checkMs);
    await settled();
    expect(letIn.length + refused).toBe(PLACES * 4);
    expect(refused).toBeGreaterThan(0);
    expect(tooMany).toBe(refused);
  });

  it('answers a merchant whose own requests have its places otherwise than one that waits for others', async () => {
    // So many merchants that the least of each is more than all places together.
    const merchants = Array.from({ length: PLACES }, (_, at) => `m${at}`);
    const places = merchants.flatMap((merchant) => enter(merchant));
    expect(held(places)).toHaveLength(PLACES);
    enter('late', SHARE_LIMITS.least + 1);
    // No place comes free within the time: each is taken again as soon as it is taken back.
    for (let waitedMs = 0; waitedMs <= SHARE_LIMITS.waitMs; waitedMs += SHARE_LIMITS.checkMs) {
      for (const merchant of merchants) enter(merchant, 4);
      await clock.advance(SHARE_LIMITS.checkMs);
    }
    await settled();
    expect(tooMany).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(tooMany);
  });
});
