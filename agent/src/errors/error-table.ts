import { type DATABASE_FAULTS, START_ERRORS } from '@tillbridge/platform/errors/error-table.js';
import type { ErrorGroup, ErrorTable } from '@tillbridge/wire/errors/error-row.js';

/** Refusals of the sale service, with their HTTP status. With every code: nothing was journaled and no money moved. */
export const SALE_ERRORS = {
  'bad-request': ['a field is wrong', 'correct the field that the answer names', 400],
  'unknown-terminal': ['there is no such terminal', 'name a terminal of GET /v1/status', 400],
  'unknown-reference': ['the agent has no sale of this reference', 'send the sale: it never arrived', 404],
  'reference-conflict': ['the reference belongs to another sale or capture', 'use a new reference', 409],
  'terminal-busy': ['the terminal runs another sale', 'wait for `runningReference`, or cancel it', 409],
  'not-allowed': ['the state of the sale does not allow the call', 'read the sale, then decide', 409],
  'outside-policy': [
    'the rules of the store do not allow the payment',
    'see the rule that the answer names under `policy` in GET /v1/status',
    403,
  ],
  'journal-unavailable': [
    'nothing can be recorded',
    'see the journal in GET /v1/status; try again later',
    503,
  ],
  closing: ['the agent is going down', 'send the same request again', 503],
} as const satisfies ErrorGroup;

/** Codes of the agent's REST errors, with their HTTP status. */
export const TILL_ERRORS = {
  ...SALE_ERRORS,
  'bad-json': ['the body is no JSON', 'correct the body', 400],
  'not-authenticated': ['the request has no valid token', 'send `Authorization: Bearer TOKEN`', 401],
  'not-authorized': ['the caller may not do this', 'call from the host and with the token that may', 403],
  'pin-needed': ['the page of the till is locked', 'enter the PIN of the cashier', 403],
  'wrong-origin': ['a page of another origin sent the request', 'call from the agent’s own pages', 403],
  'not-found': ['there is no such path', 'correct method and path', 404],
  'unknown-till': ['no till of this name has a token', 'see GET /v1/tills', 404],
  'request-timeout': ['the request did not come in time', 'send the same request again', 408],
  'body-too-large': ['the body is longer than the limit', 'send at most 16 KiB', 413],
  'not-json': ['the content type is another one', 'send `Content-Type: application/json`', 415],
  'wrong-host': ['the request names another host', 'use its address, or add the name to `hostNames`', 421],
  'headers-too-large': ['the headers are longer than the limit', 'send fewer headers', 431],
  'too-many-requests': [
    'an address sends too many requests without a valid token',
    'wait as long as `Retry-After` states',
    429,
  ],
  internal: ['a fault of the agent', 'read the sale; its log has the details', 500],
  'too-many-listeners': ['too many event streams are open', 'close unused streams', 503],
} as const satisfies ErrorGroup;

/** Codes of {@link NexoError}. */
export const NEXO_RULES = {
  'bad-envelope': ['the body is no message of a till', 'correct the till', 400],
  'plain-refused': ['the message is not enciphered', 'give the till the key of the agent', 403],
  'key-identifier': ['the till uses another key', 'compare KeyIdentifier of till and agent', 401],
  'key-version': ['the till uses another version of the key', 'compare KeyVersion of till and agent', 401],
  'crypto-version': ['the till enciphers in another way', 'set AdyenCryptoVersion to 1', 400],
  'bad-hmac': ['the message was enciphered under another passphrase', 'compare the passphrases', 401],
  'header-differs': ['the header in clear is not that of the message', 'correct the till', 400],
  'not-allowed': ['the key of the till has not the right', 'use a key that has it'],
  'bad-header': ['the header of the message breaks a rule', 'correct the field that the answer names'],
  'bad-field': ['a field of the message breaks a rule', 'correct the field that the answer names'],
} as const satisfies ErrorGroup;

/** Codes of {@link ZvtError}; the till receives a result code of the protocol. */
export const ZVT_RULES = {
  'bad-apdu': ['the length of a message is wrong', 'correct the till'],
  'bad-field': ['a field of the message breaks a rule', 'correct the field that the log names'],
  'card-data': ['the till sends card data', 'let the terminal read the card'],
  'reference-conflict': ['the reference belongs to another request', 'send a new reference'],
  'too-long': ['a message is longer than the limit', 'correct the till'],
  'unknown-bitmap': ['the protocol has no such bitmap', 'correct the till'],
} as const satisfies ErrorGroup;

