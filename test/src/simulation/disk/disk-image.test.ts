import { expect, test } from 'vitest';
import { DiskImage } from './disk-image.js';

function written(diskImage: DiskImage<string[]>, ...words: readonly string[]): void {
  for (const word of words) {
    const entry = (state: string[]) => void state.push(word);
    entry(diskImage.state);
    diskImage.written(entry);
  }
}

test('a power cut takes what was not synced, and leaves what was', () => {
  const diskImage = new DiskImage<string[]>(() => []);
  written(diskImage, 'a', 'b');
  diskImage.sync();
  written(diskImage, 'c', 'd');
  expect(diskImage.state).toEqual(['a', 'b', 'c', 'd']);
  expect(diskImage.powerCut()).toBe(2);
  expect(diskImage.state).toEqual(['a', 'b']);
  written(diskImage, 'e');
  diskImage.sync();
  expect(diskImage.powerCut()).toBe(0);
  expect(diskImage.state).toEqual(['a', 'b', 'e']);
});

test('a tear leaves a prefix, which a later cut cannot take any more', () => {
  const diskImage = new DiskImage<string[]>(() => []);
  written(diskImage, 'a', 'b', 'c');
  expect(diskImage.powerCut(1)).toBe(2);
  expect(diskImage.powerCut()).toBe(0);
  expect(diskImage.state).toEqual(['a']);
});
