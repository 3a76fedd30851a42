import {
  mappingOf,
  oneOf,
  ruledText,
  section,
  text,
  wholeNumber,
} from '@tillbridge/platform/schema/fields.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { ENVELOPE, KEY, MAX_SIGNATURES } from './envelope.js';

/** What envelopes of a root document are marked with. */
export const ROOT_TYPE = 'tillbridge/root.v1';
/** What envelopes of a release are marked with. */
export const RELEASE_TYPE = 'tillbridge/release.v1';

/** Limits of what is read before it is trusted. */
export const DOCUMENT_LIMITS = {
  /** A release with all its root documents. */
  maxBytes: 256 * 1_024,
  /** Root documents that a release brings along. */
  maxRoots: 64,
  maxFiles: 64,
  /** One file of a release. */
  maxFileBytes: 1_024 * 1_024 * 1_024,
} as const;

const MAX_NUMBER = 1_000_000_000;
const number = (description: string, minimum = 1) => wholeNumber(minimum, MAX_NUMBER, { description });

const time = ruledText('a time such as 2027-01-31T00:00:00Z', (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? undefined
    : {},
);

const ROLE = section({
  /** How many of the keys have to sign. */
  threshold: wholeNumber(1, MAX_SIGNATURES, { description: 'How many of the keys have to sign.' }),
  keys: Type.Array(KEY, {
    minItems: 1,
    maxItems: MAX_SIGNATURES,
    uniqueItems: true,
    expected: `a list of 1 to ${MAX_SIGNATURES} different keys`,
  }),
});

/** Who may sign: the next root document, and releases. */
export const ROOT = section({
  version: number('One more than that of the root document before.'),
  expires: time,
  root: ROLE,
  release: ROLE,
});

/** See {@link ROOT}. */
export type RootDocument = Static<typeof ROOT>;

const SPAN = section({
  number: number('The schema that it writes.'),
  readableFrom: number('The lowest schema number whose builds read that.'),
});

/** A release: what is in it, and from where a store may come to it. */
export const RELEASE = section({
  /** Only grows. */
  release: number('The number of the release: only grows.'),
  version: text('a version such as 0.2.0', /^[0-9A-Za-z][0-9A-Za-z.+~-]{0,79}$/),
  expires: time,
  /** The lowest release that may be updated to this one; 0: any. */
  comesFrom: number('The lowest release that may be updated to this one.', 0),
  node: text('a version of Node.js', /^\d{1,3}\.\d{1,3}\.\d{1,3}$/),
  schemas: mappingOf('name of a database', ['journal', 'store'], 'one of journal, store', SPAN),
  files: Type.Array(
    section({
      name: text('a file name', /^[0-9A-Za-z][0-9A-Za-z._+~-]{0,199}$/),
      program: oneOf(['agent', 'gateway', 'simulator']),
      kind: oneOf(['archive', 'debian', 'npm']),
      target: oneOf(['linux-x64', 'linux-arm64', 'any']),
      bytes: wholeNumber(1, DOCUMENT_LIMITS.maxFileBytes, { description: 'Its size.' }),
      sha256: text('a SHA-256 in lowercase hex', /^[0-9a-f]{64}$/),
    }),
    {
      minItems: 1,
      maxItems: DOCUMENT_LIMITS.maxFiles,
      expected: `a list of 1 to ${DOCUMENT_LIMITS.maxFiles} files`,
    },
  ),
});

/** See {@link RELEASE}. */
export type Release = Static<typeof RELEASE>;

/** A file of a release. */
export type ReleaseFile = Release['files'][number];

/** A release as it is handed on: with the root documents that lead to its keys, oldest first. */
export const RELEASE_FILE = section({
  roots: Type.Array(ENVELOPE, {
    maxItems: DOCUMENT_LIMITS.maxRoots,
    expected: `a list of at most ${DOCUMENT_LIMITS.maxRoots} root documents`,
  }),
  release: ENVELOPE,
});

/** See {@link RELEASE_FILE}. */
export type SignedRelease = Static<typeof RELEASE_FILE>;
