import { expect, it } from 'vitest';
import { readLockFile } from './lock-file.js';
import { isProductionFile, productionModules } from './production-modules.js';
import { TARGETS } from './targets.js';
import { isPermitted } from './third-party.js';

const [x64, arm64] = TARGETS;
if (x64 === undefined || arm64 === undefined) throw new Error('both targets are needed');

it('takes of packages with native code what runs, and not what builds them', () => {
  const places = productionModules(readLockFile(), ['sqlite3', 'node-hid'], x64);
  expect(places).toEqual([
    'node_modules/bindings',
    'node_modules/file-uri-to-path',
    'node_modules/node-hid',
    'node_modules/pkg-prebuilds',
    'node_modules/sqlite3',
  ]);
});

it('takes the binary of each kind of machine', () => {
  const lock = readLockFile();
  expect(productionModules(lock, ['koffi'], arm64)).toContain('node_modules/@koromix/koffi-linux-arm64');
  const place = 'node_modules/@serialport/bindings-cpp';
  const file = 'prebuilds/linux-arm64/@serialport+bindings-cpp.armv8.glibc.node';
  expect(isProductionFile(place, file, arm64)).toBe(true);
  expect(isProductionFile(place, file, x64)).toBe(false);
});

it('refuses a package with an install script of which it is not known what runs', () => {
  const lock = { 'node_modules/new-native': { version: '1.0.0', hasInstallScript: true } };
  expect(() => productionModules(lock, ['new-native'], x64)).toThrow('NATIVES');
});

it('leaves out declarations, maps and tests, and keeps the licence', () => {
  const place = 'node_modules/fastq';
  const wanted = ['package.json', 'LICENSE', 'LICENSE.md', 'queue.js', 'lib/latest.js'];
  const others = ['index.d.ts', 'queue.js.map', 'test/test.js', 'README.md', 'node_modules/x/index.js'];
  const taken = [...wanted, ...others].filter((file) => isProductionFile(place, file, x64));
  expect(taken).toEqual(wanted);
});

it('permits licences under which a work may be handed on, and one of a choice', () => {
  expect(
    ['MIT', '(MIT OR GPL-3.0-only)', 'MIT or MPL-2.0', 'BSD-3-Clause AND MIT'].filter(isPermitted),
  ).toHaveLength(4);
  expect(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'UNLICENSED', ''].filter(isPermitted)).toEqual([]);
});
