import { passesLuhn } from './luhn.js';

/** Digits that could be a PAN: 12 to 19, with single blanks or hyphens between groups. */
const PAN_LIKE = /(?<![0-9A-Za-z])\d(?:[ -]?\d){11,18}(?![0-9A-Za-z])/g;
/** Track 2 as text: PAN, separator, expiry, service code and what follows. */
const TRACK_2 = /;?\d{12,19}[=D]\d{4,}[0-9F]*\??/g;
/** Long hex that could carry card data, cryptograms or key material. */
const LONG_HEX = /(?<![0-9A-Za-z-])(?:[0-9A-Fa-f]{2}){16,}(?![0-9A-Za-z-])/g;
const BEARER = /\b(Bearer\s+)[\w.~+/=-]+/gi;
/** What one of these may be found in; most texts of a log are not. */
const SUSPECT = /\d(?:[ -]?\d){11}|[0-9A-F]{32}|Bearer/i;

/** First six and last four digits of a PAN, the rest as asterisks (PCI DSS 3.4.1). Shorter numbers are hidden whole. */
export function maskPan(pan: string): string {
  const digits = pan.replace(/[ -]/g, '');
  if (digits.length < 12) return '*'.repeat(digits.length);
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** Hides what looks like a PAN, a track, a bearer token or long hex in a text meant for a log, an error or a trace. */
export function maskText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(BEARER, '$1***')
    .replace(TRACK_2, '***track***')
    .replace(PAN_LIKE, (found) => (passesLuhn(found.replace(/[ -]/g, '')) ? maskPan(found) : found))
    .replace(LONG_HEX, (found) => `***${found.length / 2} bytes***`);
}

/** Names whose values never reach a log, whatever they hold. Compared without case, hyphens and underscores. */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  [
    'pan',
    'number',
    'card.number',
    'cvv',
    'pin',
    'track',
    'track1',
    'track2',
    'pinblock',
    'sred',
    'data',
    'iccdata',
  ]
    .concat([
      'iccdataresponse',
      'issuerdata',
      'token',
      'accesstoken',
      'authorization',
      'password',
      'passphrase',
    ])
    .concat(['key', 'privatekey', 'secret', 'signature', 'ksn', 'cookie']),
);

/** Fields that hold ids of ours: 32 lowercase hex digits of chance, which an operator has to be able to read. */
const ID_NAMES: ReadonlySet<string> = new Set([
  'id',
  'paymentid',
  'entityid',
  'acquirerreference',
  'intentid',
  'ndc',
  'correlationid',
]);
const PUBLIC_ID = /^[0-9a-f]{32}$/;
/** Card data in lowercase hex may be as long as an id: track 2, or tag 57 or 5A with its length (EMV Book 3 Annex B). */
const HEX_CARD_DATA = /^\d{12,19}d\d{4,}f*$|(?:57|5a)(?:0[6-9a]|1[0-3])\d{12}/;

/** Whether a text has the form of an id of ours: digits of chance in it are no card number, and its reader has to look it up. Pure. */
export function isPublicId(text: string): boolean {
  return PUBLIC_ID.test(text) && !HEX_CARD_DATA.test(text);
}

/** Nesting that a log entry may have; deeper parts are replaced. */
const MAX_DEPTH = 6;

/** A copy of a log value with secrets by name removed, bytes as their length alone, and texts through {@link maskText}. */
export function maskValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (value instanceof Uint8Array) return `***${value.length} bytes***`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '***';
  if (value instanceof Error) return maskError(value, depth);
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, maskField(name, field, depth + 1)]),
  );
}

function maskField(name: string, field: unknown, depth: number): unknown {
  const content = contentOf(name);
  if (content === 'secret') return '***';
  if (content === 'id' && typeof field === 'string' && isPublicId(field)) return field;
  return maskValue(field, depth);
}

/** What a field holds by its name. */
type Content = 'secret' | 'id' | 'any';

/** Names that are remembered at most; beyond it all are forgotten. */
const MAX_NAMES = 1_000;
const CONTENTS = new Map<string, Content>();

/** Every entry of a log has the same few names: each is compared once. */
function contentOf(name: string): Content {
  const known = CONTENTS.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  const content = SECRET_NAMES.has(plain) ? 'secret' : ID_NAMES.has(plain) ? 'id' : 'any';
  if (CONTENTS.size >= MAX_NAMES) CONTENTS.clear();
  CONTENTS.set(name, content);
  return content;
}

function maskError(error: Error, depth: number): unknown {
  const { name, message, stack, cause } = error;
  const masked = {
    type: name,
    message: maskText(message),
    stack: stack === undefined ? '' : maskText(stack),
  };
  return cause === undefined ? masked : { ...masked, cause: maskValue(cause, depth + 1) };
}
