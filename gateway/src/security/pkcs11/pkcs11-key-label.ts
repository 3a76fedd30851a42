import { present } from '@tillbridge/wire/present.js';
import { isBaseKeyUsage, USAGE_RULES } from '../keys/key-rules.js';
import type { KeyUsage } from '../keys/key-store.js';

/** Parts of a key: the key itself, and what a mechanism of the token cannot make of it and is therefore stored as its companion. */
export type TokenKeyPart =
  | 'key'
  /** Of a TDES base derivation key: mixed with the half mask of X9.24-1 A.6. */
  | 'masked'
  /** Of a double-length MAC key: its left half twice, which is single DES. */
  | 'left';

/** The content of the label of a key in the token. */
export interface TokenKeyLabel {
  readonly usage: KeyUsage;
  readonly scope: string;
  readonly part: TokenKeyPart;
  /** Base derivation keys: the one device type of the key set, where it has one. */
  readonly deviceType?: string;
  /** When the key took the place of another one, milliseconds since 1970; 0 for the first one. */
  readonly sinceMs: number;
  /** How long the one before it still opens what was closed under it. */
  readonly keepOldMs: number;
}

const USAGES = Object.keys(USAGE_RULES);
const LABEL = new RegExp(
  `^tillbridge/(${USAGES.join('|')})/([A-Za-z0-9._:-]{0,64})/(key|masked|left)(?:/([A-Za-z0-9_]{1,32}))?(?:@(\\d{1,15})\\+(\\d{1,15}))?$`,
);
/** A base key's scope is the beginning of a KSN. */
const BASE_SCOPE = /^[0-9A-F]{0,24}$/;

/** The label as text; `undefined` when the scope cannot stand in one. */
export function labelText(label: TokenKeyLabel): string | undefined {
  const { usage, scope, part, deviceType, sinceMs, keepOldMs } = label;
  const ofDevices = deviceType === undefined ? '' : `/${deviceType}`;
  const generation = sinceMs === 0 ? '' : `@${sinceMs}+${keepOldMs}`;
  const text = `tillbridge/${usage}/${scope}/${part}${ofDevices}${generation}`;
  return parseLabel(text) === undefined ? undefined : text;
}

/** The content of a label; `undefined` for a key that is not of this program. */
export function parseLabel(text: string): TokenKeyLabel | undefined {
  const match = LABEL.exec(text);
  if (match === null) return undefined;
  const [, usage = '', scope = '', part = '', deviceType, since = '0', keep = '0'] = match;
  if (isBaseKeyUsage(usage as KeyUsage) && !BASE_SCOPE.test(scope)) return undefined;
  return {
    usage: usage as KeyUsage,
    scope,
    part: part as TokenKeyPart,
    ...present({ deviceType }),
    sinceMs: Number(since),
    keepOldMs: Number(keep),
  };
}