/** Exit codes of `tillbridge-agent`, by what happened. */
export const EXIT_CODES = {
  declined: ['the sale ended in another way than approved, or a check found a fault', 'read the output', 1],
  usage: ['a wrong argument, configuration or request; a port in use', 'follow the message', 2],
  unknown: [
    'the agent cannot be reached, or the outcome is not known yet',
    'ask again with the same reference; never use a new one',
    3,
  ],
  fault: ['a fault of the program itself', 'report it with the stack on standard error', 70],
} as const satisfies ErrorGroup;

/** Errors that end a command, by class; the message has the remedy. */
export const COMMAND_ERRORS = {
  ...START_ERRORS,
  CopyCipherError: ['the copy does not open with this key', 'give the key of this copy', 2],
  CopyFormatError: ['the copy cannot be read', 'use another copy; a newer agent may have written it', 2],
  CopyKeyError: ['the key of the copy cannot be read or made', 'correct the path or the file', 2],
  CopyUnavailable: ['the place of the copy cannot be reached', 'correct it, then run the command again', 2],
  DigestUnavailableError: [
    'rows that a proof needs are gone',
    'use a proof that was written before; "tillbridge-agent verify" shows whether they may be missing',
    2,
  ],
  DeviceRegistryError: ['the device registry cannot be read or kept', 'correct or remove its file', 2],
  EnrolmentCodeError: ['the text is no enrolment code', 'copy it again, address and all eight groups', 2],
  EnrolmentError: ['the enrolment came to nothing', 'see the code under EnrolmentError', 2],
  IdentityError: ['id or key of the agent cannot be used', 'restore the file that the message names', 2],
  IncidentCardDataError: ['an incident file would carry card data', 'report it; the file was not written', 1],
  InstallError: [
    'a step of an installation came to nothing',
    'do what the message says, then run it again',
    2,
  ],
  InstallRefusedError: [
    'nothing was begun: money is owed, or the name is another one',
    'do what the message says',
    1,
  ],
  InstallRecordError: ['the record of an installation cannot be read', 'correct or remove its file', 2],
  InterruptedRestore: ['a restore was interrupted', 'run "tillbridge-agent restore" once more', 2],
  JournalUnavailable: ['the journal cannot be used', 'see the reason under JournalUnavailable', 2],
  KeyFileError: ['the key of the journal has another length', 'restore it with the journal', 2],
  NoIncidentError: ['nothing can be exported', 'do what the message says', 2],
  NoProofError: ['the sale cannot be proven, or the proof not be read', 'do what the message says', 2],
  NotCountersignedError: [
    'the gateway has not countersigned the rows of the sale yet',
    'connect the agent, and try again in some minutes',
    3,
  ],
  OtherHeadError: [
    'the gateway has countersigned another head than the journal has',
    'run "tillbridge-agent verify"; see the alerts of the gateway',
    2,
  ],
  NexoFileError: [
    'a file of the nexo interface cannot be used',
    'correct the file that the message names',
    2,
  ],
  ProofCardDataError: ['a proof would carry card data', 'report it; the proof was not written', 1],
  ReleaseError: ['a release or a root document is not believed', 'get one that the maker signed', 1],
  RestoreError: ['the journal cannot be brought back', 'follow the message; nothing was changed', 2],
  TillRegistryError: ['the file of the tills cannot be used', 'move it away, then make the tills anew', 2],
  TokenError: ['the token file cannot be used', 'make it readable by its owner alone, with one token', 2],
  UpdateBusyError: ['another update works in the folder', 'wait until it has ended', 3],
  UpdateError: ['a step of an update cannot be done', 'do what the message says; nothing was changed', 1],
  UpdateUsageError: ['the program cannot be updated so', 'do what the message says', 2],
} as const satisfies ErrorGroup;

/** Why an enrolment came to nothing. */
export const ENROLMENT_ERRORS = {
  unreachable: ['the gateway cannot be reached, or did not answer', 'correct `gateway.bridgeUrl`, try again'],
  refused: ['the gateway refuses the code', 'have a new one issued: `tillbridge-gateway agents enrol-code`'],
  certificate: [
    'the certificate of the gateway is not accepted',
    'do what the message says, then use the same code again',
  ],
  'other-gateway': ['another gateway answered than gave the code', 'correct `gateway.bridgeUrl`'],
  'bad-signature': [
    'the answer is not signed by the gateway that gave the code',
    'look for who stands between agent and gateway',
  ],
  'bad-pins': ['the gateway gave no pin set that this agent can use', 'update the older of both'],
  'other-channel': [
    'the gateway does not name the TLS key that the agent sees',
    'set `bridge.tlsPins` of the gateway to the key of its proxy; else look for who stands between',
  ],
  'other-agent': ['the code is for another agent than the home is', 'use it in the home of that agent'],
} as const satisfies ErrorGroup;

