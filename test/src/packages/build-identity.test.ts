import { expect, it } from 'vitest';
import { identityOf } from './build-identity.js';

const KNOWN = {
  release: '0.1.0',
  commit: '1b53bd7312345678901234567890123456789012',
  committedSeconds: Date.parse('2026-11-29T07:02:10Z') / 1_000,
  tags: [''],
  isChanged: false,
};

it('names a commit without a tag by its time, before the release', () => {
  expect(identityOf(KNOWN)).toMatchObject({
    version: '0.1.0-dev.20261129070210.1b53bd731234',
    debianVersion: '0.1.0~dev.20261129070210.1b53bd731234',
  });
});

it('names a commit with the tag of its version by it, unless files were changed', () => {
  const tagged = { ...KNOWN, tags: ['v0.1.0'] };
  expect(identityOf(tagged)).toMatchObject({ version: '0.1.0', debianVersion: '0.1.0' });
  expect(identityOf({ ...tagged, isChanged: true }).version).toMatch(/^0\.1\.0-dev\..*\.changed$/);
});
