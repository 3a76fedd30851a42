import { expect, it } from 'vitest';
import { withInside } from './npm-tarballs.js';

it('names what the packages inside import, and puts these inside', () => {
  const manifest = {
    name: '@tillbridge/agent',
    version: '0.1.0',
    scripts: { generate: 'x' },
    dependencies: { ws: '^8.0.0', '@tillbridge/wire': '0.1.0' },
    devDependencies: { ajv: '^8.0.0' },
  };
  const wire = { name: '@tillbridge/wire', version: '0.1.0', dependencies: { jose: '^6.0.0' } };
  expect(withInside(manifest, [wire])).toEqual({
    name: '@tillbridge/agent',
    version: '0.1.0',
    dependencies: { '@tillbridge/wire': '0.1.0', jose: '^6.0.0', ws: '^8.0.0' },
    bundleDependencies: ['@tillbridge/wire'],
  });
});
