import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Places as Slots } from '../update/slots/places.js';
import { onDisk, placesOf } from './places.js';
import { putIntoSlot, removeProgram } from './program-place.js';

const PLACES = placesOf('system', {});

let root: string;
let program: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tillbridge-program-'));
  program = join(root, 'unpacked');
  mkdirSync(join(program, 'bin'), { recursive: true });
  writeFileSync(join(program, 'BUILD.json'), '{"version":"0.1.0"}');
});
afterEach(() => rmSync(root, { recursive: true }));

it('the program that is removed leaves what a person has put next to its slots', async () => {
  const places = { ...PLACES, root };
  const folder = onDisk(places, places.programFolder);
  const slots = new Slots(folder);
  await putIntoSlot({ kind: 'archive', folder: program, slots, words: [] }, places);
  for (const name of ['update.json', 'lock', 'lock-journal', '.update.json.7.new', '.current.new', 'notes'])
    writeFileSync(join(folder, name), '');
  removeProgram(places);
  expect(readdirSync(folder)).toEqual(['notes']);
  expect(existsSync(onDisk(places, places.commandLink))).toBe(false);

  rmSync(join(folder, 'notes'));
  removeProgram(places);
  expect(existsSync(folder)).toBe(false);
});
