import { ALERT_CODES, ALERT_TABLE } from './alert-table.js';

/** What Prometheus shows by itself, in addition to the alerts of the table. */
const OTHER_RULES = [
  {
    name: 'TillbridgeGatewayDown',
    expression: 'up{job="tillbridge-gateway"} == 0',
    summary: 'the gateway answers no scrape',
    action: 'start the gateway; its log has the reason why it ended',
  },
  {
    name: 'TillbridgeDatabaseFailing',
    expression: 'increase(tillbridge_gateway_store_failures_total[5m]) > 0',
    summary: 'the disk refuses transactions of the gateway',
    action: 'make room, or restore the database; alerts cannot be stored meanwhile',
  },
  {
    name: 'TillbridgeCheckStopped',
    expression: 'time() - tillbridge_gateway_check_completed_timestamp_seconds > 86400',
    summary: 'no consistency check has ended for a day',
    action: 'read the log entries about it',
  },
  {
    name: 'TillbridgeCertificateEnds',
    expression: 'tillbridge_gateway_certificate_expiry_timestamp_seconds - time() < 14 * 86400',
    summary: 'a certificate of the gateway ends within 14 days',
    action: 'renew it; a file that is replaced is taken up by itself',
  },
  {
    name: 'TillbridgeDeliveriesWait',
    expression: 'min_over_time(tillbridge_gateway_webhook_deliveries[1h]) >= 1000',
    summary: 'webhook deliveries have piled up for an hour',
    action: 'see `webhooks list`; correct the receivers, or `webhooks pause` them',
  },
  {
    name: 'TillbridgeAgentDown',
    expression: 'up{job="tillbridge-agent"} == 0',
    summary: 'an agent answers no scrape',
    action: 'start the agent, or correct the network of the store; its log has the reason why it ended',
  },
  {
    name: 'TillbridgeAgentOffline',
    expression: 'min_over_time(tillbridge_agent_uplink_state{state="down"}[10m]) == 1',
    summary: 'an agent has not reached its gateway for ten minutes',
    action: 'run `tillbridge-agent doctor` in the store',
  },
  {
    name: 'TillbridgeAgentQueueOld',
    expression: 'tillbridge_agent_queue_oldest_seconds > 3600',
    summary: 'the oldest message of an agent has waited for an hour',
    action: 'see `tillbridge-agent queue`; bring the link up, then `tillbridge-agent flush`',
  },
  {
    name: 'TillbridgeAgentParked',
    expression: 'tillbridge_agent_queue_parked_messages > 0',
    summary: 'an agent has parked messages that a person has to see to',
    action: 'see `tillbridge-agent queue`, and `inbox list` at the gateway',
  },
  {
    name: 'TillbridgeAgentJournal',
    expression: 'tillbridge_agent_journal_ready == 0',
    summary: 'an agent cannot write its journal: it sells nothing',
    action: 'make room on its disk, or replace it and run `tillbridge-agent restore`',
  },
  {
    name: 'TillbridgeAgentCertificateEnds',
    expression: 'tillbridge_agent_certificate_expiry_timestamp_seconds - time() < 14 * 86400',
    summary: 'a certificate of an agent ends within 14 days',
    action: 'renew it',
  },
] as const;

const GENERATED = 'Generated from gateway/src/kernel/alerts/alert-table.ts by `npm run errors`; do not edit.';

/** The reference page of the alerts, in Markdown. */
export function alertPage(): string {
  const rows = ALERT_CODES.map((code) => {
    const { severity, ends, subject, text, action } = ALERT_TABLE[code];
    return [`\`${code}\``, severity, subject, ends, sentence(text), sentence(action)];
  });
  const heads = ['Code', 'Severity', 'Subject', 'Ended by', 'What is wrong', 'What to do'];
  const table = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `# Alerts

<!-- ${GENERATED} -->

The gateway keeps what a person must look at in one table, one row for each code and subject. An alert that stands is not raised again.

\`\`\`sh
GATEWAY_HOME="\${TILLBRIDGE_HOME:-.local}/gateway" npx tillbridge-gateway alerts list
\`\`\`

| | |
|---|---|
| \`alerts list\`, \`alerts list --all\` | those that stand, the critical ones first; those that have ended too |
| \`alerts show ID\` | one alert |
| \`alerts acknowledge ID --note TEXT\` | a person deals with it: it is counted no more |
| \`GET /v1/alerts\`, \`POST /v1/alerts/{id}/acknowledgement\` | the same over REST for a token with the right \`administration\`: alerts about its own stores alone |
| \`tillbridge_alerts_open{code}\` | open alerts for Prometheus; [rules](prometheus-rules.yml) |
| \`alerts.mailTo\`, \`alerts.webhookUrl\` ([configuration](configuration.md)) | each alert as an e-mail, and as JSON in a POST: the same fields as \`alerts show\`, and an \`Idempotency-Key\` that a repeat repeats |

\`critical\`: money or trust is at stake, act at once. \`warning\`: act within the day. An alert that is ended by its cause stays, acknowledged or
not, until the gateway sees that the cause is gone. An alert about an event is ended by the acknowledgement, and the next event raises it again. An
ended alert is kept for 400 days.

${table.join('\n')}
`;
}

/** Alerting rules for Prometheus, in YAML: one for each code, and what only a scrape shows. */
export function prometheusRules(): string {
  const ofTable = ALERT_CODES.map((code) => {
    const { severity, text, action } = ALERT_TABLE[code];
    const name = `Tillbridge${code.replace(/(^|-)(.)/g, (_, _dash, letter: string) => letter.toUpperCase())}`;
    return rule(name, `tillbridge_alerts_open{code="${code}"} > 0`, severity, text, action);
  });
  const others = OTHER_RULES.map(({ name, expression, summary, action }) =>
    rule(name, expression, 'critical', summary, action),
  );
  return `# ${GENERATED}
groups:
  - name: tillbridge
    rules:
${[...ofTable, ...others].join('')}`;
}

function rule(name: string, expression: string, severity: string, summary: string, action: string): string {
  return `      - alert: ${name}
        expr: ${quoted(expression)}
        labels:
          severity: ${severity}
        annotations:
          summary: ${quoted(sentence(summary))}
          action: ${quoted(sentence(action))}
`;
}

/** A single-quoted YAML scalar. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
