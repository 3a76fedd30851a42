import { DATABASE_FAULTS, START_ERRORS } from '@tillbridge/platform/errors/error-table.js';
import type { GoodbyeCode } from '@tillbridge/wire/bridge/messages.js';
import type { ErrorGroup, ErrorTable } from '@tillbridge/wire/errors/error-row.js';

const PARAMETERS = '200.300.404';
const STRUCTURE = '200.100.103';
const TOKEN = '800.900.300';

/** Refusals of the payment API, with HTTP status and result code. */
export const REST_ERRORS = {
  'not-a-request': ['the bytes are no HTTP request', 'correct the client', 400, STRUCTURE],
  'invalid-parameters': ['parameters are wrong', 'correct each of `parameterErrors`', 400, PARAMETERS],
  'not-authenticated': ['the request has no token', 'send `Authorization: Bearer TOKEN`', 401, TOKEN],
  'token-refused': ['the token is unknown, expired or revoked', 'create another token', 403, TOKEN],
  'no-right': [
    'the token lacks the right for this request',
    'use a token with the right that `parameterErrors` names',
    403,
    '800.900.301',
  ],
  'entity-of-another': [
    'the token may not act for this entity',
    'name the entity of the token or one of its channels',
    403,
    '800.900.301',
  ],
  'sign-in-refused': [
    'e-mail address, password or code are wrong',
    'try again; an administrator can invite the user anew',
    403,
    TOKEN,
  ],
  'no-session': ['no user is signed in, or the session has ended', 'sign in at /console', 401, TOKEN],
  'wrong-origin': [
    'the request does not come from a page of this gateway',
    'use the console, or an access token',
    403,
    TOKEN,
  ],
  'invitation-unknown': [
    'the invitation is unknown, was used or has expired',
    'an administrator can invite the user anew',
    404,
    PARAMETERS,
  ],
  'no-user': ['this entity has no such user', 'correct id and entity', 404, '700.400.580'],
  'user-refused': ['the user may not be changed so', 'read what `parameterErrors` names', 403, '800.900.301'],
  'wrong-url': [
    'there is no such path',
    'correct the path; `parameterErrors` names a near one',
    404,
    '200.100.199',
  ],
  'nothing-found': ['this entity has no such payment or alert', 'correct id and entity', 404, '700.400.580'],
  'no-checkout': ['no checkout has this id', 'correct the id, or create a checkout', 404, PARAMETERS],
  'checkout-expired': [
    'the checkout has expired',
    'create another one: it lives for 30 minutes',
    404,
    PARAMETERS,
  ],
  'checkout-of-other-mode': [
    'the checkout is of the other mode',
    'use the host on which it was created: test or live',
    404,
    PARAMETERS,
  ],
  'no-result-call': [
    'the payment is none of a checkout whose shop is still to be called',
    'name the payment of a checkout with a shopperResultUrl, whose result was not fetched',
    409,
    '700.400.580',
  ],
  'no-chargeback': [
    'the payment cannot be charged back so, or has no chargeback that could be reversed',
    'name a payment with money that is left, or a chargeback that stands',
    400,
    '700.400.402',
  ],
  'no-receipt': [
    'the payment waits for no transfer',
    'name a payment by bank transfer that is pending',
    400,
    '700.400.560',
  ],
  'registration-unknown': [
    'this entity has no such registration',
    'correct id and entity',
    404,
    '100.150.200',
  ],
  'registration-removed': ['the registration was removed', 'store the details anew', 404, '100.150.202'],
  'no-device': ['this entity has no such device', 'correct serial and entity', 404, '700.400.580'],
  'no-agent': [
    'this entity has no such agent, or command to it',
    'correct id and entity',
    404,
    '700.400.580',
  ],
  'command-refused': [
    'the agent takes no such command now',
    'name a reference with `cancel-sale`, or with `status`; wait for commands before',
    409,
    PARAMETERS,
  ],
  'no-webhook': [
    'this entity has no such webhook endpoint, or delivery of it',
    'correct id and entity',
    404,
    '700.400.580',
  ],
  'webhook-refused': [
    'the webhook endpoint may not take this step',
    'read the endpoint, then choose a step that it may take',
    409,
    PARAMETERS,
  ],
  'webhook-test-refused': [
    'the receiver did not take the test delivery',
    'correct the receiver, then test again',
    409,
    PARAMETERS,
  ],
  'review-decided': [
    'a person has decided otherwise before, and the first word counts',
    'read the payment',
    409,
    PARAMETERS,
  ],
  'inbox-refused': [
    'what needs a person cannot be ended so',
    'correct what the message names, or choose another decision',
    409,
    PARAMETERS,
  ],
  'no-schedule': ['this entity has no such schedule', 'correct id and entity', 404, '700.400.580'],
  'not-scheduled': ['there is nothing to reschedule', 'create a schedule', 400, '100.360.300'],
  'not-descheduled': ['there is nothing to deschedule', 'read the schedule', 400, '100.360.303'],
  'no-registration': [
    'no card is kept under the registration or payment that a schedule names',
    'name a registration, or an approved payment, of this entity',
    400,
    '100.150.200',
  ],
  'no-initial-payment': [
    'the runs would repeat a payment that was not made',
    'register with `standingInstruction.mode` INITIAL, pay so by the registration, or send `standingInstruction.initialTransactionId`',
    400,
    '100.150.300',
  ],
  'too-many-schedules': ['the card has its most schedules', 'deschedule one', 400, '100.250.110'],
  'schedule-busy': ['the schedule changes now', 'send the same request again', 409, '800.700.100'],
  'job-missing': ['a schedule was sent without a job', 'send `job.*`', 400, '100.250.250'],
  'job-without-times': ['the job names no time', 'send `job.expression`, or its fields', 400, '100.250.110'],
  'job-days': [
    'the job names days twice, or not at all',
    'leave one of both fields to the other',
    400,
    '100.250.120',
  ],
  'job-never-runs': ['the job never runs', 'correct what `parameterErrors` names', 400, '100.250.120'],
  'job-too-often': [
    'the job runs more often than schedules may',
    'leave more time between two runs; `parameterErrors` names the field',
    400,
    '100.250.120',
  ],
  'job-duration': [
    'the duration of the job is wrong',
    'correct what `parameterErrors` names',
    400,
    '100.250.106',
  ],
  'job-notice': [
    'the notice of the job is wrong',
    'correct what `parameterErrors` names',
    400,
    '100.250.107',
  ],
  'device-refused': [
    'the device cannot be changed so',
    'read the device, then choose a step and a place that it may take',
    409,
    PARAMETERS,
  ],
  'wrong-method': ['the path does not take this method', 'use a method of `Allow`', 405, '200.300.403'],
  'request-timeout': ['the request did not end in time', 'send the same request again', 408, STRUCTURE],
  'payment-running': [
    'a request with this idempotency key still runs',
    'send the same request again after `Retry-After`',
    409,
    '800.600.100',
  ],
  'changed-meanwhile': [
    'other requests changed the same at the same moment',
    'send the same request again after `Retry-After`',
    409,
    '800.700.100',
  ],
  'body-too-large': ['the body is longer than the limit', 'send a shorter body', 413, PARAMETERS],
  'not-a-form': ['the body is no form', 'send application/x-www-form-urlencoded', 415, PARAMETERS],
  'too-many-requests': [
    'the rate or the bytes of the merchant or address are used up',
    'wait for `Retry-After`',
    429,
    '800.120.100',
  ],
  'headers-too-large': ['the headers are longer than the limit', 'send fewer headers', 431, STRUCTURE],
  internal: ['a fault of the gateway', 'read the payment, then report the fault', 500, '999.999.999'],
  overloaded: [
    'more requests wait than can be answered in time',
    'send the same request again after `Retry-After`',
    503,
    '800.800.800',
  ],
  held: [
    'the gateway waits for its operator, and takes no request of before',
    'send the same request again later; the operator of the gateway has an alert',
    503,
    '999.999.888',
  ],
  'database-unavailable': [
    'the database cannot do its work now',
    'send the same request again after `Retry-After`; the log names the fault',
    503,
    '999.999.888',
  ],
} as const satisfies ErrorGroup;

