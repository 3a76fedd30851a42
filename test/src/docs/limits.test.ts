import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGN_IN_CODE_LIMITS } from '@tillbridge/agent/access/sign-in-codes.js';
import { STREAM_TOKEN_LIMITS } from '@tillbridge/agent/access/stream-tokens.js';
import { MAX_TILLS } from '@tillbridge/agent/access/till-registry.js';
import { SESSION_LIMITS } from '@tillbridge/agent/access/till-sessions.js';
import { COMMAND_LIMITS as AGENT_COMMAND_LIMITS } from '@tillbridge/agent/commands/command-executor.js';
import { PORT_TIMEOUT_MS } from '@tillbridge/agent/doctor/examine.js';
import { CANCEL_TIMEOUT_MS, LIVENESS_INTERVAL_MS } from '@tillbridge/agent/drivers/core/limits.js';
import { HISTORY_LIMITS } from '@tillbridge/agent/history/store-history.js';
import { COPY_LIMITS } from '@tillbridge/agent/journal/copy/copy-target.js';
import { COUNTERSIGN_LIMITS as OFFERED_HEADS } from '@tillbridge/agent/journal/digest/countersigned-heads.js';
import { KEEPER_LIMITS } from '@tillbridge/agent/journal/journal-keeper.js';
import { DISPLAY_LIMITS } from '@tillbridge/agent/nexo/display/display-notifier.js';
import { NEXO_LIMITS } from '@tillbridge/agent/nexo/server/nexo-server.js';
import { DEFAULT_POLICY } from '@tillbridge/agent/sale/machine/state/policy.js';
import { CLOCK_TOLERANCE_MS } from '@tillbridge/agent/sale/offline/time-floor.js';
import { DAY_CLOSE_LIMITS } from '@tillbridge/agent/sale/totals/close-day.js';
import { MAX_LOG_PART_BYTES } from '@tillbridge/agent/support/support-bundle.js';
import { TILL_LIMITS } from '@tillbridge/agent/till/bodies.js';
import { DAY_CLOSE_PAGE } from '@tillbridge/agent/till/day-close-routes.js';
import { EVENT_LIMITS } from '@tillbridge/agent/till/event-stream.js';
import { LIST_LIMITS } from '@tillbridge/agent/till/sales-query.js';
import { CONNECTION_LIMITS as TILL_CONNECTIONS } from '@tillbridge/agent/till/server.js';
import { UPDATE_LIMITS } from '@tillbridge/agent/update/base/limits.js';
import { CONNECTION_LIMITS } from '@tillbridge/agent/uplink/connection-machine.js';
import { LINK_WATCH_LIMITS } from '@tillbridge/agent/uplink/link-watch.js';
import { APDU_LIMITS } from '@tillbridge/agent/zvt/messages/apdu.js';
import { REQUEST_LIMITS } from '@tillbridge/agent/zvt/requests/zvt-requests.js';
import { STILL_RUNNING_MS } from '@tillbridge/agent/zvt/server/conversation.js';
import { TCP_LIMITS } from '@tillbridge/agent/zvt/server/tcp-till.js';
import { PASSWORD_LIMITS } from '@tillbridge/agent/zvt/service/password-guard.js';
import { SESSION_TIMES } from '@tillbridge/agent/zvt/session/session.js';
import { REHEARSAL_VALID_MS } from '@tillbridge/gateway/app/commands/go-live/go-live-steps.js';
import { LISTEN_LIMITS } from '@tillbridge/gateway/app/commands/listen/listener.js';
import { CHECK_LIMITS } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { RETENTION } from '@tillbridge/gateway/app/wiring/retention.js';
import { CIRCUIT_BREAK_MS } from '@tillbridge/gateway/core/acquirers/iso8583/link/line-pool.js';
import { LINK_LIMITS } from '@tillbridge/gateway/core/acquirers/iso8583/link/link-limits.js';
import { DECLINED_MS } from '@tillbridge/gateway/core/acquirers/iso8583/rules/decide-stand-in.js';
import { STAND_IN_LIMITS } from '@tillbridge/gateway/core/acquirers/iso8583/stand-in/stand-in.js';
import { TOTALS_LIMITS } from '@tillbridge/gateway/core/acquirers/iso8583/totals/link-totals.js';
import { COMMAND_LIMITS } from '@tillbridge/gateway/core/bridge/commands/agent-command.js';
import { ENROLMENT_LIMITS } from '@tillbridge/gateway/core/bridge/enrolment/decide-enrolment.js';
import { DEFAULT_BRIDGE_LIMITS } from '@tillbridge/gateway/core/bridge/limits/bridge-limits.js';
import { INBOX_LIMITS } from '@tillbridge/gateway/core/inbox/inbox-source.js';
import { QUERY_LIMITS } from '@tillbridge/gateway/core/payment-api/query/query-parameters.js';
import { WINDOW_LIMITS } from '@tillbridge/gateway/core/payments/policy/offline-window.js';
import { WAITS } from '@tillbridge/gateway/core/payments/rules/waits.js';
import { ALLOWANCE_LIMITS } from '@tillbridge/gateway/features/agents/service.js';
import { PAYMENT_LINK_LIMITS } from '@tillbridge/gateway/features/checkouts/pay-by-link/payment-links.js';
import {
  CHECKOUT_LIMITS,
  DEFAULT_CARD_TESTING_LIMITS,
} from '@tillbridge/gateway/features/checkouts/rules/checkout-limits.js';
import { RESULT_CALL_LIMITS } from '@tillbridge/gateway/features/checkouts/rules/decide-result-call.js';
import { WIDGET_LIMITS } from '@tillbridge/gateway/features/checkouts/widget/builds.js';
import { REQUEST_LOG_LIMITS } from '@tillbridge/gateway/features/request-log/request-log.js';
import { DEFAULT_REQUEST_LOG } from '@tillbridge/gateway/features/request-log/request-log-settings.js';
import { MASK_LIMITS } from '@tillbridge/gateway/features/request-log/rules/mask-text.js';
import { RISK_RULE_LIMITS } from '@tillbridge/gateway/features/risk/rules/risk-rules.js';
import { DEFAULT_SCHEDULE_TIMES } from '@tillbridge/gateway/features/schedules/rules/shortest-interval.js';
import { SCHEDULE_LIMITS } from '@tillbridge/gateway/features/schedules/service.js';
import { MAX_COMMAND, MAX_WAITING } from '@tillbridge/gateway/features/settlement/ftp/control-lines.js';
import { FTP_LIMITS } from '@tillbridge/gateway/features/settlement/ftp/ftp-location.js';
import { SIGN_IN_LIMITS } from '@tillbridge/gateway/features/settlement/ftp/sign-in.js';
import { PLACE_LIMITS } from '@tillbridge/gateway/features/settlement/host-files/file-place.js';
import { CSV_LIMITS } from '@tillbridge/gateway/features/settlement/import/read-csv.js';
import { FILE_LIMITS } from '@tillbridge/gateway/features/settlement/reconciliation-files.js';
import { REPORT_LIMITS } from '@tillbridge/gateway/features/settlement/routes/reports.js';
import { METHOD_WAIT_MS } from '@tillbridge/gateway/features/three-d-secure/routes/pages.js';
import { DELIVERY_LIMITS } from '@tillbridge/gateway/features/webhooks/deliveries.js';
import { RETRY_SCHEDULE } from '@tillbridge/gateway/features/webhooks/rules/retry-schedule.js';
import { ENDPOINT_LIMITS } from '@tillbridge/gateway/features/webhooks/service.js';
import { EGRESS_LIMITS } from '@tillbridge/gateway/kernel/egress/egress.js';
import { SHARE_LIMITS } from '@tillbridge/gateway/kernel/http/fair-share/fair-share.js';
import { DEFAULT_LIMITS } from '@tillbridge/gateway/kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '@tillbridge/gateway/kernel/http/throttle/throttle.js';
import { LEASE_LIMITS } from '@tillbridge/gateway/kernel/nodes/lease-limits.js';
import { DECIDE_AGAIN_LIMITS } from '@tillbridge/gateway/kernel/store/decide-again.js';
import { POSTGRES_LIMITS } from '@tillbridge/gateway/kernel/store/postgres/connection.js';
import { ACCOUNT_FAILURE_LIMITS } from '@tillbridge/gateway/security/devices/account-failures.js';
import { MAX_DATA_KEYS } from '@tillbridge/gateway/security/vault/stored-data-keys.js';
import { FIRST_LOOK_MS } from '@tillbridge/gateway/security/vault/vault-aes-gcm.js';
import { EVENT_LIMITS as SIMULATOR_EVENTS } from '@tillbridge/hardware-sim/control/event-routes.js';
import { MAX_FAULTS } from '@tillbridge/hardware-sim/faults/scheduled-fault.js';
import { KEY_OVERLAP_MS } from '@tillbridge/hardware-sim/hosts/acquirer/keys/host-keys.js';
import { MAX_APDUS } from '@tillbridge/hardware-sim/inspection/apdu-log.js';
import { MAX_TRANSACTIONS } from '@tillbridge/hardware-sim/inspection/kernel-log.js';
import { MAX_SALES, SALE_PAUSE_MS } from '@tillbridge/hardware-sim/inspection/sale-log.js';
import { MAX_FRAMES } from '@tillbridge/hardware-sim/inspection/wire-log.js';
import { MAX_RECEIPTS } from '@tillbridge/hardware-sim/printer/receipt-printer.js';
import { MAX_RECORDINGS } from '@tillbridge/hardware-sim/recordings/recordings.js';
import { MAX_SCENARIOS } from '@tillbridge/hardware-sim/scenarios/scenario.js';
import { ACS_LIMITS } from '@tillbridge/hardware-sim/three-d-secure/access-control-server.js';
import { ANSWER_LIMITS } from '@tillbridge/platform/net/answer-in-turn.js';
import { STRANGER_LIMITS } from '@tillbridge/platform/net/strangers.js';
import { CERTIFICATE_CHECK_MS } from '@tillbridge/platform/net/tls-certificate.js';
import { CERTIFICATE_WARNING_MS } from '@tillbridge/platform/preflight/certificate-check.js';
import { MAX_CLOCK_DIFFERENCE_MS } from '@tillbridge/platform/preflight/clock-check.js';
import { DISK_LIMITS } from '@tillbridge/platform/preflight/disk-check.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import { INTAKE_LIMITS } from '@tillbridge/wire/iso8583/message-intake.js';
import { CARD_CHARGEBACK_WINDOW_MS } from '@tillbridge/wire/payment/chargeback-reasons.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import { PROOF_LIMITS } from '@tillbridge/wire/proof/sale-proof.js';
import { MAX_BANK_PAYMENTS } from '@tillbridge/wire/simulated-bank/bank-payments.js';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';
import { tableRows } from './markdown.js';

