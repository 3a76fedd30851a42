import { PLAIN, type Style } from '@tillbridge/platform/command-line/style.js';
import { textTable } from '@tillbridge/platform/command-line/text-table.js';
import type { LateDeclineAnswer, QueueAnswer } from '../till/queue-answer.js';
import type { StatusAnswer } from './agent-client.js';
import { spokenAge } from './spoken-age.js';

/** The store as text. */
export function describeStatus(status: StatusAnswer, style: Style = PLAIN): string {
  const { gateway, journal, queue, open, parked, terminals, policy, todos = [] } = status;
  const lines = [`gateway   ${gatewayText(gateway, style)}`];
  lines.push(
    journal.state === 'ready'
      ? `journal   ${style.state('ready')}, ${journal.row} rows`
      : `journal   ${style.state('unavailable')}: ${journal.reason}, ${journal.detail}`,
    ...journalLines(journal),
  );
  lines.push(
    `queue     ${queue.depth} waiting, ${queue.parked} parked${lateDeclineText(queue.lateDeclines)}`,
  );
  lines.push(`open      ${open.length === 0 ? 'no sale' : open.join(', ')}`);
  for (const { reference, reason } of parked)
    lines.push(`${style.state('parked')}    ${reference}, needs a person: ${reason}`);
  for (const { terminalId, reason } of todos)
    lines.push(`${style.state('refused')}   sales of terminal ${terminalId}: ${reason}`);
  lines.push(`policy    ${policyText(policy)}`, '');
  const rows = terminals.map((terminal) => [
    terminal.id,
    terminal.deviceType,
    terminal.state,
    terminal.runningReference ?? '',
    terminal.reason ?? '',
  ]);
  lines.push(textTable(['TERMINAL', 'MODEL', 'STATE', 'SALE', 'REASON'], rows, { style }));
  if (terminals.length > 0) lines.push('', ...terminals.map((terminal) => offlineText(terminal, style)));
  const values = policy.values.map(({ name, value, setBy }) => [name, value, setBy]);
  lines.push('', textTable(['RULE', 'IN FORCE', 'SET BY'], values, { style }));
  return lines.join('\n');
}

function policyText({ version }: StatusAnswer['policy']): string {
  if (version === undefined)
    return 'of the gateway not known: no sale without the gateway until it was received';
  return version === 0 ? 'the gateway sets none' : `version ${version} of the gateway`;
}

/** Whether this terminal may sell without the gateway now, and why not. */
function offlineText({ id, offline }: StatusAnswer['terminals'][number], style: Style): string {
  if (offline.ready)
    return `terminal ${id} offline-ready: ${style.state('yes')}${offline.deferred ? ', deferred authorizations too' : ''}`;
  return `terminal ${id} offline-ready: no, because ${offline.because ?? offline.reasons.join(', ')}`;
}

function lateDeclineText(lateDeclines: number): string {
  return lateDeclines === 0 ? '' : `, ${lateDeclines} declined later or expired (see queue)`;
}

/** What is wrong with the journal or its copy, and what to do. */
function journalLines({ standing, standingDetail, advice, copy }: StatusAnswer['journal']): string[] {
  const lines: string[] = [];
  if (standing !== undefined && standing !== 'good') {
    const why = standingDetail ? ` (${standingDetail})` : '';
    lines.push(`          ${standing.toUpperCase()}${why}: ${advice ?? ''}`);
  }
  if (copy) {
    const late =
      copy.state === 'in-sync' ? '' : `, ${copy.rowsBehind} rows behind for ${spokenAge(copy.ageSeconds)}`;
    lines.push(`copy      ${copy.state}, ${copy.mode}${late}${copy.detail ? `: ${copy.detail}` : ''}`);
  }
  return lines;
}

function gatewayText(gateway: StatusAnswer['gateway'], style: Style): string {
  const parts: string[] = [style.state(gateway.state)];
  if (gateway.reason !== undefined) parts.push(gateway.reason);
  if (gateway.detail !== undefined) parts.push(gateway.detail);
  if (gateway.lastContactAgeSeconds !== undefined) {
    parts.push(`last contact ${spokenAge(gateway.lastContactAgeSeconds)} ago`);
  }
  return parts.join(', ');
}

/** The queue as text. */
export function describeQueue(queue: QueueAnswer, style: Style = PLAIN): string {
  const sums = Object.entries(queue.sums).map(([currency, amount]) => `${amount} ${currency}`);
  const oldest = queue.depth > 0 ? `, oldest ${spokenAge(queue.oldestAgeSeconds)}` : '';
  const lines = [
    `${queue.depth} waiting${oldest}, ${queue.parked} parked; offline approvals ${sums.join(', ') || 'none'}`,
  ];
  // Limits of a currency without offline sales are left out.
  for (const left of queue.limitsLeft.filter(({ currency }) => currency in queue.sums)) {
    lines.push(
      `terminal ${left.terminalId}: ${left.amount} ${left.currency} and ${left.count} sales left offline${deferredText(left)}`,
    );
  }
  for (const lateDecline of queue.lateDeclines) lines.push(lateDeclineLine(lateDecline));
  if (queue.items.length > 0) {
    const rows = queue.items.map((item) => [
      item.terminalId,
      String(item.sequence),
      item.reference,
      item.approval === undefined ? item.kind : `${item.kind} (${item.approval})`,
      item.amount === undefined ? '' : `${item.amount} ${item.currency}`,
      item.expired ? `${item.state}, expired` : item.state,
      item.reason ?? '',
    ]);
    lines.push(
      '',
      textTable(['TERMINAL', 'NO', 'REFERENCE', 'KIND', 'AMOUNT', 'STATE', 'REASON'], rows, { style }),
    );
  }
  return lines.join('\n');
}

function deferredText({ deferred, currency }: QueueAnswer['limitsLeft'][number]): string {
  return deferred ? `; of it ${deferred.amount} ${currency} and ${deferred.count} deferred` : '';
}

const LOSS_WORDS: Readonly<Record<LateDeclineAnswer['reason'], string>> = {
  'declined-later': 'DECLINED LATER',
  'expired-offline': 'EXPIRED',
};

function lateDeclineLine(lateDecline: LateDeclineAnswer): string {
  const { reason, reference, amount, currency, terminalId, last4Digits, detail } = lateDecline;
  const card = last4Digits === undefined ? '' : `, card …${last4Digits}`;
  const why = detail === undefined ? '' : `: ${detail}`;
  return `${LOSS_WORDS[reason]} ${reference} ${amount} ${currency}, terminal ${terminalId}${card}${why}; take note with queue --acknowledge ${reference}`;
}
