import { START_ERRORS } from '@tillbridge/platform/errors/error-table.js';
import type { ErrorGroup, ErrorTable } from '@tillbridge/wire/errors/error-row.js';

/** Refusals of the REST control, with their HTTP status. */
export const CONTROL_ERRORS = {
  'bad-request': ['the request is wrong', 'correct what the message names', 400],
  'wrong-origin': ['a page of another origin sent the request', 'call the simulator from its own pages', 403],
  'unknown-path': ['there is no such path', 'correct method and path', 404],
  'unknown-payment': ['the bank knows no such payment', 'begin it with PUT /payments/{reference}', 404],
  'unknown-account': ['the host has no such account', 'name one of GET /accounts', 404],
  'unknown-transaction': [
    'the host has no such transaction, or not so much money of it is left',
    'name one of GET /transactions, and an amount up to what is left',
    404,
  ],
  'unknown-terminal': ['there is no such terminal', 'name a terminal of GET /terminals', 404],
  'unknown-entry': ['the log has no such entry', 'name one that GET …/frames, …/apdus or …/sales lists', 404],
  'unknown-recording': ['there is no such recording', 'name one of GET /recordings', 404],
  'unknown-scenario': ['there is no such scenario', 'name one of GET /scenarios', 404],
  'unknown-card': ['there is no such card', 'name a card of GET /cards', 404],
  'other-payment': ['the reference belongs to another payment', 'use a reference once', 409],
  'not-now': ['this cannot be done now', 'follow the message; a terminal prompts on its screen', 409],
  'other-terminal': [
    'the recording is of another model',
    'play it on a terminal of its model and transport',
    409,
  ],
  'wrong-host': ['the request names another host', 'use its address, or add the name to `hostNames`', 421],
  internal: ['a fault of the simulator', 'its log has the details; report it', 500],
  'gateway-refused': ['the gateway refused the record of the acquirer', 'correct `gateway.token`', 502],
  'gateway-unreachable': ['the gateway cannot be reached', 'start it, or correct `gateway.url`', 502],
  'no-answer': ['no gateway has signed on, or it did not take the key', 'look at the gateway’s log', 502],
  'no-gateway': ['no gateway is configured', 'set `gateway.url` and `gateway.token`', 503],
  'no-acquirer-host': [
    'the acquirer host does not answer',
    'start it; correct `acquirerHost.controlPort`',
    503,
  ],
  'no-proxy': ['no proxy is configured', 'set `proxy.target`', 503],
} as const satisfies ErrorGroup;

/** Errors that end a command, by class; the message has the remedy. */
export const COMMAND_ERRORS = {
  ...START_ERRORS,
  ControlCallError: ['the simulator cannot be reached, or refused', 'start it, or follow the message', 1],
  KeyFileError: ['the key file cannot be used', 'make one with `tillbridge-sim keys`', 2],
  LibcError: ['a pseudo terminal cannot be made', 'see the text of the operating system in the message', 1],
  RecordingError: ['the terminal cannot be opened, or it has gone', 'check cable and path; record again', 1],
  StateError: ['a file of simulated state cannot be read', 'remove the file that the message names', 1],
  WalletTokenError: ['the wallet token cannot be issued', 'correct the option that the message names', 1],
  TraceError: ['the file is no recording', 'give a file that "tillbridge-sim record" has written', 1],
} as const satisfies ErrorGroup;

/** Exit codes of `tillbridge-sim`, by what happened. */
export const EXIT_CODES = {
  failed: ['the simulator refused, or the command failed', 'follow the message', 1],
  usage: ['wrong usage or configuration; a port or home that cannot be used', 'follow the message', 2],
} as const satisfies ErrorGroup;

/** All errors of the package `hardware-sim`. */
export const ERROR_TABLE = {
  ControlError: CONTROL_ERRORS,
  'Exit codes': EXIT_CODES,
  'Errors that end a command': COMMAND_ERRORS,
} as const satisfies ErrorTable;

/** Codes that were given up, as `Group code`; none of them is used again. */
export const RETIRED: readonly string[] = [];
