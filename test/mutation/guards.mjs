// The guards that are mutated, each with the tests that alone may find its mutations: small ones, beside the code. `minimum` is the share in
// percent that must be found; gateway/docs/mutation-report.md explains the others.
const GATEWAY = 'gateway/src';

const devices = (...names) => names.map((name) => `${GATEWAY}/security/devices/${name}`);
const http = (...names) => names.map((name) => `${GATEWAY}/http/${name}`);
const bridge = (...names) => names.map((name) => `${GATEWAY}/bridge/${name}`);
const agents = (...names) => names.map((name) => `${GATEWAY}/agents/${name}`);
const net = (...names) => names.map((name) => `protocol/src/platform/net/${name}`);
const log = (...names) => names.map((name) => `protocol/src/platform/log/${name}`);
const restore = (...names) => names.map((name) => `${GATEWAY}/restore/${name}`);
const flow = (...names) => names.map((name) => `${GATEWAY}/payments/flow/${name}`);

export const GUARDS = [
  {
    name: 'device gate',
    mutate: devices('admit-device.ts', 'account-failures.ts', 'ksn-use.ts', 'ksn.ts', 'key-profile.ts'),
    tests: devices('*.test.ts'),
    minimum: 96,
  },
  {
    name: 'session and enrolment',
    mutate: [...agents('decide-hello.ts', 'decide-enrolment.ts'), ...bridge('session-machine.ts')],
    tests: [...agents('decide-*.test.ts'), ...bridge('session-machine.test.ts')],
    minimum: 99,
  },
  {
    name: 'throttle',
    mutate: http('throttle/admission.ts', 'throttle/token-bucket.ts'),
    tests: http('throttle/*.test.ts', 'legacy/hooks.test.ts'),
    minimum: 97,
  },
  {
    name: 'authentication',
    mutate: http('request/authenticate.ts', 'request/caller.ts'),
    tests: http('request/*.test.ts', 'legacy/hooks.test.ts', 'metrics/routes.test.ts'),
    minimum: 98,
  },
  {
    name: 'floods',
    mutate: [
      ...net('answer-in-turn.ts', 'end-stalled.ts', 'strangers.ts', 'admit-strangers.ts', 'pace.ts'),
      ...http('limits/admit-strangers.ts'),
    ],
    tests: [
      ...net('{answer-in-turn,end-stalled,strangers,admit-strangers,pace}.test.ts'),
      ...http('limits/admit-strangers.test.ts'),
    ],
    minimum: 90,
  },
  {
    name: 'restored database',
    mutate: restore('reapply.ts', 'trust-record.ts'),
    tests: restore('{reapply,trust-record}.test.ts'),
    minimum: 85,
  },
  {
    name: 'places on the bridge',
    mutate: bridge('limits/unproven-sockets.ts', 'limits/known-agents.ts'),
    tests: bridge('limits/{unproven-sockets,known-agents}.test.ts', 'arrivals-of-agents.test.ts'),
    minimum: 90,
  },
  {
    name: 'logs and strangers',
    mutate: [
      ...log('stranger-log.ts', 'log-file.ts', 'log.ts', 'security-events.ts'),
      `${GATEWAY}/audit/security-trail.ts`,
      ...http('request/request-log.ts'),
    ],
    tests: [
      ...log('{log,log-file,stranger-log}.test.ts'),
      `${GATEWAY}/audit/security-trail.test.ts`,
      ...http('request/request-log.test.ts'),
    ],
    minimum: 84,
  },
  {
    name: 'idempotency',
    mutate: http('idempotency/decide.ts', 'idempotency/hooks.ts'),
    tests: http('idempotency/{decide,hooks}.test.ts'),
    minimum: 95,
  },
  {
    name: 'message handler',
    mutate: bridge('message-handler.ts'),
    tests: bridge('{message-handler,session-guards}.test.ts'),
    minimum: 95,
  },
  {
    name: 'account data',
    mutate: flow('admit-account-data.ts'),
    tests: flow('{account-data,pin-inside}.test.ts'),
    minimum: 83,
  },
  {
    name: 'offline window',
    mutate: [`${GATEWAY}/payments/policy/offline-window.ts`],
    tests: [`${GATEWAY}/payments/policy/offline-window.test.ts`],
    minimum: 97,
  },
  {
    name: 'card tries',
    mutate: [`${GATEWAY}/payments/policy/card-tries.ts`, ...flow('take-card-try.ts')],
    tests: [`${GATEWAY}/payments/policy/card-tries.test.ts`, ...flow('card-tries.test.ts')],
    minimum: 94,
  },
  {
    name: 'failed tries of a token',
    mutate: http('throttle/failed-tries.ts'),
    tests: http('throttle/failed-tries.test.ts'),
    minimum: 83,
  },
  {
    name: 'schedule interval',
    mutate: [`${GATEWAY}/schedules/decide/shortest-interval.ts`],
    tests: [`${GATEWAY}/schedules/decide/shortest-interval.test.ts`],
    minimum: 94,
  },
  {
    name: 'rights of payments',
    mutate: http('payments/payment-right.ts'),
    tests: http('request/rights.test.ts'),
    minimum: 92,
  },
  {
    name: 'simulator of a merchant',
    mutate: http('simulator/own-transactions.ts', 'simulator/routes.ts'),
    tests: http('simulator/routes.test.ts'),
    minimum: 88,
  },
  {
    name: 'cells and return addresses',
    mutate: [
      'gateway/src/settlement/decide/cell.ts',
      ...http('shopper/app-schemes.ts'),
      'protocol/src/api/return-url.ts',
    ],
    tests: [
      'gateway/src/settlement/decide/cell.test.ts',
      ...http('shopper/asynchronous.test.ts'),
      'protocol/src/api/return-url.test.ts',
    ],
    minimum: 85,
  },
  {
    name: 'calls and lines outside',
    mutate: [
      `${GATEWAY}/egress/egress.ts`,
      `${GATEWAY}/egress/target.ts`,
      `${GATEWAY}/acquirers/iso8583/link/host-line.ts`,
    ],
    tests: [`${GATEWAY}/egress/egress.test.ts`, `${GATEWAY}/acquirers/iso8583/link/host-link.test.ts`],
    minimum: 80,
  },
  {
    name: 'results of 3D Secure',
    mutate: [`${GATEWAY}/three-d-secure/decide/session.ts`],
    tests: [`${GATEWAY}/three-d-secure/decide/session.test.ts`, `${GATEWAY}/three-d-secure/service.test.ts`],
    minimum: 87,
  },
  {
    name: 'commands of FTP',
    mutate: [`${GATEWAY}/ftp/control-lines.ts`],
    tests: [`${GATEWAY}/ftp/control-lines.test.ts`],
    minimum: 64,
  },
  {
    name: 'nexo in clear and aborts',
    mutate: ['agent/src/nexo/server/plain-messages.ts', 'agent/src/nexo/service/abort.ts'],
    tests: ['agent/src/nexo/server/plain-messages.test.ts', 'agent/src/nexo/service/till-keys.test.ts'],
    minimum: 86,
  },
];