const s = (ms: number): number => ms / 1_000;
const minutes = (ms: number): number => ms / 60_000;
const hours = (ms: number): number => ms / 3_600_000;
const days = (ms: number): number => ms / 86_400_000;
const kib = (bytes: number): number => bytes / 1_024;
const mib = (bytes: number): number => kib(bytes) / 1_024;

/** A page's statement, with its numbers as the code has them: `[page, texts and numbers]`. */
const statement =
  (page: string) =>
  (texts: TemplateStringsArray, ...numbers: readonly number[]) => ({
    page,
    text: String.raw({ raw: texts }, ...numbers.map((number) => number.toLocaleString('en-US'))),
  });

const agent = (page: string) => statement(`agent/docs/${page}.md`);
const gateway = (page: string) => statement(`gateway/docs/${page}.md`);
const simulator = (page: string) => statement(`hardware-sim/docs/${page}.md`);

const RATES = DEFAULT_THROTTLE_RATES;

const STATEMENTS = [
  agent('events')`| ${EVENT_LIMITS.maxClients}, then 503`,
  agent('events')`| every ${s(EVENT_LIMITS.heartbeatMs)} s |`,
  agent('events')`| ${kib(EVENT_LIMITS.maxBufferedBytes)} KiB; beyond that`,
  agent('events')`| ${EVENT_LIMITS.maxHeldEvents} |`,
  agent('hardware')`every ${s(LIVENESS_INTERVAL_MS)} seconds`,
  agent('journal')`${(KEEPER_LIMITS.rowsPerScrub * 60_000) / KEEPER_LIMITS.scrubIntervalMs} rows a minute`,
  agent('proofs')`than ${PROOF_LIMITS.shownRows} rows in a row`,
  agent('proofs')`At most ${PROOF_LIMITS.maxRows} rows and ${mib(PROOF_LIMITS.maxCharacters)} MiB`,
  agent('proofs')`keeps it for ${days(RETENTION.countersignedHeads.keepMs)} days`,
  agent('proofs')`every ${minutes(OFFERED_HEADS.intervalMs)} minutes`,
  gateway('store')`countersigned heads of journals ${days(RETENTION.countersignedHeads.keepMs)} days`,
  agent('update')`waits for up to ${hours(UPDATE_LIMITS.patienceMs)} hours`,
  agent('nexo')`up to ${kib(NEXO_LIMITS.maxBodyBytes)} KiB`,
  agent(
    'zvt',
  )`${TCP_LIMITS.connections} connections, ${TCP_LIMITS.connectionsPerPeer} of one address; ${kib(APDU_LIMITS.maxDataBytes)} KiB a message`,
  agent('zvt')`; ${s(TCP_LIMITS.messageMs)} s for the rest of a message`,
  agent('zvt')`${s(TCP_LIMITS.registrationMs)} s for the registration`,
  agent('hardware')`a port that another program has is reported after ${s(PORT_TIMEOUT_MS)} seconds`,
  agent(
    'zvt',
  )`after ${PASSWORD_LIMITS.trials} in a row none is looked at for ${s(PASSWORD_LIMITS.lockMs)} seconds`,
  agent('zvt')`The last ${REQUEST_LIMITS.reservations} reservations`,
  agent('zvt')`A till has ${s(SESSION_TIMES.acknowledge)} s to acknowledge`,
  agent('zvt')`again after ${s(SESSION_TIMES.repeat)} s`,
  agent('zvt')`every ${s(STILL_RUNNING_MS)} s please wait`,
  agent('nexo')`within ${s(DISPLAY_LIMITS.timeoutMs)} s`,
  agent(
    'offline-rules',
  )`${OFFLINE_LIMIT_MAXIMA.perSaleUnits} units of the currency | ${OFFLINE_LIMIT_MAXIMA.deferred.perSaleUnits} |`,
  agent('offline-rules')`| ${OFFLINE_LIMIT_MAXIMA.sumUnits} | ${OFFLINE_LIMIT_MAXIMA.deferred.sumUnits} |`,
  agent(
    'offline-rules',
  )`| ${OFFLINE_LIMIT_MAXIMA.perCardUnits} | ${OFFLINE_LIMIT_MAXIMA.deferred.perCardUnits} |`,
  agent('offline-rules')`| ${OFFLINE_LIMIT_MAXIMA.count} | ${OFFLINE_LIMIT_MAXIMA.deferred.count} |`,
  agent('offline-rules')`age of a record | ${hours(OFFLINE_LIMIT_MAXIMA.expiryMs)} hours |`,
  agent('offline-rules')`more than ${s(CLOCK_TOLERANCE_MS)} s behind`,
  agent('operations')`last ${mib(MAX_LOG_PART_BYTES)} MiB of each log`,
  agent('restore')`after ${s(COPY_LIMITS.waitMs)} s`,
  agent('restore')`from ${COPY_LIMITS.alarmRows} rows`,
  agent('terminals')`within ${s(CANCEL_TIMEOUT_MS)} s at every model`,
  agent('till-api')`1 to ${TILL_LIMITS.maxReferenceLength} printable ASCII characters`,
  agent('till-api')`1 to ${TILL_LIMITS.maxCancelAfterSeconds}: the sale is cancelled`,
  agent('till-api')`1 to ${TILL_LIMITS.maxNoteLength} characters`,
  agent('till-api')`at most ${kib(TILL_LIMITS.maxBodyBytes)} KiB of`,
  agent('till-api')`at most ${s(DEFAULT_POLICY.openAnswerWaitMs)} more seconds`,
  agent('till-api')`within ${hours(DEFAULT_POLICY.voiceCodeWindowMs)} hours`,
  agent('till-api')`1 to ${LIST_LIMITS.maxPageSize}, default ${LIST_LIMITS.pageSize}`,
  agent('till-api')`last ${hours(HISTORY_LIMITS.maxAgeMs)} hours`,
  agent('till-api')`| ${TILL_CONNECTIONS.connections}; ${TILL_CONNECTIONS.connectionsPerPeer} |`,
  agent(
    'till-api',
  )`| ${STRANGER_LIMITS.perSecond} a second, ${STRANGER_LIMITS.burst} at once; further ones wait ${s(STRANGER_LIMITS.maxWaitMs)} s at most`,
  agent('till-api')`| ${ANSWER_LIMITS.waiting}; more end the connection |`,
  agent('till-api')`within ${s(CERTIFICATE_CHECK_MS)} seconds after its files were replaced`,
  agent('tills')`at most ${MAX_TILLS} tills`,
  agent('tills')`within ${s(STREAM_TOKEN_LIMITS.lifetimeMs)} seconds`,
  agent('unknown-and-parked-sales')`waits ${s(DEFAULT_POLICY.answerTimeoutMs)} s for an answer`,
  agent(
    'uplink',
  )`| ${s(CONNECTION_LIMITS.backoffBaseMs)} s doubling to ${s(CONNECTION_LIMITS.backoffCapMs)} s, full jitter`,
  agent(
    'uplink',
  )`| every ${s(CONNECTION_LIMITS.slowRetryMinMs)} to ${s(CONNECTION_LIMITS.slowRetryMaxMs)} s |`,
  agent('uplink')`up to ${minutes(CONNECTION_LIMITS.maxRetryAfterMs)} minutes`,
  agent('tills')`within ${minutes(SIGN_IN_CODE_LIMITS.lifetimeMs)} minutes, and is in memory alone`,
  agent('tills')`A session lasts ${days(SESSION_LIMITS.lifetimeMs)} days`,
  agent('tills')`at most ${SESSION_LIMITS.maxOfTill}; then the oldest`,
  agent('panel')`after ${minutes(SESSION_LIMITS.idleMs)} minutes`,
  agent('day-close')`takes at most ${DAY_CLOSE_LIMITS.maxSales} sales`,
  agent('day-close')`newest first, ${DAY_CLOSE_PAGE} a page`,
  agent('uplink')`| ${s(CONNECTION_LIMITS.connectTimeoutMs)} s each |`,
  agent(
    'uplink',
  )`${LINK_WATCH_LIMITS.pingEveryMs / 1_000} s after the last sign of life; without an answer in ${LINK_WATCH_LIMITS.answerWithinMs / 1_000} s`,
  agent(
    'uplink',
  )`At most ${AGENT_COMMAND_LIMITS.running} run at once; the results of the last ${AGENT_COMMAND_LIMITS.kept} are kept`,

  gateway('acquirer-link')`at most ${LINK_LIMITS.requests} requests wait for answers`,
  gateway('acquirer-link')`at most ${LINK_LIMITS.forwarded} wait for answers at once`,
  gateway('acquirer-link')`within ${hours(DECLINED_MS)} hours`,
  gateway('acquirer-link')`up to ${hours(TOTALS_LIMITS.overlapMs)} hours before`,
  gateway('acquirer-link')`${STAND_IN_LIMITS.waitingAdvices} advices of a node`,
  gateway('acquirer-link')`too long (${PLACE_LIMITS.bytes / 2 ** 30} GiB)`,
  gateway('acquirer-link')`above ${INTAKE_LIMITS.maxMessageBytes} bytes`,
  {
    page: 'gateway/docs/acquirer-link.md',
    text: `tried for ${['', '', '', '', '', 'five'][s(CIRCUIT_BREAK_MS)]} seconds`,
  },
  gateway('agent-commands')`${COMMAND_LIMITS.waiting} commands of one agent wait at most`,
  gateway('agent-commands')`deleted after ${days(RETENTION.agentCommands.keepMs)} days`,
  gateway('bridge')`| ${kib(DEFAULT_BRIDGE_LIMITS.maxEnvelopeBytes)} KiB |`,
  gateway(
    'bridge',
  )`| ${DEFAULT_BRIDGE_LIMITS.newSocketsBurst} at once, then ${DEFAULT_BRIDGE_LIMITS.newSocketsPerSecond} a second`,
  gateway(
    'bridge',
  )`| ${DEFAULT_BRIDGE_LIMITS.silentPeerSocketsBurst} at once, then ${DEFAULT_BRIDGE_LIMITS.silentPeerSocketsPerSecond} a second |`,
  gateway('bridge')`| ${DEFAULT_BRIDGE_LIMITS.parallelStreams} |`,
  gateway(
    'bridge',
  )`| ${DEFAULT_BRIDGE_LIMITS.handlingAttempts}, with pauses of ${s(DEFAULT_BRIDGE_LIMITS.retryMinMs)} s doubling to ${s(DEFAULT_BRIDGE_LIMITS.retryMaxMs)} s |`,
  gateway('bridge')`| ${mib(DEFAULT_BRIDGE_LIMITS.maxBufferedBytes)} MiB |`,
  gateway('bridge')`waits ${s(DEFAULT_BRIDGE_LIMITS.gapTimeoutMs)} s, then the session`,
  gateway('bridge')`for ${minutes(DEFAULT_BRIDGE_LIMITS.streamBlockMs)} minutes at most`,
  gateway('bridge')`more than ${minutes(DEFAULT_BRIDGE_LIMITS.clockToleranceMs)} minutes`,
  gateway('bridge')`Tombstones are kept for ${days(RETENTION.tombstones.keepMs)} days`,
  gateway('chargebacks')`for ${days(CARD_CHARGEBACK_WINDOW_MS)} days`,
  gateway('checkouts')`valid for ${minutes(CHECKOUT_LIMITS.lifeMs)} minutes`,
  gateway('checkouts')`${minutes(CHECKOUT_LIMITS.resultCallAfterMs)} minutes after its creation`,
  gateway('checkouts')`every ${s(RESULT_CALL_LIMITS.retryMs)} seconds`,
  gateway('checkouts')`${CHECKOUT_LIMITS.statusReads} a minute`,
  gateway('checkouts')`${DEFAULT_CARD_TESTING_LIMITS.attempts} (\`cardTesting.attempts\`)`,
  gateway(
    'checkouts',
  )`${DEFAULT_CARD_TESTING_LIMITS.checkoutsPerAddress} in ${minutes(DEFAULT_CARD_TESTING_LIMITS.windowMs)} minutes`,
  gateway('consistency-check')`steps of ${CHECK_LIMITS.batch} rows`,
  gateway('consistency-check')`${s(CHECK_LIMITS.intervalMs)} s between two rounds`,
  gateway('devices')`| ${ACCOUNT_FAILURE_LIMITS.device} of a device |`,
  gateway('devices')`| ${ACCOUNT_FAILURE_LIMITS.entity} of an entity`,
  gateway('devices')`failures in ${hours(ACCOUNT_FAILURE_LIMITS.windowMs)} hours`,
  gateway('devices')`answered ${ACCOUNT_FAILURE_LIMITS.answerMs} ms after`,
  gateway('devices')`kept for ${days(RETENTION.usedKsns.keepMs)} days`,
  gateway('enrolment')`valid for ${minutes(ENROLMENT_LIMITS.validMs)} minutes`,
  gateway('enrolment')`| ${ENROLMENT_LIMITS.failures}; then the code is of no use`,
  gateway('enrolment')`holds for ${hours(ALLOWANCE_LIMITS.validMs)} hours`,
  gateway('enrolment')`at most ${ALLOWANCE_LIMITS.ahead} above the present one`,
  gateway(
    'enrolment',
  )`| ${DEFAULT_BRIDGE_LIMITS.maxSockets}, ${DEFAULT_BRIDGE_LIMITS.maxUnprovenSockets}, ${DEFAULT_BRIDGE_LIMITS.maxUnprovenOfPeer} |`,
  gateway('enrolment')`| ${kib(DEFAULT_BRIDGE_LIMITS.maxUnprovenBytes)} KiB |`,
  gateway(
    'enrolment',
  )`| ${DEFAULT_BRIDGE_LIMITS.messagesPerSecond} a second, ${DEFAULT_BRIDGE_LIMITS.messagesBurst} at once`,
  gateway(
    'enrolment',
  )`| ${DEFAULT_BRIDGE_LIMITS.arrivalChecksPerSecond} a second, ${DEFAULT_BRIDGE_LIMITS.arrivalChecksBurst} at once`,
  gateway('pay-by-link')`${days(PAYMENT_LINK_LIMITS.lifeMs)} days without`,
  gateway('payments')`| ${minutes(WINDOW_LIMITS.shortestAbsenceMs)} minutes |`,
  gateway('payments')`| ${hours(WINDOW_LIMITS.longestMs)} hour |`,
  gateway('payments')`${s(DECIDE_AGAIN_LIMITS.limitMs)} seconds`,
  gateway('postgresql')`lease of ${s(LEASE_LIMITS.leaseMs)} s`,
  gateway('postgresql')`more than ${s(LEASE_LIMITS.clockToleranceMs)} s is an alert`,
  gateway(
    'before-it-starts',
  )`disk of its home: ${mib(DISK_LIMITS.least)} MiB at least, a warning below ${mib(DISK_LIMITS.low)} MiB`,
  gateway('before-it-starts')`a warning ${days(CERTIFICATE_WARNING_MS)} days before the end`,
  gateway('before-it-starts')`clock: at most ${s(MAX_CLOCK_DIFFERENCE_MS)} s from`,
  gateway('go-live')`The rehearsal counts for ${days(REHEARSAL_VALID_MS)} days`,
  gateway('postgresql')`opens ${POSTGRES_LIMITS.readers} connections for reading`,
  gateway('reconciliation')`newest ${FILE_LIMITS.perDay} files`,
  gateway('reconciliation')`${FTP_LIMITS.connections} connections at once`,
  gateway('reconciliation')`every ${s(FTP_LIMITS.idleMs)} seconds`,
  gateway('reconciliation')`within ${minutes(SIGN_IN_LIMITS.windowMs)} minutes lock it`,
  gateway('reconciliation')`more than ${MAX_COMMAND} characters, or ${MAX_WAITING} commands`,
  gateway('reconciliation')`more than ${kib(CSV_LIMITS.row)} KiB`,
  gateway('reports')`more than ${REPORT_LIMITS.whole} is refused`,
  gateway('reports')`${REPORT_LIMITS.page} a page`,
  gateway('rest-api')`| ${DEFAULT_LIMITS.connections}; ${DEFAULT_LIMITS.connectionsPerPeer} |`,
  gateway('rest-api')`| ${kib(DEFAULT_LIMITS.headerBytes)} KiB; ${s(DEFAULT_LIMITS.headersTimeoutMs)} s |`,
  gateway('rest-api')`| ${s(DEFAULT_LIMITS.requestTimeoutMs)} s |`,
  gateway(
    'rest-api',
  )`| ${mib(DEFAULT_LIMITS.bodyBytes)} MiB; ${mib(DEFAULT_LIMITS.bodyBytesPerMerchant)} MiB |`,
  gateway('rest-api')`| ${STRANGER_LIMITS.perSecond} a second, ${STRANGER_LIMITS.burst} at once`,
  gateway('rest-api')`${DEFAULT_LIMITS.requestsAtWork})`,
  gateway('rest-api')`at least ${SHARE_LIMITS.least}`,
  gateway('rest-api')`${SHARE_LIMITS.placeMs} ms at most`,
  gateway('rest-api')`behind ${SHARE_LIMITS.waiting} requests`,
  gateway('inbox')`more than ${INBOX_LIMITS.perSource} things`,
  gateway('request-log')`${REQUEST_LOG_LIMITS.batch} in one commit`,
  gateway('request-log')`At most ${REQUEST_LOG_LIMITS.waiting} wait`,
  gateway('request-log')`${MASK_LIMITS.kept} characters of it stay`,
  gateway('request-log')`${DEFAULT_REQUEST_LOG.bodyBytes} bytes of parameters`,
  gateway(
    'rest-api',
  )`${QUERY_LIMITS.limit} to 500 records a page; a page begins within the first ${QUERY_LIMITS.window} records`,
  gateway('rest-api')`for ${days(RETENTION.idempotency.keepMs)} days`,
  gateway('risk')`| ${DEFAULT_CARD_TESTING_LIMITS.pairsAtMerchant} (\`pairsAtMerchant\`) |`,
  gateway('risk')`| ${DEFAULT_CARD_TESTING_LIMITS.pairsOfCard} (\`pairsOfCard\`) |`,
  gateway('risk')`| ${RATES.failedCards.burst} at once, ${RATES.failedCards.perSecond} a second`,
  gateway('risk')`for ${RISK_RULE_LIMITS.minutes / 1_440} days at most`,
  gateway('schedules')`once in ${DEFAULT_SCHEDULE_TIMES.shortestIntervalSeconds} seconds at most`,
  gateway('schedules')`at most ${SCHEDULE_LIMITS.perCard} that run`,
  gateway('settlement')`last ${days(FILE_LIMITS.lookedForMs)} days`,
  gateway('three-d-secure')`after ${s(METHOD_WAIT_MS)} seconds (N)`,
  gateway('three-d-secure')`at most ${minutes(WAITS.challenge.lifetimeMs)} minutes`,
  gateway('three-d-secure')`for ${days(RETENTION.usedProofs.keepMs)} days`,
  gateway('vault')`At most ${MAX_DATA_KEYS} data keys`,
  gateway('vault')`| ${days(FIRST_LOOK_MS)} days, for an approval by telephone |`,
  gateway('webhooks')`any 2xx within ${s(EGRESS_LIMITS.timeoutMs)} seconds`,
  gateway('webhooks')`for ${days(RETRY_SCHEDULE.giveUpAfterMs)} days`,
  gateway('webhooks')`more than ${DELIVERY_LIMITS.resent} deliveries`,
  gateway('webhooks')`${hours(ENDPOINT_LIMITS.overlapMs)} hours unless`,
  gateway('webhooks')`kept ${days(RETENTION.deliveries.keepMs)} days`,
  gateway('widget')`kept for ${minutes(WIDGET_LIMITS.keepMs)} minutes`,
  gateway('webhooks')`fail for ${minutes(LISTEN_LIMITS.giveUpAfterMs)} minute`,

  simulator('faults')`at most ${MAX_FAULTS} on one terminal`,
  simulator('faults')`at most ${MAX_SCENARIOS}`,
  simulator('record-and-replay')`at most ${MAX_RECORDINGS};`,
  simulator('rest-api')`last ${MAX_FRAMES} frames`,
  simulator('rest-api')`last ${MAX_APDUS} exchanges`,
  simulator('rest-api')`last ${MAX_TRANSACTIONS} transactions`,
  simulator('rest-api')`last ${MAX_SALES} sales`,
  simulator('rest-api')`pauses for ${SALE_PAUSE_MS / 1_000} seconds`,
  simulator('rest-api')`last ${MAX_RECEIPTS}, masked`,
  simulator('rest-api')`at most ${SIMULATOR_EVENTS.maxClients} clients`,
  simulator('simulated-bank')`beyond ${MAX_BANK_PAYMENTS}`,
  simulator('three-d-secure')`latest ${ACS_LIMITS.transactions} transactions`,
  simulator('acquirer-host')`above ${INTAKE_LIMITS.maxMessageBytes}`,
  {
    page: 'hardware-sim/docs/acquirer-host.md',
    text: `accepted for ${{ 10: 'ten' }[minutes(KEY_OVERLAP_MS)]} minutes`,
  },

  statement('protocol/docs/bridge.md')`| envelope | ${kib(BRIDGE_LIMITS.maxEnvelopeBytes)} KiB |`,
  statement('protocol/docs/bridge.md')`short text | ${BRIDGE_LIMITS.maxTextLength} characters |`,
  statement('protocol/docs/bridge.md')`person | ${BRIDGE_LIMITS.maxReasonLength} characters |`,
  statement('protocol/docs/bridge.md')`data | ${BRIDGE_LIMITS.maxBlobBytes} bytes`,
  statement('protocol/docs/bridge.md')`one agent | ${BRIDGE_LIMITS.maxTerminals} |`,
  statement('protocol/docs/bridge.md')`| ${s(BRIDGE_LIMITS.helloTimeoutMs)} s |`,
  statement(
    'protocol/docs/bridge.md',
  )`| ${BRIDGE_LIMITS.liveCredits} live, ${BRIDGE_LIMITS.backlogCredits} of the backlog |`,
];

/** `30 minutes`, `7 days`. */
const lasting = (ms: number): string => (days(ms) >= 1 ? `${days(ms)} days` : `${minutes(ms)} minutes`);

describe('limits and times on the pages', () => {
  it('are those of every kind of wait', () => {
    const rows = tableRows(readFileSync(join(ROOT, 'gateway/docs/waiting-payments.md'), 'utf8'), 'kind');
    expect(rows.map(([kind, , , lasts, code]) => [kind, lasts, code])).toEqual(
      Object.entries(WAITS).map(([kind, { lifetimeMs, expiredCode }]) => [
        `\`${kind}\``,
        lasting(lifetimeMs),
        expiredCode,
      ]),
    );
  });

  it.each(STATEMENTS)('$page: $text', ({ page, text }) => {
    const plain = readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' ');
    expect(plain.toLowerCase().includes(text.toLowerCase())).toBe(true);
  });
});
