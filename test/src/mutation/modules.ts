/** Code that decides, and the tests that must notice each change of it: small ones, on the store in memory. */
export interface MutatedModule {
  readonly name: string;
  /** Globs from the root. */
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  /** Least share that tests must notice, in percent. */
  readonly minimum: number;
}

/** What `npm run mutations` changes; `test/docs/mutations.md` is made from it. */
export const MODULES: readonly MutatedModule[] = [
  // ---- Guards ----
  {
    name: 'device gate',
    mutate: [
      'gateway/src/security/devices/admit-device.ts',
      'gateway/src/security/devices/account-failures.ts',
      'gateway/src/security/devices/ksn-use.ts',
      'gateway/src/security/devices/ksn.ts',
      'gateway/src/security/devices/key-profile.ts',
    ],
    tests: ['gateway/src/security/devices/*.test.ts'],
    minimum: 97,
  },
  {
    name: 'session and enrolment',
    mutate: [
      'gateway/src/core/bridge/enrolment/decide-hello.ts',
      'gateway/src/core/bridge/enrolment/decide-enrolment.ts',
      'gateway/src/core/bridge/session-machine.ts',
    ],
    tests: [
      'gateway/src/core/bridge/enrolment/decide-*.test.ts',
      'gateway/src/core/bridge/session-machine.test.ts',
    ],
    minimum: 99,
  },
  {
    name: 'throttle',
    mutate: [
      'gateway/src/kernel/http/throttle/admission.ts',
      'gateway/src/kernel/http/throttle/token-bucket.ts',
    ],
    tests: ['gateway/src/kernel/http/throttle/{refusals,token-bucket}.test.ts'],
    minimum: 98,
  },
  {
    name: 'authentication',
    mutate: ['gateway/src/kernel/http/request/authenticate.ts', 'gateway/src/kernel/http/request/caller.ts'],
    tests: [
      'gateway/src/kernel/http/request/*.test.ts',
      'gateway/src/kernel/http/legacy/hooks.test.ts',
      'gateway/src/kernel/http/limits/admit-strangers.test.ts',
      'gateway/src/app/http/metrics/routes.test.ts',
    ],
    minimum: 97,
  },
  {
    name: 'floods',
    mutate: [
      'protocol/platform/src/net/answer-in-turn.ts',
      'protocol/platform/src/net/end-stalled.ts',
      'protocol/platform/src/net/strangers.ts',
      'protocol/platform/src/net/admit-strangers.ts',
      'protocol/platform/src/net/pace.ts',
      'gateway/src/kernel/http/limits/admit-strangers.ts',
    ],
    tests: [
      'protocol/platform/src/net/{answer-in-turn,end-stalled,strangers,admit-strangers,pace}.test.ts',
      'gateway/src/kernel/http/limits/admit-strangers.test.ts',
    ],
    minimum: 95,
  },
  {
    name: 'restored database',
    mutate: [
      'gateway/src/security/restored-database/reapply.ts',
      'gateway/src/security/restored-database/trust-record.ts',
    ],
    tests: ['gateway/src/security/restored-database/{reapply,trust-record}.test.ts'],
    minimum: 95,
  },
  {
    name: 'restore record',
    mutate: [
      'gateway/src/security/restored-database/record-file.ts',
      'gateway/src/security/restored-database/trust-entry.ts',
      'gateway/src/security/restored-database/put-back.ts',
      'gateway/src/security/restored-database/restore-watch.ts',
    ],
    tests: [
      'gateway/src/security/restored-database/{reapply,trust-entry,record-file,put-back,restore-watch}.test.ts',
    ],
    minimum: 97,
  },
  {
    name: 'places on the bridge',
    mutate: [
      'gateway/src/core/bridge/limits/unproven-sockets.ts',
      'gateway/src/core/bridge/limits/known-agents.ts',
    ],
    tests: ['gateway/src/core/bridge/limits/{unproven-sockets,known-agents}.test.ts'],
    minimum: 96,
  },
  {
    name: 'logs and strangers',
    mutate: [
      'protocol/platform/src/log/stranger-log.ts',
      'protocol/platform/src/log/log-file.ts',
      'protocol/platform/src/log/log.ts',
      'protocol/platform/src/log/security-events.ts',
      'gateway/src/kernel/audit/security-trail.ts',
      'gateway/src/kernel/http/request/request-log.ts',
    ],
    tests: [
      'protocol/platform/src/log/{log,log-file,stranger-log}.test.ts',
      'gateway/src/kernel/audit/security-trail.test.ts',
      'gateway/src/kernel/http/request/request-log.test.ts',
    ],
    minimum: 95,
  },
  {
    name: 'audit of commands',
    mutate: ['gateway/src/kernel/audit/recorded-command.ts'],
    tests: ['gateway/src/kernel/audit/recorded-command.test.ts'],
    minimum: 93,
  },
  {
    name: 'idempotency',
    mutate: [
      'gateway/src/core/payment-api/idempotency/decide.ts',
      'gateway/src/core/payment-api/idempotency/hooks.ts',
    ],
    tests: ['gateway/src/core/payment-api/idempotency/*.test.ts'],
    minimum: 97,
  },
  {
    name: 'message handler',
    mutate: ['gateway/src/core/bridge/message-handler.ts'],
    tests: ['gateway/src/core/bridge/{message-handler,session-guards}.test.ts'],
    minimum: 98,
  },
  {
    name: 'account data',
    mutate: ['gateway/src/core/payments/steps/admit-account-data.ts'],
    tests: ['gateway/src/core/payments/steps/{account-data,pin-inside}.test.ts'],
    minimum: 98,
  },
  {
    name: 'offline window',
    mutate: ['gateway/src/core/payments/policy/offline-window.ts'],
    tests: ['gateway/src/core/payments/policy/offline-window.test.ts'],
    minimum: 98,
  },
  {
    name: 'card tries',
    mutate: [
      'gateway/src/core/payments/policy/card-tries.ts',
      'gateway/src/core/payments/steps/take-card-try.ts',
    ],
    tests: [
      'gateway/src/core/payments/policy/card-tries.test.ts',
      'gateway/src/core/payments/steps/card-tries.test.ts',
    ],
    minimum: 98,
  },
  {
    name: 'failed tries of a token',
    mutate: ['gateway/src/kernel/http/throttle/failed-tries.ts'],
    tests: ['gateway/src/kernel/http/throttle/failed-tries.test.ts'],
    minimum: 96,
  },
  {
    name: 'schedule interval',
    mutate: ['gateway/src/features/schedules/rules/shortest-interval.ts'],
    tests: ['gateway/src/features/schedules/rules/shortest-interval.test.ts'],
    minimum: 94,
  },
  {
    name: 'rights of payments',
    mutate: ['gateway/src/core/payment-api/payment-right.ts'],
    tests: ['gateway/src/kernel/http/request/rights.test.ts'],
    minimum: 93,
  },
  {
    name: 'simulator of a merchant',
    mutate: [
      'gateway/src/features/settlement/routes/own-transactions.ts',
      'gateway/src/features/settlement/routes/simulator.ts',
    ],
    tests: ['gateway/src/features/settlement/routes/simulator.test.ts'],
    minimum: 97,
  },
  {
    name: 'receipts of transfers',
    mutate: [
      'gateway/src/features/settlement/import/transfer-receipts.ts',
      'gateway/src/features/settlement/import/payments-of-acquirer.ts',
      'gateway/src/core/payments/lookup/transfers.ts',
    ],
    tests: [
      'gateway/src/features/settlement/import/{transfer-receipts,payments-of-acquirer}.test.ts',
      'gateway/src/core/payments/lookup/transfers.test.ts',
    ],
    minimum: 98,
  },
  {
    name: 'cells and return addresses',
    mutate: [
      'gateway/src/kernel/api/cell.ts',
      'gateway/src/features/checkouts/shopper/app-schemes.ts',
      'gateway/src/kernel/api/return-url.ts',
    ],
    tests: [
      'gateway/src/kernel/api/cell.test.ts',
      'gateway/src/features/checkouts/shopper/app-schemes.test.ts',
      'gateway/src/kernel/api/return-url.test.ts',
    ],
    minimum: 95,
  },
  {
    name: 'calls and lines outside',
    mutate: [
      'gateway/src/kernel/egress/egress.ts',
      'gateway/src/kernel/egress/target.ts',
      'gateway/src/core/acquirers/iso8583/link/host-line.ts',
    ],
    tests: [
      'gateway/src/kernel/egress/egress.test.ts',
      'gateway/src/core/acquirers/iso8583/link/host-link.test.ts',
    ],
    minimum: 80,
  },
  {
    name: 'results of 3D Secure',
    mutate: ['gateway/src/features/three-d-secure/rules/session.ts'],
    tests: ['gateway/src/features/three-d-secure/rules/session.test.ts'],
    minimum: 99,
  },
  {
    name: 'commands of FTP',
    mutate: ['gateway/src/features/settlement/ftp/control-lines.ts'],
    tests: ['gateway/src/features/settlement/ftp/control-lines.test.ts'],
    minimum: 98,
  },
  {
    name: 'nexo in clear and aborts',
    mutate: ['agent/src/nexo/server/plain-messages.ts', 'agent/src/nexo/service/abort.ts'],
    tests: [
      'agent/src/nexo/server/plain-messages.test.ts',
      'agent/src/nexo/service/{till-keys,nexo-service}.test.ts',
    ],
    minimum: 97,
  },
  // ---- Rules of money ----
  {
    name: 'settlement and fees',
    mutate: [
      'gateway/src/features/settlement/rules/{account,fees,ledger-line,record,exchange}.ts',
      'gateway/src/features/settlement/{exchange-rates,settlement-pages}.ts',
    ],
    tests: [
      'gateway/src/features/settlement/rules/{exchange,ledger-line,record}.test.ts',
      'gateway/src/features/settlement/{exchange-rates,settlement-pages}.test.ts',
    ],
    minimum: 97,
  },
  {
    name: 'files of settlement',
    mutate: ['gateway/src/features/settlement/rules/{columns,import-row}.ts'],
    tests: ['gateway/src/features/settlement/rules/{columns,import-row}.test.ts'],
    minimum: 95,
  },
  {
    name: 'money and results',
    mutate: ['protocol/wire/src/payment/{money,minor-digits,creditor-reference,expiry}.ts'],
    tests: ['protocol/wire/src/payment/**/*.test.ts'],
    minimum: 95,
  },
  {
    name: 'follow-ups',
    mutate: [
      'protocol/wire/src/payment/{decide-follow-up,lifecycle}.ts',
      'gateway/src/core/payments/rules/{apply-follow-up,follow-up-rows,lifecycle-facts,amount-rules,continuation,chargeback}.ts',
    ],
    tests: [
      'protocol/wire/src/payment/{decide-follow-up,lifecycle}.test.ts',
      'gateway/src/core/payments/rules/{apply-follow-up,follow-up-rows,lifecycle-facts}.test.ts',
      'gateway/src/core/payments/rules/{amount-rules,continuation,chargeback}.test.ts',
    ],
    minimum: 99,
  },
  {
    name: 'outcomes of payments',
    mutate: [
      'gateway/src/core/payments/rules/{record-outcome,decide-claim,drafts,results,waits,wait-changes,message-changes,message-content,sale-of,instrument}.ts',
    ],
    tests: [
      'gateway/src/core/payments/rules/{decide-claim,drafts,instrument,message-changes,message-content}.test.ts',
      'gateway/src/core/payments/rules/{record-outcome,results,sale-of,wait-changes}.test.ts',
    ],
    minimum: 97,
  },
  {
    name: 'cards of payments',
    mutate: [
      'gateway/src/core/payments/rules/{atc-replay,bin-table,check-card,prepared-card,verification-results,assess-risk}.ts',
    ],
    tests: [
      'gateway/src/core/payments/rules/{atc-replay,bin-table,check-card,verification-results,assess-risk}.test.ts',
    ],
    minimum: 96,
  },
  {
    name: 'offline limits',
    mutate: [
      'gateway/src/core/payments/policy/{offline-evidence,offline-limits,store-policy,policy-refusal}.ts',
      'gateway/src/core/payments/steps/{check-offline,take-window}.ts',
    ],
    tests: [
      'gateway/src/core/payments/policy/*.test.ts',
      'gateway/src/core/payments/steps/check-offline.test.ts',
    ],
    minimum: 95,
  },
  {
    name: 'carts, gift cards and agreements',
    mutate: [
      'gateway/src/core/payments/cart/{cart-payments,reverse-payment}.ts',
      'gateway/src/core/payments/instruments/{agreements,end-cart,proof-use,seller-parts,standing-instruction}.ts',
      'gateway/src/core/payments/cards/{claim-agreement,register,registered}.ts',
    ],
    tests: [
      'gateway/src/core/payments/cart/{cart-payments,reverse-payment}.test.ts',
      'gateway/src/core/payments/{instruments,cards}/*.test.ts',
    ],
    minimum: 98,
  },
  {
    name: 'exchanges with a host',
    mutate: [
      'gateway/src/core/acquirers/iso8583/rules/{decide-exchange,exchange-*,unanswered,followed,mapping,parts}.ts',
    ],
    tests: ['gateway/src/core/acquirers/iso8583/rules/*.test.ts'],
    minimum: 98,
  },
  {
    name: 'stand-ins and totals of a host',
    mutate: [
      'gateway/src/core/acquirers/iso8583/rules/{decide-stand-in,day-totals,forwarding-order,host-movements,message-times,record-entry,request-details}.ts',
    ],
    tests: ['gateway/src/core/acquirers/iso8583/rules/*.test.ts'],
    minimum: 98,
  },
  {
    name: 'comparison of totals with a host',
    mutate: ['gateway/src/core/acquirers/iso8583/totals/link-totals.ts'],
    tests: ['gateway/src/core/acquirers/iso8583/totals/*.test.ts'],
    minimum: 99,
  },
  {
    name: 'nodes',
    mutate: ['gateway/src/kernel/nodes/{node-lease,single-work}.ts'],
    tests: ['gateway/src/kernel/nodes/*.test.ts'],
    minimum: 98,
  },
  {
    name: 'claims',
    mutate: ['gateway/src/kernel/workers/{claim-loop,claim-rows,shared-runs}.ts'],
    tests: ['gateway/src/kernel/workers/{claim-loop,claim-rows,claim-property,shared-runs}.test.ts'],
    minimum: 98,
  },
  {
    name: 'rounds decided again',
    mutate: ['gateway/src/kernel/store/{decide-again,claim-agreement}.ts'],
    tests: ['gateway/src/kernel/store/{decide-again,claim-agreement}.test.ts'],
    minimum: 97,
  },
  {
    name: 'owners of payments',
    mutate: ['gateway/src/core/payments/ownership/*.ts'],
    tests: ['gateway/src/core/payments/ownership/ownership.test.ts'],
    minimum: 98,
  },
  {
    name: 'streams of a session',
    mutate: ['gateway/src/core/bridge/{backlog-machine,same-sale,boot-ids,wire-outcome}.ts'],
    tests: ['gateway/src/core/bridge/{backlog-machine,same-sale,boot-ids,wire-outcome}.test.ts'],
    minimum: 97,
  },
  {
    name: 'sessions of agents',
    mutate: ['gateway/src/core/bridge/{retry-parked,journal-heads}.ts'],
    // On the store alone: those of a whole bridge wait for the answers of a socket.
    tests: ['gateway/src/core/bridge/{retry-parked,stored-heads}.test.ts'],
    minimum: 97,
  },
  {
    name: 'checkouts',
    mutate: ['gateway/src/features/checkouts/rules/*.ts'],
    tests: ['gateway/src/features/checkouts/rules/*.test.ts'],
    minimum: 98,
  },
  {
    name: 'schedules',
    mutate: ['gateway/src/features/schedules/rules/{calendar,job-plan,next-run,quartz-expression}.ts'],
    tests: ['gateway/src/features/schedules/rules/*.test.ts'],
    minimum: 97,
  },
  {
    name: 'webhooks',
    mutate: ['gateway/src/features/webhooks/rules/*.ts'],
    tests: ['gateway/src/features/webhooks/**/*.test.ts'],
    minimum: 98,
  },
  {
    name: 'risk',
    mutate: ['gateway/src/features/risk/rules/*.ts'],
    tests: ['gateway/src/features/risk/rules/*.test.ts'],
    minimum: 97,
  },
  {
    name: '3D Secure',
    mutate: ['gateway/src/features/three-d-secure/rules/{answers,areq,field-parameters,plan}.ts'],
    tests: ['gateway/src/features/three-d-secure/rules/*.test.ts'],
    minimum: 97,
  },
  {
    name: 'rules of the API',
    mutate: ['gateway/src/kernel/api/rules/*.ts'],
    tests: ['gateway/src/kernel/api/{rules/*,check/check-request}.test.ts'],
    minimum: 99,
  },
  {
    name: 'devices and their use',
    mutate: [
      'gateway/src/security/devices/device-states.ts',
      'gateway/src/security/use-limits/decide-use.ts',
      'gateway/src/security/vault/upkeep/decide-vault-retention.ts',
      'gateway/src/features/devices/service.ts',
    ],
    tests: [
      'gateway/src/security/{devices,use-limits}/*.test.ts',
      'gateway/src/security/vault/upkeep/*.test.ts',
      'gateway/src/features/devices/service.test.ts',
    ],
    minimum: 97,
  },
  {
    name: 'sale machine',
    mutate: [
      'agent/src/sale/machine/decide.ts',
      'agent/src/sale/machine/steps/*.ts',
      'agent/src/sale/machine/state/{evolve,answer,messages,timeline,policy}.ts',
    ],
    // The rows of decide.test.ts are all in decisions.test.ts, where the whole decision of each is compared.
    tests: ['agent/src/sale/machine/decisions.test.ts', 'agent/src/sale/machine/{state,steps}/*.test.ts'],
    minimum: 98,
  },
  {
    name: 'offline rules of a store',
    mutate: [
      'agent/src/sale/offline/{offline-rules,offline-exposure,offline-policy,record-ages,time-floor,card-verification}.ts',
      'agent/src/sale/policy/policy-in-force.ts',
    ],
    tests: [
      'agent/src/sale/offline/{offline-rules,offline-exposure,offline-policy,record-ages}.test.ts',
      'agent/src/sale/offline/{offline-sums,offline-maxima,time-floor,clock-jumps,card-verification}.test.ts',
      'agent/src/sale/policy/*.test.ts',
    ],
    minimum: 98,
  },
  {
    name: 'totals and receipts',
    mutate: [
      'agent/src/sale/totals/{totals,movements}.ts',
      'agent/src/nexo/service/totals.ts',
      'agent/src/sale/receipts/{receipt-of,receipt-lines,receipt-verdict,compose-receipt}.ts',
    ],
    tests: [
      'agent/src/sale/{totals,receipts}/*.test.ts',
      'agent/src/nexo/service/{nexo-service,till-keys,totals}.test.ts',
    ],
    minimum: 99,
  },
  {
    name: 'nexo',
    mutate: [
      'agent/src/nexo/service/{payment,reversal,refusals,sessions,transaction,transaction-status,login}.ts',
      'agent/src/nexo/messages/{amounts,header,message}.ts',
    ],
    tests: [
      'agent/src/nexo/messages/*.test.ts',
      'agent/src/nexo/service/{nexo-service,calls,till-keys,card-details,totals,sessions,refusals}.test.ts',
    ],
    minimum: 98,
  },
  {
    name: 'uplink',
    mutate: [
      'agent/src/uplink/{connection-machine,stream-sender,send-queues,generation}.ts',
      'agent/src/journal/{forward-projection,forward-queue}.ts',
    ],
    tests: [
      'agent/src/uplink/{connection-machine,stream-sender,send-queues,generation}.test.ts',
      'agent/src/journal/forward-projection.test.ts',
    ],
    minimum: 98,
  },
  {
    name: 'simulated host',
    mutate: [
      'hardware-sim/src/hosts/acquirer/ledger/{decide-reversal,decide-transaction,totals}.ts',
      'hardware-sim/src/three-d-secure/decide-authentication.ts',
    ],
    tests: [
      'hardware-sim/src/hosts/acquirer/ledger/*.test.ts',
      'hardware-sim/src/three-d-secure/decide-authentication.test.ts',
    ],
    minimum: 99,
  },
];
