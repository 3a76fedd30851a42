import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockHome } from '@tillbridge/platform/home-lock.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyIntoFirstSlot } from './copy-program.js';
import { Places } from './places.js';

let folder: string;
let program: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-slots-'));
  program = join(folder, 'unpacked');
  mkdirSync(join(program, 'bin'), { recursive: true, mode: 0o700 });
  writeFileSync(join(program, 'bin', 'tillbridge-agent'), '#!/bin/sh\n', { mode: 0o700 });
  writeFileSync(join(program, 'BUILD.json'), '{"version":"0.1.0"}', { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a program of a private folder can be read by the user of a service once it is in its slot', async () => {
  const before = process.umask(0o077);
  const places = new Places(join(folder, 'srv', 'till'));
  await copyIntoFirstSlot(program, places);
  process.umask(before);
  expect(readlinkSync(places.link)).toBe(join('slots', 'a'));
  expect(places.recordOf('a')).toMatchObject({ version: '0.1.0' });
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  for (const path of ['..', '', 'slots', 'slots/a', 'slots/a/bin', 'slots/a/bin/tillbridge-agent'])
    expect(modeOf(join(places.folder, path)), path).toBe(0o755);
  expect(modeOf(join(places.slot('a'), 'BUILD.json'))).toBe(0o644);
});

it('a copy that was not made to its end leaves no slot and no link, and the next one takes its place', async () => {
  const places = new Places(join(folder, 'opt'));
  await expect(copyIntoFirstSlot(join(program, 'missing'), places)).rejects.toThrow('ENOENT');
  expect([places.current(), existsSync(places.slot('a')), existsSync(`${places.slot('a')}.new`)]).toEqual([
    undefined,
    false,
    false,
  ]);
  await copyIntoFirstSlot(program, places);
  expect(places.current()).toBe('a');
});

it('a program that was unpacked where its slots go is refused: a copy of it would hold itself', async () => {
  await expect(copyIntoFirstSlot(program, new Places(program))).rejects.toThrow(
    `${program} is where the slots go: move what was unpacked to another folder`,
  );
  expect(existsSync(join(program, 'slots'))).toBe(false);
});

it('a link in a program is refused: it may lead to what no other user may read', async () => {
  const places = new Places(join(folder, 'opt'));
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'key', { mode: 0o600 });
  symlinkSync(secret, join(program, 'bin', 'more'));
  await expect(copyIntoFirstSlot(program, places)).rejects.toThrow(
    `${join(program, 'bin', 'more')} is no file: unpack the archive again`,
  );
  expect(existsSync(places.slot('a'))).toBe(false);
});

it('while another copy is made, or an update works, none is begun: one would move what the other has half made', async () => {
  const places = new Places(join(folder, 'opt'));
  mkdirSync(places.folder);
  const other = await lockHome({ home: places.folder, program: 'update', variable: 'AGENT_HOME' });
  await expect(copyIntoFirstSlot(program, places)).rejects.toThrow(
    `another update works in ${places.folder}`,
  );
  await other.release();
  expect(places.current()).toBeUndefined();
  await copyIntoFirstSlot(program, places);
  expect(places.current()).toBe('a');
});

it('a slot whose record is damaged has no program, and gets one', async () => {
  const places = new Places(join(folder, 'opt'));
  await copyIntoFirstSlot(program, places);
  for (const content of ['{', 'null', '[]']) {
    writeFileSync(join(places.slot('a'), 'BUILD.json'), content);
    expect(places.recordOf('a'), content).toBeUndefined();
  }
  await copyIntoFirstSlot(program, places);
  expect(places.recordOf('a')).toMatchObject({ version: '0.1.0' });
});

it('a folder that has something else in the place of the link is named', async () => {
  const places = new Places(join(folder, 'opt'));
  mkdirSync(places.link, { recursive: true });
  expect(() => places.current()).toThrow(`${places.link} is no link to a slot: move ${places.folder} away`);
  const file = new Places(join(folder, 'file'));
  writeFileSync(file.folder, '');
  expect(() => file.current()).toThrow(`move ${file.folder} away`);
});
