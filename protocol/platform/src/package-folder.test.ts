import { expect, it } from 'vitest';
import { packageFolder } from './package-folder.js';

it('finds the package of a module at any depth', () => {
  const { href } = packageFolder(import.meta.url);
  expect(href).toMatch(/\/protocol\/platform\/$/);
  expect(packageFolder(`${href}dist/bundle/main.js`).href).toBe(href);
  expect(packageFolder(`${href}index.js`).href).toBe(href);
});

it('names the folder where nothing was found', () => {
  expect(() => packageFolder('file:///nowhere/at/all.js')).toThrow('no package.json above file:///nowhere');
});
