import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeRelease } from '@tillbridge/agent/update/trust/judge-release.js';
import { keyOf, rootOf } from '@tillbridge/agent/update/trust/release.test.support.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releaseOf, signedRelease } from './make-release.js';
import { readRoots, rootName, trustedRootOf, unsignedRoot, withSignature, writeEnvelope } from './roots.js';

const TIME = new Date(Date.UTC(2026, 10, 29));
const FILES = [
  ['tillbridge-agent-0.2.0-linux-x64.tar.gz', Buffer.from('archive')],
  ['tillbridge-agent_0.2.0_arm64.deb', Buffer.from('package')],
  ['tillbridge-hardware-sim-0.2.0.tgz', Buffer.from('tarball')],
  ['README', Buffer.from('no file of a release')],
] as const;
const TERMS = { release: 4, comesFrom: 2, days: 30 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-roots-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a release that is made', () => {
  const release = releaseOf(FILES, { version: '0.2.0', time: TIME }, TERMS);

  it('names program, kind and target of each package, and what builds read its databases', () => {
    expect(release.files.map(({ program, kind, target }) => `${program} ${kind} ${target}`)).toEqual([
      'agent archive linux-x64',
      'agent debian linux-arm64',
      'simulator npm any',
    ]);
    expect(release).toMatchObject({ release: 4, comesFrom: 2, expires: '2026-12-29T00:00:00Z' });
    expect(release.schemas.journal).toEqual({ number: 1, readableFrom: 1 });
  });

  it('is accepted by an agent that knows an older root document', () => {
    const next = rootOf({ version: 2, root: [4, 5], release: [6] });
    const roots = [1, 2, 4, 5].map(keyOf).reduce(withSignature, unsignedRoot(next));
    const bytes = signedRelease(release, [roots], [keyOf(6)]);
    const installed = { program: 'agent', target: 'linux-x64', release: 3, journal: 1 } as const;
    expect(judgeRelease(bytes, { root: rootOf() }, installed, TIME.getTime())).toMatchObject({
      accepted: true,
      file: { name: FILES[0][0], bytes: 7 },
    });
  });
});

describe('a folder of root documents', () => {
  const put = (version: number, signers: readonly number[]) => {
    const document = unsignedRoot(rootOf({ version, root: version === 1 ? [1, 2] : [3, 4] }));
    writeEnvelope(join(folder, rootName(version)), signers.map(keyOf).reduce(withSignature, document));
  };

  it('leads to its newest document', () => {
    put(1, [1, 2]);
    expect(trustedRootOf(folder)).toMatchObject({ version: 1 });
    put(2, [1, 2, 3, 4]);
    expect(trustedRootOf(folder)).toMatchObject({ version: 2 });
    expect(readRoots(folder)).toHaveLength(2);
  });

  it('is refused without a document, with a gap, and with one that too few have signed', () => {
    expect(() => trustedRootOf(folder)).toThrow('has no 1.root.json');
    put(2, [1, 2, 3, 4]);
    expect(() => trustedRootOf(folder)).toThrow('lacks 1.root.json');
    put(1, [1]);
    expect(() => trustedRootOf(folder)).toThrow('1 have signed document 1, and 2 have to');
    put(1, [1, 2]);
    put(2, [3, 4]);
    expect(() => trustedRootOf(folder)).toThrow('0 have signed document 2, and 2 have to');
  });

  it('counts a key once that has signed twice', () => {
    put(1, [1, 1]);
    expect(() => trustedRootOf(folder)).toThrow('1 have signed');
  });
});
