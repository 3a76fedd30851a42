import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENT_LIMITS, RELEASE_TYPE, ROOT_TYPE } from './documents.js';
import { judgeRelease, readFirstRoot, type Trust, type Verdict } from './judge-release.js';
import {
  INSTALLED,
  NOW_MS,
  RELEASE,
  releaseFile,
  rootOf,
  sealed,
  sealedRoot,
  TRUST,
} from './release.test.support.js';

const judge = (bytes: Uint8Array, trust: Trust = TRUST, installed = INSTALLED, nowMs = NOW_MS): Verdict =>
  judgeRelease(bytes, trust, installed, nowMs);
const refusalOf = (verdict: Verdict) => (verdict.accepted ? 'accepted' : verdict.refusal);

describe('a release', () => {
  it('is accepted that a release key has signed, with the archive of the machine', () => {
    const verdict = judge(releaseFile());
    expect(verdict).toMatchObject({
      accepted: true,
      release: { release: 7, version: '0.7.0' },
      file: { name: 'tillbridge-agent-0.7.0-linux-x64.tar.gz' },
      trust: { root: { version: 1 }, newest: { release: 7 } },
    });
  });

  it.each([
    ['without a signature', releaseFile({}, { signers: [] }), 'not-signed'],
    ['by an unknown key', releaseFile({}, { signers: [11] }), 'not-signed'],
    ['by a root key', releaseFile({}, { signers: [1, 2, 3] }), 'not-signed'],
    ['that has expired', releaseFile({ expires: '2026-11-29T00:00:00Z' }), 'expired'],
    ['for later stores', releaseFile({ comesFrom: 6 }), 'from-too-old'],
    ['that runs', releaseFile({ release: 5 }), 'same-release'],
    ['that is older than the one that runs', releaseFile({ release: 4 }), 'rolled-back'],
    [
      'whose journal the program that runs could not read',
      releaseFile({ schemas: { journal: { number: 3, readableFrom: 2 } } }),
      'no-way-back',
    ],
    ['without the schema of its journal', releaseFile({ schemas: {} }), 'no-way-back'],
    [
      'without an archive for the machine',
      releaseFile({ files: [{ ...file(), target: 'linux-arm64' }] }),
      'no-file',
    ],
    [
      'with a file outside of its folder',
      releaseFile({ files: [{ ...file(), name: '../x' }] }),
      'unreadable',
    ],
    ['that is no JSON', Buffer.from('{'), 'unreadable'],
    ['that is too long', Buffer.alloc(DOCUMENT_LIMITS.maxBytes + 1, 0x20), 'unreadable'],
  ] as const)('is refused %s', (_, bytes, refusal) => expect(refusalOf(judge(bytes))).toBe(refusal));

  it('is refused under the mark of another document', () => {
    const roots = { roots: [], release: sealed(ROOT_TYPE, RELEASE, [10]) };
    expect(refusalOf(judge(Buffer.from(JSON.stringify(roots))))).toBe('unreadable');
    const moved = { ...sealed(ROOT_TYPE, RELEASE, [10]), payloadType: RELEASE_TYPE };
    expect(refusalOf(judge(Buffer.from(JSON.stringify({ roots: [], release: moved }))))).toBe('not-signed');
  });

  it('is refused by its number and by another document of the same number, and taken again as it was', () => {
    const first = judge(releaseFile());
    if (!first.accepted) throw new Error(first.reason);
    const { trust } = first;
    expect(refusalOf(judge(releaseFile(), trust))).toBe('accepted');
    expect(refusalOf(judge(releaseFile({ release: 6 }), trust))).toBe('rolled-back');
    expect(refusalOf(judge(releaseFile({ version: '0.7.1' }), trust))).toBe('two-releases');
    expect(refusalOf(judge(releaseFile({ release: 8 }), trust))).toBe('accepted');
  });

  it('states the reason in words', () => {
    const verdict = judge(releaseFile({ release: 4 }));
    expect(verdict).toMatchObject({ reason: expect.stringContaining('update rollback') });
  });
});

const file = () => RELEASE.files[0] as (typeof RELEASE.files)[number];