/** Errors that the operator can correct, by class; the message holds all detail. */
export const OPERATOR_ERRORS = {
  ...START_ERRORS,
  GatewayUnreachableError: [
    'no gateway answers a command, or it cannot do it now',
    'start it, or name its address by `--gateway`',
    2,
  ],
  GatewayRefusedError: [
    'the gateway refuses what a command requests',
    'correct token, entity or endpoint',
    2,
  ],
  ListenError: ['gateway or receiver failed for too long', 'start them, then listen again', 2],
  FileLockError: ['the key store is locked', 'wait for the command that uses it, then try again', 2],
  InventoryError: ['the devices cannot be changed so', 'see the code under InventoryError', 2],
  HomeModeError: ['the home belongs to the other mode', 'use a separate home for each mode', 2],
  KeyCommandError: ['the key command cannot be done', 'correct the argument that the message names', 2],
  KeyStoreError: ['the key store refuses', 'see the rule under KeyStoreError', 2],
  OperatorError: ['what was requested cannot be done', 'do what the message states', 2],
  UserError: ['the user cannot be changed so', 'see the code under UserError', 2],
  PromptError: ['the prompt for the secret cannot be shown', 'run the command at a terminal', 2],
  ScheduleError: ['the schedule cannot be made or changed so', 'see the code under ScheduleError', 2],
  SchemaTooNewError: [
    'a newer gateway wrote the database, and this build cannot read it',
    'run that version or a newer one',
    2,
  ],
  SecretFileError: ['a secret file is missing, open to others or damaged', 'correct or restore it', 2],
  SecurityModuleError: ['the security module cannot be used', 'see the code under SecurityModuleError', 2],
  SeedError: ['the development home cannot be made', 'correct the argument, or use a new home', 2],
  SharedKeyError: [
    'a key is not the one that this database was used with',
    'give every gateway on the database the same folder of keys',
    2,
  ],
  StoreUnavailableError: ['the database cannot be used', 'see the code under StoreUnavailableError', 2],
  WebhookError: ['the webhook endpoint cannot be made or changed so', 'see the code under WebhookError', 2],
  VaultError: ['a key or an entry of the vault does not open', 'restore what the message names', 2],
} as const satisfies ErrorGroup;

