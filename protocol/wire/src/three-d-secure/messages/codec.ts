import { CodedError } from '../../errors/coded-error.js';
import { THREE_DS_ERRORS } from '../../errors/error-table.js';
import { present } from '../../present.js';
import { parseJson } from '../../text/parse-json.js';
import type { MessageExtension } from './extension.js';
import { type Facts, type Field, isNeeded, MESSAGE_VERSIONS, type MessageVersion } from './field.js';
import type { JsonObject } from './formats.js';
import { MESSAGES, type Message, type MessageType } from './tables.js';

/** Largest message taken, in characters. Encrypted device information alone may have 64,000. */
const MAX_MESSAGE_LENGTH = 256 * 1024;
/** Largest PRes taken, in characters: it lists the card ranges of a scheme. */
export const MAX_RANGES_LENGTH = 4 * 1024 * 1024;

/** Codes of {@link ThreeDSError}: `errorCode` of the error message (table A.4). */
type ThreeDSErrorCode = keyof typeof THREE_DS_ERRORS;

/** A message breaks the specification. `detail` names the fields that do (`errorDetail`); no value is in it. */
export class ThreeDSError extends CodedError<ThreeDSErrorCode> {
  readonly detail: string;
  /** Type of the message as far as it could be read. */
  readonly messageType: string | undefined;

  constructor(code: ThreeDSErrorCode, detail: string, messageType?: string) {
    super(code, `${THREE_DS_ERRORS[code][0]}: ${detail}`);
    this.detail = detail;
    this.messageType = messageType;
  }
}

/** What a receiver knows of the transaction in addition to the message: channel and category of its AReq. */
type KnownFacts = Pick<Facts, 'channel' | 'category'>;

/**
 * Reads one of the messages that are expected; fields that the specification does not know are left out, absent and null count the same.
 * @throws ThreeDSError
 */
export function decodeMessage<T extends MessageType>(
  text: string,
  expected: readonly T[],
  known: KnownFacts = {},
): Message<T> & { readonly messageType: T } {
  const limit = (expected as readonly string[]).includes('PRes') ? MAX_RANGES_LENGTH : MAX_MESSAGE_LENGTH;
  if (text.length > limit) throw new ThreeDSError('101', 'the message is too long');
  const values = parse(text);
  const { messageType } = values;
  const found = expected.find((name) => name === messageType);
  if (found === undefined)
    throw new ThreeDSError('101', 'messageType', typeof messageType === 'string' ? messageType : undefined);
  return check(found, values, known);
}

/**
 * A message as text. It is checked as a receiver would: what we send is valid.
 * @throws ThreeDSError
 */
export function encodeMessage<T extends MessageType>(
  type: T,
  message: Message<T>,
  known: KnownFacts = {},
): string {
  return JSON.stringify(check(type, message as JsonObject, known));
}

/** The values of a message that its table has, once they are found to be right. @throws ThreeDSError */
function check<T extends MessageType>(
  type: T,
  values: JsonObject,
  known: KnownFacts,
): Message<T> & { readonly messageType: T } {
  const version = MESSAGE_VERSIONS.find((each) => each === values.messageVersion);
  if (values.messageVersion === undefined) throw new ThreeDSError('201', 'messageVersion', type);
  if (version === undefined) throw new ThreeDSError('102', 'messageVersion', type);
  const fields: readonly Field[] = MESSAGES[type];
  const facts = factsOf(values, version, known);
  const present = fields.filter(({ name }) => values[name] !== undefined && values[name] !== null);
  const missing = fields.filter((field) => !present.includes(field) && isNeeded(field, facts));
  if (missing.length > 0) throw new ThreeDSError('201', names(missing), type);
  const wrong = present.filter(({ name, format }) => !format.fits(values[name], facts));
  const [first] = wrong;
  if (first) throw new ThreeDSError(first.format.errorCode ?? '203', names(wrong), type);
  refuseCritical(values.messageExtension as readonly MessageExtension[] | undefined, type);
  return Object.fromEntries(present.map(({ name }) => [name, values[name]])) as Message<T> & {
    readonly messageType: T;
  };
}

function factsOf(values: JsonObject, version: MessageVersion, known: KnownFacts): Facts {
  const textOf = (name: string): string | undefined =>
    typeof values[name] === 'string' ? String(values[name]) : undefined;
  return {
    version,
    channel: textOf('deviceChannel') ?? known.channel,
    category: textOf('messageCategory') ?? known.category,
    status: textOf('transStatus'),
  };
}

/** An extension that must be understood, and is not (section 5.1.6): none is. */
function refuseCritical(extensions: readonly MessageExtension[] | undefined, type: string): void {
  const critical = extensions?.find(({ criticalityIndicator }) => criticalityIndicator);
  if (critical) throw new ThreeDSError('202', critical.id, type);
}

function names(fields: readonly Field[]): string {
  return fields.map(({ name }) => name).join(',');
}

function parse(text: string): JsonObject {
  const value = parseJson(text, () => new ThreeDSError('101', 'the message is no JSON'));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ThreeDSError('101', 'the message is no JSON object');
  return value as JsonObject;
}

/** Ids by which the receiver of an error message finds the transaction. */
type TransactionIds = Pick<Message<'Erro'>, 'threeDSServerTransID' | 'acsTransID' | 'dsTransID'>;

/**
 * The error message that answers a message.
 * @param component `S` 3DS Server, `D` directory server, `A` access control server
 */
export function errorMessage(
  error: ThreeDSError,
  component: 'S' | 'D' | 'A',
  about: TransactionIds & { readonly messageVersion?: string } = {},
): Message<'Erro'> {
  const { messageType } = error;
  const version = MESSAGE_VERSIONS.find((each) => each === about.messageVersion) ?? MESSAGE_VERSIONS[0];
  return {
    ...about,
    messageType: 'Erro',
    messageVersion: version,
    errorCode: error.code,
    errorComponent: component,
    errorDescription: THREE_DS_ERRORS[error.code][0],
    errorDetail: error.detail,
    ...(messageType?.length === 4 && { errorMessageType: messageType }),
  };
}

/**
 * The answer to a message: what the receiver makes of it, or the error message about it.
 * @param faultOf turns other errors into the error message; without it they are thrown
 */
export async function answerMessage<T extends MessageType>(
  text: string,
  expected: readonly T[],
  component: 'S' | 'D' | 'A',
  answer: (message: Message<T> & { readonly messageType: T }) => string | Promise<string>,
  faultOf?: () => ThreeDSError,
): Promise<string> {
  let about: ReturnType<typeof idsOf> = {};
  try {
    const message = decodeMessage(text, expected);
    about = idsOf(message as TransactionIds);
    return await answer(message);
  } catch (error) {
    const fault = error instanceof ThreeDSError ? error : faultOf?.();
    if (!fault) throw error;
    return encodeMessage('Erro', errorMessage(fault, component, about));
  }
}

/** Version and ids of a message, as the error message about it repeats them. */
export function idsOf(
  message: TransactionIds & { readonly messageVersion?: string | undefined },
): TransactionIds & {
  readonly messageVersion?: string;
} {
  const { messageVersion, threeDSServerTransID, acsTransID, dsTransID } = message;
  return present({ messageVersion, threeDSServerTransID, acsTransID, dsTransID });
}
