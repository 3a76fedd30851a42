import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/layout.js';

/** From which state of the sources packages are made. */
export interface BuildIdentity {
  /** Its commit, 40 hex digits. */
  readonly commit: string;
  /** When it was committed: the time of all files. */
  readonly time: Date;
  /** Of archives, such as `0.1.0` of a commit with the tag `v0.1.0`, and `0.1.0-dev.20261129070210.1b53bd731234` of others. */
  readonly version: string;
  /** The same in the order of Debian, where a `~` sorts before the end. */
  readonly debianVersion: string;
  /** True: files differ from the commit. */
  readonly isChanged: boolean;
}

/** How many digits of a commit stand in a version. */
const SHORT_COMMIT = 12;

/** The state of this checkout. @throws Error without git */
export function buildIdentity(): BuildIdentity {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return identityOf({
    release: version,
    commit: git('rev-parse', 'HEAD'),
    committedSeconds: Number(git('log', '-1', '--format=%ct')),
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    isChanged: git('status', '--porcelain') !== '',
  });
}

/** Pure. */
export function identityOf(known: {
  readonly release: string;
  readonly commit: string;
  readonly committedSeconds: number;
  readonly tags: readonly string[];
  readonly isChanged: boolean;
}): BuildIdentity {
  const { release, commit, committedSeconds, tags, isChanged } = known;
  const time = new Date(committedSeconds * 1_000);
  const isReleased = tags.includes(`v${release}`) && !isChanged;
  const stamp = time.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const suffix = `${stamp}.${commit.slice(0, SHORT_COMMIT)}${isChanged ? '.changed' : ''}`;
  return {
    commit,
    time,
    version: isReleased ? release : `${release}-dev.${suffix}`,
    debianVersion: isReleased ? release : `${release}~dev.${suffix}`,
    isChanged,
  };
}
