import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readDevices } from './commands.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-devices-'));
  file = join(folder, 'devices.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('reads a file of devices', () => {
  writeFileSync(file, '- {serial: S1, deviceType: default, accountKsn: FFFF9877A1B2C3000000}\n');
  const accountKsn = 'FFFF9877A1B2C3000000';
  expect(readDevices(file)).toEqual([{ serial: 'S1', deviceType: 'default', accountKsn }]);
});

it('names every bad row by its line and field', () => {
  const good = '- serial: S1\n  deviceType: default\n  accountKsn: FFFF9877A1B2C3000000\n';
  writeFileSync(file, `${good}- serial: S2\n  deviceType: none\n  colour: red\n- 7\n`);
  const problems = [
    `${file}:4: colour: is no known field`,
    `${file}:4: deviceType: must be one of GERTEC_PPC930`,
    `${file}:4: accountKsn: is missing`,
    `${file}:7: the device: must be a mapping with serial`,
  ];
  for (const problem of problems) expect(() => readDevices(file)).toThrow(problem);
});

it.each([
  ['serial: S1', 'is no list'],
  ['- [', 'is no valid YAML'],
  [undefined, 'cannot be read (ENOENT)'],
])('refuses %j', (content, problem) => {
  if (content !== undefined) writeFileSync(file, content);
  expect(() => readDevices(file)).toThrow(problem);
});
