import { tillbridge } from '../../generated/bridge.js';
import { CodedError } from '../errors/coded-error.js';
import type { BRIDGE_RULES } from '../errors/error-table.js';
import { BRIDGE_LIMITS } from './limits.js';
import type { Bodies, BodyKind, Envelope } from './messages.js';

/** Which rule of the bridge a message breaks. */
type BridgeRule = keyof typeof BRIDGE_RULES;

/** A message of the bridge that cannot be read or must not be sent. The text names the field, never its content. */
export class BridgeError extends CodedError<BridgeRule> {}

const WireEnvelope = tillbridge.v1.Envelope;

const KINDS: Readonly<Record<BodyKind, true>> = {
  challenge: true,
  hello: true,
  welcome: true,
  goodbye: true,
  heartbeat: true,
  heartbeatAnswer: true,
  enrolmentRequest: true,
  enrolmentAnswer: true,
  storePolicy: true,
  authorizationRequest: true,
  authorizationAnswer: true,
  statusRequest: true,
  statusAnswer: true,
  reversal: true,
  offlineRecord: true,
  capture: true,
  acknowledgement: true,
  parked: true,
  voiceAuthorization: true,
  cancelIfUnseen: true,
  command: true,
  commandResult: true,
};

const ID = /^[0-9A-Za-z-]{1,64}$/;
/** Texts for people may be longer than identifiers. */
const LONG_TEXTS: ReadonlySet<string> = new Set(['reason', 'description', 'software']);
/** A certificate is longer than what a card gives. */
const CERTIFICATES = 'authorities[]';

/**
 * Encodes one envelope.
 * @throws BridgeError `limit` naming the field over its limit, `too-large` over {@link BRIDGE_LIMITS.maxEnvelopeBytes}.
 */
export function encodeEnvelope(envelope: Envelope): Uint8Array {
  checkLimits(envelope.body, envelope.kind);
  const { id, terminalId, sequence, kind, body } = envelope;
  const bytes = WireEnvelope.encode({ id, terminalId, sequence, [kind]: body }).finish();
  if (bytes.length > BRIDGE_LIMITS.maxEnvelopeBytes) {
    throw new BridgeError(
      'too-large',
      `envelope of ${bytes.length} bytes, limit ${BRIDGE_LIMITS.maxEnvelopeBytes}`,
    );
  }
  return bytes;
}

/**
 * Decodes one envelope; unknown fields are ignored, missing scalars have their proto3 defaults.
 * @throws BridgeError for anything that is not one whole, known message within the limits.
 */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length > BRIDGE_LIMITS.maxEnvelopeBytes) {
    throw new BridgeError(
      'too-large',
      `envelope of ${bytes.length} bytes, limit ${BRIDGE_LIMITS.maxEnvelopeBytes}`,
    );
  }
  const plain = toPlain(bytes);
  const kind = Object.keys(KINDS).find((name): name is BodyKind => plain[name] != null);
  if (!kind) throw new BridgeError('unknown-body', 'envelope without a body this version knows');
  const { id, terminalId, sequence } = plain as { id: string; terminalId: string; sequence: number };
  if (!ID.test(id)) throw new BridgeError('bad-id', 'envelope.id must be 1-64 letters, digits or hyphens');
  if (!Number.isSafeInteger(sequence)) throw new BridgeError('limit', 'envelope.sequence is out of range');
  const body = withoutAbsent(plain[kind]) as Bodies[typeof kind];
  checkLimits(body, kind);
  checkLimits({ terminalId }, 'envelope');
  return { id, terminalId, sequence, kind, body } as Envelope;
}

function toPlain(bytes: Uint8Array): Record<string, unknown> {
  try {
    const decoded = WireEnvelope.decode(bytes);
    return WireEnvelope.toObject(decoded, { defaults: true, arrays: true, longs: Number }) as Record<
      string,
      unknown
    >;
  } catch (error) {
    throw new BridgeError(
      'malformed',
      `not a bridge envelope: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}

/** Drops nested messages that were not sent: they read as absent, not as null. */
function withoutAbsent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(withoutAbsent);
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) if (field !== null) kept[name] = withoutAbsent(field);
  return kept;
}

/** Checks each text, byte string, list and number below `value` against the named limits. */
function checkLimits(value: object, path: string): void {
  for (const [name, field] of Object.entries(value)) checkField(field, name, path);
}

/** The path is put together for the message of an error alone: this runs for every field of every message. */
function checkField(value: unknown, name: string, path: string): void {
  if (typeof value === 'string') {
    const limit = LONG_TEXTS.has(name) ? BRIDGE_LIMITS.maxReasonLength : BRIDGE_LIMITS.maxTextLength;
    if (value.length > limit)
      throw new BridgeError('limit', `${path}.${name} has ${value.length} characters, limit ${limit}`);
  } else if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      throw new BridgeError('limit', `${path}.${name} is no whole number in range`);
  } else if (value instanceof Uint8Array) {
    const limit = name === CERTIFICATES ? BRIDGE_LIMITS.maxCertificateBytes : BRIDGE_LIMITS.maxBlobBytes;
    checkLength(value, limit, 'bytes', name, path);
  } else if (Array.isArray(value)) {
    checkLength(value, BRIDGE_LIMITS.maxTerminals, 'entries', name, path);
    for (const entry of value) checkField(entry, `${name}[]`, path);
  } else if (typeof value === 'object' && value !== null) {
    checkLimits(value, `${path}.${name}`);
  }
}

function checkLength(
  { length }: { readonly length: number },
  limit: number,
  unit: string,
  name: string,
  path: string,
): void {
  if (length > limit) throw new BridgeError('limit', `${path}.${name} has ${length} ${unit}, limit ${limit}`);
}