/** Exit codes of `tillbridge-gateway`, by what happened. */
export const EXIT_CODES = {
  differences: ['`check` found differences', 'see the consistency check in the documentation', 1],
  trial: ['`acquirer try` did not pass', 'correct what the failed step names, then try again', 1],
  fault: ['a fault of the program itself', 'report it with the stack on standard error', 1],
  usage: ['wrong usage, or an error that the operator can correct', 'do what the message states', 2],
} as const satisfies ErrorGroup;

/** Why the gateway ends a session of the bridge. */
const GOODBYE_CODES = {
  UNAUTHENTICATED: [
    'the agent is unknown, revoked, or sees another TLS key than the gateway has; or its signature or code is of no use',
    'see `agents show AGENT`; issue a new code with `agents enrol-code`, `agents rotate-key` or `agents replace`',
  ],
  VERSION_MISMATCH: ['agent and gateway have no version in common', 'update the older one'],
  SUPERSEDED: ['the agent has a newer session', 'stop a second process with the same identity'],
  FENCED: ['a newer generation of the journal was seen', 'stop this agent; the restored one goes on'],
  PROTOCOL_ERROR: ['a message came that is not allowed here', 'update agent and gateway; report it'],
  GOING_DOWN: ['the gateway stops', 'nothing: the agent connects again by itself'],
  OVERLOADED: ['the gateway has too much to do', 'nothing: the agent connects again by itself'],
  TURN_LATER: [
    'too many agents come at once, and each gets its turn',
    'nothing: the agent connects again by itself',
  ],
  GENERATION_NOT_ALLOWED: [
    'the generation of the journal is new, and no operator has allowed it',
    'if the journal was restored: `agents allow-generation AGENT`; else revoke the agent',
  ],
} as const satisfies Readonly<Record<Exclude<keyof typeof GoodbyeCode, 'CODE_UNSPECIFIED'>, unknown>>;

/** Why a message of an agent is parked, by code. */
export const PARK_REASONS = {
  unreadable: ['this build cannot read the message', 'update the gateway, then retry the message'],
  malformed: ['the message cannot be understood', 'resolve the sale manually'],
  'handling-failed': ['the message failed again and again', 'correct what the log names, then retry it'],
  blocked: ['the message could not be decided for too long', 'correct what it waits for, then retry it'],
  'outside-policy': [
    'the store may not do this',
    'raise the amount that the reason names and retry it, retry what breaks a sum or a count; or resolve the sale',
  ],
  'behind-parked': ['an earlier message of the sale is parked', 'retry or resolve the earlier one'],
} as const satisfies ErrorGroup;

/** Codes of {@link SecurityModuleError}. */
export const SECURITY_MODULE_ERRORS = {
  'unknown-key': ['no key fits the operation', 'load the key that the message names'],
  'bad-data': ['the data does not fit the operation', 'compare keys and settings with the terminal'],
  unavailable: ['the module cannot be reached', 'check the module and its PIN; requests go on by themselves'],
} as const satisfies ErrorGroup;

