import { expect, it } from 'vitest';
import { NO_PLACE, type Place, placeHash, readPlace } from './place.js';

const PLACES: readonly Place[] = [
  { terminal: '1003', view: 'wire' },
  { terminal: 'a/b #', view: 'faults' },
  { terminal: '1003', view: 'wire', sale: '261122-152828-3' },
  { terminal: '1003', view: 'kernel', sale: '261122-152828-3', entry: { kind: 'step', number: '4.12' } },
  { terminal: '1003', view: 'wire', entry: { kind: 'frame', number: '12' } },
];

it('reads the address that it writes', () => {
  for (const place of PLACES) expect(readPlace(placeHash(place))).toEqual(place);
  expect(placeHash(PLACES[2] as Place)).toBe('#terminal/1003/sale/261122-152828-3');
});

it('reads nothing from an address of something else', () => {
  for (const hash of ['', '#', '#terminal', '#terminal/', '#sale/1', '#terminal/%E0%A4%A'])
    expect(readPlace(hash), hash).toEqual(NO_PLACE);
});
