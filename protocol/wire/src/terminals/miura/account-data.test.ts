import { expect, test } from 'vitest';
import { TerminalFormatError } from '../format-error.js';
import { decodeTrack2, encodeTrack2 } from './account-data.js';

test('track 2 of a swipe is the text of the card, with its check character', () => {
  // The sample of a device without keys, in the tests of the maker's host code.
  const value = Buffer.from(';4761739001010010=15122011143857589?<');
  expect(encodeTrack2('4761739001010010=15122011143857589')).toEqual(value);
  expect(decodeTrack2(value)).toEqual({
    pan: '4761739001010010',
    track2: '4761739001010010D15122011143857589',
    expiry: '1512',
  });
});

test.each(['', ';4761739001010010=15?', '4761739001010010=1512201?', ';1=1512?'])('%s is none', (text) => {
  expect(() => decodeTrack2(Buffer.from(text))).toThrow(TerminalFormatError);
});
