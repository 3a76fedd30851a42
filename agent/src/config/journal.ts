import { resolve, sep } from 'node:path';
import { isLoopbackHost } from '@tillbridge/platform/config/net-setting.js';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { oneOf, ruledText, section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import type { CopyMode } from '../journal/copy/journal-copier.js';

/** Where a copy is kept. */
export type CopyPlace =
  /** A folder: another disk, a share. It must exist: one that is not mounted must not be mistaken for it. */
  | { readonly kind: 'folder'; readonly path: string }
  /** Another agent of the store. */
  | {
      readonly kind: 'replica';
      readonly url: string;
      /** File with the secret that both agents share. */
      readonly secretFile: string;
      /** PEM of the certificate that the replica's comes from; absent: those that the system trusts. */
      readonly caFile?: string;
    };

/** Where the journal is copied to, encrypted. */
interface CopyConfig {
  readonly place: CopyPlace;
  readonly mode: CopyMode;
  /** File of 64 hex digits; it must not be inside the copy. */
  readonly keyFile: string;
}

/** How long the journal keeps what, and where it has a copy. */
export interface JournalConfig {
  /** Days that the rows of a finished sale are kept. Its parameters, message ids and answer are kept for ever. */
  readonly retentionDays: number;
  readonly copy?: CopyConfig;
}

/** Longer than any dispute about a card payment. */
const DEFAULT_RETENTION_DAYS = 400;

const COPY = section(
  {
    path: Type.Optional(
      path({ description: 'Keep the copy in this folder, which must exist: another disk, a share.' }),
    ),
    url: Type.Optional(
      ruledText(
        'an https: address of a replica, or http: on loopback, such as https://10.0.0.7:8444',
        (value) => (originOf(value) === undefined ? {} : undefined),
        { description: 'Or keep it at this other agent. Plain `http:` stays on this machine.' },
      ),
    ),
    secretFile: Type.Optional(
      path({ description: 'With `url`: file with the secret that both agents share.' }),
    ),
    caFile: Type.Optional(
      path({
        description: 'With `url`: PEM of the authority of the replica’s certificate.',
        fallback: 'those of the system',
      }),
    ),
    mode: oneOf<CopyMode>(['required', 'best-effort'], {
      description: '`required`: no new sale without the copy; `best-effort`: an alarm.',
      default: 'required',
    }),
    keyFile: path({ description: 'File with the key of the copy, 64 hex digits; never inside the copy.' }),
  },
  {
    rule: (value: unknown) =>
      placeFault(value as Partial<Record<'path' | 'url' | 'secretFile', unknown>> | null),
  },
);

/** The mapping `journal`. */
export const JOURNAL = section(
  {
    retentionDays: wholeNumber(
      1,
      36_500,
      { description: 'How long the rows of a finished sale stay.', default: DEFAULT_RETENTION_DAYS },
      'days',
    ),
    copy: Type.Optional(COPY),
  },
  { default: {} },
);

/** The origin of a replica; undefined for anything else. */
function originOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, hostname, username, password, pathname, search, hash, origin } = new URL(value);
  if (username || password || search || hash || pathname !== '/') return undefined;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname)) ? origin : undefined;
}

/** The journal's configuration. Notes keys that contradict each other. */
export function journalConfig(written: Static<typeof JOURNAL>, problems: Problems): JournalConfig {
  const { retentionDays, copy } = written;
  if (!copy) return { retentionDays };
  const place = placeOf(copy);
  const keyFile = resolve(copy.keyFile);
  if (place.kind === 'folder' && keyFile.startsWith(place.path + sep)) {
    problems.at(
      ['journal', 'copy', 'keyFile'],
      'lies inside the copy: a thief of the copy would have its key, too',
    );
  }
  return { retentionDays, copy: { place, mode: copy.mode, keyFile } };
}

function placeFault(
  copy: Partial<Record<'path' | 'url' | 'secretFile', unknown>> | null,
): RuleFault | undefined {
  if ((copy?.path === undefined) === (copy?.url === undefined))
    return { at: 'path', problem: 'or url is needed, and not both: a folder, or a replica' };
  const isWhole = copy?.url === undefined || copy.secretFile !== undefined;
  return isWhole ? undefined : { at: 'secretFile', problem: 'is missing: expected a path' };
}

function placeOf({ path, url, secretFile = '', caFile }: Static<typeof COPY>): CopyPlace {
  if (path !== undefined) return { kind: 'folder', path: resolve(path) };
  const ca = caFile === undefined ? {} : { caFile: resolve(caFile) };
  return { kind: 'replica', url: originOf(url) ?? '', secretFile: resolve(secretFile), ...ca };
}