/** Why the journal cannot be used, and the way back. */
export const JOURNAL_FAULTS = {
  'disk-full': ['the disk is full', 'make room on the disk, the agent goes on by itself'],
  'read-only': ['the disk cannot be written', 'make the disk writable, the agent goes on by itself'],
  'cannot-open': ['the journal cannot be opened', 'check that the home exists and may be written'],
  locked: ['another process keeps the journal locked', 'end the other process'],
  'io-error': ['the disk failed', 'check the disk, the agent tries again by itself'],
  corrupt: [
    'the journal is damaged',
    'stop the agent, see what is damaged with "tillbridge-agent verify", bring it back from its copy with "tillbridge-agent restore"',
  ],
  overloaded: ['too many writes wait', 'wait, the agent goes on by itself'],
  closed: ['the journal is closed', 'wait until the agent runs again'],
} as const satisfies Readonly<Record<keyof typeof DATABASE_FAULTS, unknown>>;

/** Refusals of an agent that holds copies of other agents' journals, with their HTTP status. */
export const REPLICA_ERRORS = {
  'bad-request': ['the request cannot be read', 'run the same version on both agents', 400],
  unauthenticated: ['unknown agent, or a wrong secret', 'compare the secret files of both agents', 401],
  'not-found': ['there is no such call', 'run the same version on both agents', 404],
  'writer-replaced': ['another agent writes this copy now', 'stop a second agent of the same id', 409],
  fault: ['a fault of the replica', 'see its log', 500],
  'copy-unavailable': ['the replica cannot write now', 'see its log; the agent tries again by itself', 503],
} as const satisfies ErrorGroup;

/** Why a port could not be opened. */
export const PORT_ERRORS = {
  missing: ['the port is not there', 'plug the terminal in, and compare its path with the configuration'],
  permission: ['this user may not open the port', 'run "tillbridge-agent doctor"'],
  busy: ['another program has the port', 'stop the other program'],
  library: ['USB-HID cannot be used here', 'install what the message names'],
  other: ['the port could not be opened', 'see the text of the operating system in the message'],
} as const satisfies ErrorGroup;

/** Why a terminal could not finish; one code per way back. */
export const DRIVER_FAILURES = {
  'terminal-gone': [
    'the connection to the terminal ended',
    'check cable and power; the agent connects again',
  ],
  'terminal-silent': ['the terminal does not answer', 'restart the terminal'],
  'terminal-busy': ['the terminal does something else', 'wait, or cancel at the terminal'],
  'protocol-error': ['the terminal answered what its protocol does not allow', 'compare the configured type'],
  'card-removed': ['the card was removed too early', 'try again and leave the card in'],
  'card-error': ['the card cannot be read', 'try again, or use another card'],
  'card-blocked': ['the card or its application is blocked', 'use another card'],
  'card-expired': ['the card has expired', 'use another card'],
  'application-not-supported': ['the terminal knows no application of the card', 'use another card'],
  'key-missing': ['the terminal has no key', 'load the key into the terminal'],
  'key-exhausted': ['the key of the terminal is used up', 'load a new key into the terminal'],
  tampered: ['the terminal reports tampering', 'take it out of use and return it to its maker'],
  'data-too-long': ['the card data is longer than the gateway takes', 'use another card; report it'],
  'wrong-device': [
    'another device than the registered one is there',
    'run "tillbridge-agent devices forget"',
  ],
  internal: ['a fault of the agent', 'its log has the details; report it'],
} as const satisfies ErrorGroup;

/** All errors of the package `agent`. */
export const ERROR_TABLE = {
  'TillError and SaleError': TILL_ERRORS,
  'CommandError: exit codes': EXIT_CODES,
  'Errors that end a command': COMMAND_ERRORS,
  EnrolmentError: ENROLMENT_ERRORS,
  JournalUnavailable: JOURNAL_FAULTS,
  NexoError: NEXO_RULES,
  ZvtError: ZVT_RULES,
  Replica: REPLICA_ERRORS,
  PortOpenError: PORT_ERRORS,
  DriverFailure: DRIVER_FAILURES,
} as const satisfies ErrorTable;

/** Codes that were given up, as `Group code`; none of them is used again. */
export const RETIRED: readonly string[] = ['Errors that end a command ReplicaTlsError'];
