/** Every security event by its name, and what it reports. They go to the security log as well, which nothing else goes to. */
export const SECURITY_EVENTS = {
  started: 'the program began to serve',
  ended: 'the program was stopped by a signal or a command',
  'strangers-refused':
    'requests and connections of strangers were refused: counts of an hour, by kind and class of address',
  command:
    'an operator’s command, or a change by an administrator over REST: tokens, rights, keys, agents, devices, files',
  alert:
    'an alert was raised: cards that come again, wrong codes, copies of agents, restored databases, held messages and the like',
  'agent-enrolled': 'an agent has proven itself with an enrolment code',
  'token-created': 'a till was given a token',
  'till-signed-in': 'a browser was signed in as a till, by a code or a token',
  'sign-in-code': 'a one-time code was made that signs a till in',
  'token-revoked': 'the token of a till was taken away',
  'device-registered': 'a device was registered as that of a terminal',
  'device-foreign': 'another device stands in place of the registered one',
  'gateway-unproven': 'who answered for the gateway could not prove to be it',
  'gateway-keys': 'the gateway, proven, named other keys of itself',
  'policy-changed': 'the store has another policy',
  'policy-refused': 'a policy of the store was older, or not signed for this agent',
  'gateway-command': 'a command of the gateway was carried out',
  'journal-standing': 'the journal is in good standing no more, or again',
} as const;

/** The name of a security event. */
type SecurityEvent = keyof typeof SECURITY_EVENTS;

/** The name of the field that marks a line. */
const FIELD = 'securityEvent';

/** What makes a line one of the security log: the first of its fields. */
export function securityEvent(name: SecurityEvent): { readonly securityEvent: SecurityEvent } {
  return { [FIELD]: name };
}

/** Whether a line with these fields is one of the security log. */
export function isSecurityEvent(about: unknown): boolean {
  return typeof about === 'object' && about !== null && FIELD in about;
}