describe('root documents', () => {
  const next = rootOf({ version: 2, root: [4, 5], release: [12] });
  const rotated = (signers: readonly number[], version = 2) => [sealedRoot({ ...next, version }, signers)];

  it('change the keys where enough of the keys before and of the new ones have signed', () => {
    const verdict = judge(releaseFile({}, { signers: [12], roots: rotated([1, 3, 4, 5]) }));
    expect(verdict).toMatchObject({ accepted: true, trust: { root: { version: 2 } } });
    expect(refusalOf(judge(releaseFile({}, { signers: [10], roots: rotated([1, 3, 4, 5]) })))).toBe(
      'not-signed',
    );
  });

  it.each([
    ['the new keys alone', [4, 5], 2, 'root-not-signed'],
    ['too few of the keys before', [1, 4, 5], 2, 'root-not-signed'],
    ['the keys before alone', [1, 2, 3], 2, 'root-not-signed'],
    ['the release key', [10, 4, 5], 2, 'root-not-signed'],
    ['all, but with a number that leaves one out', [1, 2, 4, 5], 3, 'root-out-of-order'],
  ] as const)('are refused that %s signed', (_, signers, version, refusal) =>
    expect(refusalOf(judge(releaseFile({}, { signers: [12], roots: rotated(signers, version) })))).toBe(
      refusal,
    ),
  );

  it('of before are passed over, signed or not', () => {
    const roots = [sealedRoot(rootOf({ root: [9], rootThreshold: 1, release: [9] }), [9])];
    expect(refusalOf(judge(releaseFile({}, { roots })))).toBe('accepted');
    expect(refusalOf(judge(releaseFile({}, { signers: [9], roots })))).toBe('not-signed');
  });

  it('may have expired on the way, and not at its end', () => {
    const old = { root: rootOf({ expires: '2026-01-01T00:00:00Z' }) };
    expect(refusalOf(judge(releaseFile(), old))).toBe('root-expired');
    const roots = rotated([1, 2, 4, 5]);
    expect(refusalOf(judge(releaseFile({}, { signers: [12], roots }), old))).toBe('accepted');
  });

  it('that come first have to be signed by their own keys', () => {
    const bytes = (signers: readonly number[]) => Buffer.from(JSON.stringify(sealedRoot(rootOf(), signers)));
    expect(readFirstRoot(bytes([1, 2]))).toEqual(rootOf());
    expect(() => readFirstRoot(bytes([1]))).toThrow('have to');
    expect(() => readFirstRoot(Buffer.from('{}'))).toThrow();
    const more = { ...rootOf({ rootThreshold: 4 }) };
    expect(() => readFirstRoot(Buffer.from(JSON.stringify(sealedRoot(more, [1, 2, 3]))))).toThrow(
      'more signatures',
    );
  });
});

describe('whatever is signed', () => {
  const someKeys = fc.uniqueArray(fc.integer({ min: 20, max: 25 }), { maxLength: 6 });

  it('counts when as many different keys of the role have signed as its threshold says', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 20, max: 25 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        someKeys,
        (keys, most, signers) => {
          const threshold = Math.min(most, keys.length);
          const root = rootOf({ release: keys, releaseThreshold: threshold });
          // Each signs twice: that is one signature.
          const verdict = judge(releaseFile({}, { signers: [...signers, ...signers] }), { root });
          const count = keys.filter((key) => signers.includes(key)).length;
          expect(refusalOf(verdict)).toBe(count >= threshold ? 'accepted' : 'not-signed');
        },
      ),
      { numRuns: 25 },
    );
  });

  it('changes the root when both thresholds are met', () => {
    fc.assert(
      fc.property(
        someKeys,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (signers, before, after) => {
          const root = rootOf({ root: [20, 21, 22], rootThreshold: before });
          const next = rootOf({ version: 2, root: [22, 23, 24], rootThreshold: after });
          const verdict = judge(releaseFile({}, { roots: [sealedRoot(next, signers)] }), { root });
          const count = (keys: readonly number[]) => keys.filter((key) => signers.includes(key)).length;
          const isSigned = count([20, 21, 22]) >= before && count([22, 23, 24]) >= after;
          expect(refusalOf(verdict)).toBe(isSigned ? 'accepted' : 'root-not-signed');
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is valid until it expires, by the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 10 }), fc.integer({ min: -10, max: 10 }), (root, release) => {
        const at = (seconds: number) => `${new Date(NOW_MS + seconds * 1_000).toISOString().slice(0, 19)}Z`;
        const verdict = judge(releaseFile({ expires: at(release) }), { root: rootOf({ expires: at(root) }) });
        expect(refusalOf(verdict)).toBe(root <= 0 ? 'root-expired' : release <= 0 ? 'expired' : 'accepted');
      }),
    );
  });

  it('never leads to an older release, in whatever order releases come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }), (numbers) => {
        let trust = TRUST;
        let highest = 0;
        for (const release of numbers) {
          const verdict = judge(releaseFile({ release, comesFrom: 0 }), trust, { ...INSTALLED, release: 0 });
          expect(verdict.accepted).toBe(release >= highest);
          if (verdict.accepted) trust = verdict.trust;
          highest = Math.max(highest, release);
          expect(trust.newest?.release).toBe(highest);
        }
      }),
      { numRuns: 20 },
    );
  });
});
