// The guards that are mutated, each with the tests that alone may find its mutations: small ones, beside the code. `minimum` is the share in
// percent that must be found; gateway/docs/mutation-report.md explains the others.
const GATEWAY = 'gateway/src';
const gateway = (...names) => names.map((name) => `${GATEWAY}/${name}`);

const net = (...names) => names.map((name) => `protocol/platform/src/net/${name}`);
const log = (...names) => names.map((name) => `protocol/platform/src/log/${name}`);

export const GUARDS = [
  {
    name: 'device gate',
    mutate: gateway(
      'security/devices/admit-device.ts',
      'security/devices/account-failures.ts',
      'security/devices/ksn-use.ts',
      'security/devices/ksn.ts',
      'security/devices/key-profile.ts',
    ),
    tests: gateway('security/devices/*.test.ts'),
    minimum: 96,
  },
  {
    name: 'session and enrolment',
    mutate: [
      ...gateway('core/bridge/enrolment/decide-hello.ts', 'core/bridge/enrolment/decide-enrolment.ts'),
      ...gateway('core/bridge/session-machine.ts'),
    ],
    tests: [
      ...gateway('core/bridge/enrolment/decide-*.test.ts'),
      ...gateway('core/bridge/session-machine.test.ts'),
    ],
    minimum: 99,
  },
  {
    name: 'throttle',
    mutate: gateway('kernel/http/throttle/admission.ts', 'kernel/http/throttle/token-bucket.ts'),
    tests: gateway('kernel/http/throttle/*.test.ts', 'kernel/http/legacy/hooks.test.ts'),
    minimum: 97,
  },
  {
    name: 'authentication',
    mutate: gateway('kernel/http/request/authenticate.ts', 'kernel/http/request/caller.ts'),
    tests: gateway(
      'kernel/http/request/*.test.ts',
      'kernel/http/legacy/hooks.test.ts',
      'app/http/metrics/routes.test.ts',
    ),
    minimum: 98,
  },
  {
    name: 'floods',
    mutate: [
      ...net('answer-in-turn.ts', 'end-stalled.ts', 'strangers.ts', 'admit-strangers.ts', 'pace.ts'),
      ...gateway('kernel/http/limits/admit-strangers.ts'),
    ],
    tests: [
      ...net('{answer-in-turn,end-stalled,strangers,admit-strangers,pace}.test.ts'),
      ...gateway('kernel/http/limits/admit-strangers.test.ts'),
    ],
    minimum: 90,
  },
  {
    name: 'restored database',
    mutate: gateway('security/restored-database/reapply.ts', 'security/restored-database/trust-record.ts'),
    tests: gateway('security/restored-database/{reapply,trust-record}.test.ts'),
    minimum: 85,
  },
  {
    name: 'restore record',
    mutate: gateway(
      'security/restored-database/record-file.ts',
      'security/restored-database/trust-entry.ts',
      'security/restored-database/put-back.ts',
      'security/restored-database/restore-watch.ts',
    ),
    tests: gateway('security/restored-database/{reapply,trust-entry,record-file,restore-watch}.test.ts'),
    minimum: 80,
  },
  {
    name: 'places on the bridge',
    mutate: gateway('core/bridge/limits/unproven-sockets.ts', 'core/bridge/limits/known-agents.ts'),
    tests: gateway(
      'core/bridge/limits/{unproven-sockets,known-agents}.test.ts',
      'core/bridge/arrivals-of-agents.test.ts',
    ),
    minimum: 90,
  },
  {
    name: 'logs and strangers',
    mutate: [
      ...log('stranger-log.ts', 'log-file.ts', 'log.ts', 'security-events.ts'),
      `${GATEWAY}/kernel/audit/security-trail.ts`,
      ...gateway('kernel/http/request/request-log.ts'),
    ],
    tests: [
      ...log('{log,log-file,stranger-log}.test.ts'),
      `${GATEWAY}/kernel/audit/security-trail.test.ts`,
      ...gateway('kernel/http/request/request-log.test.ts'),
    ],
    minimum: 84,
  },
  {
    name: 'audit of commands',
    mutate: gateway('kernel/audit/recorded-command.ts'),
    tests: gateway('kernel/audit/recorded-command.test.ts'),
    minimum: 93,
  },
  {
    name: 'idempotency',
    mutate: gateway('core/payment-api/idempotency/decide.ts', 'core/payment-api/idempotency/hooks.ts'),
    tests: gateway('core/payment-api/idempotency/{decide,hooks}.test.ts'),
    minimum: 95,
  },
  {
    name: 'message handler',
    mutate: gateway('core/bridge/message-handler.ts'),
    tests: gateway('core/bridge/{message-handler,session-guards}.test.ts'),
    minimum: 95,
  },
  {
    name: 'account data',
    mutate: gateway('core/payments/steps/admit-account-data.ts'),
    tests: gateway('core/payments/steps/{account-data,pin-inside}.test.ts'),
    minimum: 83,
  },
  {
    name: 'offline window',
    mutate: [`${GATEWAY}/core/payments/policy/offline-window.ts`],
    tests: [`${GATEWAY}/core/payments/policy/offline-window.test.ts`],
    minimum: 97,
  },
  {
    name: 'card tries',
    mutate: [
      `${GATEWAY}/core/payments/policy/card-tries.ts`,
      ...gateway('core/payments/steps/take-card-try.ts'),
    ],
    tests: [
      `${GATEWAY}/core/payments/policy/card-tries.test.ts`,
      ...gateway('core/payments/steps/card-tries.test.ts'),
    ],
    minimum: 94,
  },
  {
    name: 'failed tries of a token',
    mutate: gateway('kernel/http/throttle/failed-tries.ts'),
    tests: gateway('kernel/http/throttle/failed-tries.test.ts'),
    minimum: 83,
  },
  {
    name: 'schedule interval',
    mutate: [`${GATEWAY}/features/schedules/rules/shortest-interval.ts`],
    tests: [`${GATEWAY}/features/schedules/rules/shortest-interval.test.ts`],
    minimum: 94,
  },
  {
    name: 'rights of payments',
    mutate: gateway('core/payment-api/payment-right.ts'),
    tests: gateway('kernel/http/request/rights.test.ts'),
    minimum: 92,
  },
  {
    name: 'simulator of a merchant',
    mutate: gateway(
      'features/settlement/routes/own-transactions.ts',
      'features/settlement/routes/simulator.ts',
    ),
    tests: gateway('features/settlement/routes/simulator.test.ts'),
    minimum: 88,
  },
  {
    name: 'receipts of transfers',
    mutate: gateway(
      'features/settlement/import/transfer-receipts.ts',
      'features/settlement/import/payments-of-acquirer.ts',
      'core/payments/lookup/transfers.ts',
    ),
    tests: gateway(
      'features/settlement/import/{transfer-receipts,payments-of-acquirer}.test.ts',
      'core/payments/lookup/transfers.test.ts',
    ),
    minimum: 85,
  },
  {
    name: 'cells and return addresses',
    mutate: [
      'gateway/src/features/settlement/rules/cell.ts',
      ...gateway('features/checkouts/shopper/app-schemes.ts'),
      'gateway/src/kernel/api/return-url.ts',
    ],
    tests: [
      'gateway/src/features/settlement/rules/cell.test.ts',
      ...gateway('features/checkouts/shopper/asynchronous.test.ts'),
      'gateway/src/kernel/api/return-url.test.ts',
    ],
    minimum: 85,
  },
  {
    name: 'calls and lines outside',
    mutate: [
      `${GATEWAY}/kernel/egress/egress.ts`,
      `${GATEWAY}/kernel/egress/target.ts`,
      `${GATEWAY}/core/acquirers/iso8583/link/host-line.ts`,
    ],
    tests: [
      `${GATEWAY}/kernel/egress/egress.test.ts`,
      `${GATEWAY}/core/acquirers/iso8583/link/host-link.test.ts`,
    ],
    minimum: 80,
  },
  {
    name: 'results of 3D Secure',
    mutate: [`${GATEWAY}/features/three-d-secure/rules/session.ts`],
    tests: [
      `${GATEWAY}/features/three-d-secure/rules/session.test.ts`,
      `${GATEWAY}/features/three-d-secure/service.test.ts`,
    ],
    minimum: 87,
  },
  {
    name: 'commands of FTP',
    mutate: [`${GATEWAY}/features/settlement/ftp/control-lines.ts`],
    tests: [`${GATEWAY}/features/settlement/ftp/control-lines.test.ts`],
    minimum: 98,
  },
  {
    name: 'nexo in clear and aborts',
    mutate: ['agent/src/nexo/server/plain-messages.ts', 'agent/src/nexo/service/abort.ts'],
    tests: ['agent/src/nexo/server/plain-messages.test.ts', 'agent/src/nexo/service/till-keys.test.ts'],
    minimum: 86,
  },
];