/** Why account data of a terminal is not taken: the log names it, who sent the data does not learn it. */
export const ACCOUNT_DATA_FAULTS = {
  'no-ksn': ['no hex, or no KSN of a transaction', 'correct the integration'],
  'unknown-device': ['no device has this initial KSN', 'add the device to the inventory'],
  'foreign-device': ['the device belongs to another sender', 'look who sends it, and where the device is'],
  'other-terminal': ['the device stands for another terminal', 'assign the device, or correct the sender'],
  'not-active': ['the device is not active', 'assign or resume it, or use another one'],
  'other-type': ['type sent, key set and device differ', 'correct the inventory, or the sender'],
  locked: ['device or entity has failed too often', 'find the cause, then `devices unlock`'],
  'ksn-used': ['another sale has used the KSN', 'look for a copy of the data: it was sent before'],
  undecipherable: ['padding, MAC or content are wrong', 'compare keys and type of the device'],
} as const satisfies ErrorGroup;

/** The check that a wallet's token failed; who sent it learns the code, and nothing of the token. */
export const WALLET_TOKEN_CHECKS = {
  'not-set-up': ['the entity has no key of this wallet', 'make one with `wallets create`'],
  format: ['the token does not follow the scheme', 'send what the wallet gave, unchanged'],
  version: ['the version of the scheme is not taken', 'ask the wallet for a version that is documented'],
  chain: ['the signing key leads to no root', 'compare the roots: `wallets roots list`'],
  signature: ['the signature does not stand', 'send what the wallet gave, unchanged'],
  merchant: ['the token is for another merchant or key', 'compare identifier and public key with the wallet'],
  expiry: ['the token or its signing key has expired', 'ask the shopper to pay again'],
  amount: ['amount or currency are not those of the payment', 'send what the shopper agreed to'],
  replay: ['another payment has used the token', 'ask the shopper to pay again'],
} as const satisfies ErrorGroup;

/** Codes of {@link UserError}. */
export const USER_ERRORS = {
  unknown: ['there is no such user', '`users list` shows them'],
  self: ['users do not change their own roles', 'another administrator does'],
  elsewhere: ['the user has roles for merchants that are not yours', 'an operator can do this'],
  'operator-only': ['the user is an operator', 'another operator can do this'],
  'no-entity': ['there is no such merchant or channel', '`entity list` shows them'],
  'has-account': ['the address belongs to a user elsewhere', 'an operator can give a role'],
  'too-many': ['the merchant or channel has its most users', 'remove one first'],
  removed: ['the user was removed', 'invite the address again'],
} as const satisfies ErrorGroup;

/** Codes of {@link InventoryError}. */
export const INVENTORY_ERRORS = {
  'unknown-device': ['there is no such device', 'correct the serial'],
  'unknown-entity': ['there is no such merchant or channel', 'name one of `entity list`'],
  'unknown-agent': ['there is no such agent', 'name one of `agents`'],
  'unknown-terminal': ['the agent has no such terminal', 'name a terminal of the agent'],
  'foreign-place': ['the place belongs to another entity', 'use a device of that entity'],
  'wrong-state': ['the device may not take this step in its state', 'see the states in the documentation'],
  'terminal-taken': ['another device stands for the terminal', 'swap the devices, or decommission the other'],
  taken: ['serial or initial KSN is another device’s', 'correct the device; show names the other one'],
  'too-many': ['the list has more devices than an import takes', 'import it in parts'],
  busy: ['the device changed again and again meanwhile', 'try again'],
} as const satisfies ErrorGroup;

/** Codes of {@link WebhookError}. */
export const WEBHOOK_ERRORS = {
  'unknown-endpoint': ['there is no such webhook endpoint', 'name one of `webhooks list`'],
  'unknown-delivery': ['the endpoint has no such delivery', 'name one of `webhooks log`'],
  'unknown-entity': ['there is no such merchant or channel', 'name one of `entity list`'],
  'refused-url': ['the URL cannot be used', 'use an https URL without a user'],
  'wrong-state': ['the endpoint may not take this step in its state', 'show it, then choose another step'],
  'too-many': ['the entity has its most endpoints', 'remove one'],
  'wide-window': ['the time has too many deliveries to send again', 'name a narrower time'],
  busy: ['the endpoint changed again and again meanwhile', 'try again'],
} as const satisfies ErrorGroup;

/** Codes of {@link AgentCommandError}. */
export const AGENT_COMMAND_ERRORS = {
  'unknown-agent': ['there is no such agent', 'name one of `agents list`'],
  'unknown-command': ['the agent has no such command', 'correct the id'],
  'wrong-reference': [
    'the command takes no reference, or lacks one',
    'name a reference with `cancel-sale`, or with `status`, and with no other command',
  ],
  revoked: ['the agent is revoked', 'replace the agent'],
  'too-many': ['too many commands wait for the agent', 'wait for their results'],
} as const satisfies ErrorGroup;

/** Codes of {@link StoreUnavailableError}: those of a SQLite file, and of a PostgreSQL server. */
export const STORE_FAULTS = {
  ...DATABASE_FAULTS,
  unreachable: [
    'the database server cannot be reached, or takes no connection',
    'check the server and `DATABASE_URL`; work goes on by itself once it answers',
  ],
} as const satisfies ErrorGroup;

/** Codes of {@link ScheduleError}. */
export const SCHEDULE_ERRORS = {
  'unknown-schedule': ['there is no such schedule', 'name one of `schedules list`'],
  'not-scheduled': ['the schedule runs no more', 'create another one'],
  'without-agreement': [
    'the registration holds no agreement, and no first payment is named',
    'register with `standingInstruction.mode` INITIAL, pay so by the registration, or send `standingInstruction.initialTransactionId`',
  ],
  'unknown-card': ['no card is kept under the registration or payment', 'name one of this entity'],
  'too-many': ['the card has its most schedules', 'deschedule one'],
  'wrong-job': ['the job is not one that can be carried out', 'correct the parameter that is named'],
  busy: ['the schedule changed again and again meanwhile', 'try again'],
} as const satisfies ErrorGroup;

/** Every rule a key store refuses by. */
export const KEY_STORE_RULES = {
  badFile: ['the key store file cannot be read as a key store', 'restore the file from its backup'],
  wrongMode: [
    'the key store belongs to the other mode; test and live keep separate stores',
    'use the home of the configured mode',
  ],
  wrongMasterKey: [
    'a key does not open: another master key, or the file was changed',
    'restore key store and master key together',
  ],
  kcvMismatch: ['the check value of a key differs from the one stored with it', 'enter the key again'],
  testKeyInLive: ['a published test key is refused in live mode', 'load a key of your own'],
  keyExists: ['another key with this id, or with this use and scope, is there already', 'rotate that key'],
  storeFull: ['the store has its most keys', 'use another store'],
  badKey: ['the key has not the length or the parity of its algorithm', 'enter the key again'],
  badUse: ['the algorithm does not serve this use', 'choose an algorithm of this use'],
  badComponents: ['the components do not make a key', 'enter the components again'],
  notRotatable: [
    'keys of devices or cards come from this one, or it wraps others; bring the new one in next to it, with its own scope',
    'add the new key with its own scope; for the vault `vault rotate --kek`',
  ],
  retired: ['the key was rotated already; its successor can be rotated', 'rotate its successor'],
  noKey: ['no key of this use fits', 'load a key of this use and scope'],
} as const satisfies ErrorGroup;

/** Why a request of the gateway's own, such as a webhook, got no answer. */
export const EGRESS_ERRORS = {
  'refused-url': ['the URL may not be called', 'use https, and no user in the URL'],
  'unusable-host': [
    'the host has no address, or one of a private network; which of the two, the gateway shows to its operator alone',
    'use a host with public addresses, or let the operator allow the network in `egress.allow`',
  ],
  'redirect-refused': ['the redirect may not be followed', 'answer without a redirect'],
  unreachable: ['no connection, or it ended early', 'look at the receiver and its certificate'],
  'timed-out': ['no answer in time', 'answer first, then do the work'],
  'answer-too-long': ['the answer is longer than the limit', 'answer with less'],
} as const satisfies ErrorGroup;

/** All errors of the package `gateway`. */
export const ERROR_TABLE = {
  RequestRefused: REST_ERRORS,
  'Exit codes': EXIT_CODES,
  'Errors that end a command': OPERATOR_ERRORS,
  'Goodbye of the bridge': GOODBYE_CODES,
  ParkReason: PARK_REASONS,
  AccountDataError: ACCOUNT_DATA_FAULTS,
  WalletTokenError: WALLET_TOKEN_CHECKS,
  AgentCommandError: AGENT_COMMAND_ERRORS,
  InventoryError: INVENTORY_ERRORS,
  EgressError: EGRESS_ERRORS,
  ScheduleError: SCHEDULE_ERRORS,
  UserError: USER_ERRORS,
  WebhookError: WEBHOOK_ERRORS,
  SecurityModuleError: SECURITY_MODULE_ERRORS,
  StoreUnavailableError: STORE_FAULTS,
  KeyStoreError: KEY_STORE_RULES,
} as const satisfies ErrorTable;

/** Codes that were given up, as `Group code`; none of them is used again. */
export const RETIRED: readonly string[] = [];
