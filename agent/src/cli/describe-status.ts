import type { QueueAnswer } from '../till/queue-answer.js';
import type { StatusAnswer } from './agent-client.js';
import { spokenAge, textTable } from './table.js';

/** The store as text. */
export function describeStatus(status: StatusAnswer): string {
  const { gateway, journal, queue, open, terminals } = status;
  const lines = [`gateway   ${gatewayText(gateway)}`];
  lines.push(
    journal.state === 'ready'
      ? `journal   ready, ${journal.row} rows`
      : `journal   unavailable: ${journal.reason}, ${journal.detail}`,
  );
  lines.push(`queue     ${queue.depth} waiting, ${queue.parked} parked`);
  lines.push(`open      ${open.length === 0 ? 'no sale' : open.join(', ')}`, '');
  const rows = terminals.map((terminal) => [
    terminal.id,
    terminal.deviceType,
    terminal.state,
    terminal.runningReference ?? '',
    terminal.offline.ready ? 'ready' : terminal.offline.reasons.join(', '),
    terminal.reason ?? '',
  ]);
  lines.push(textTable(['TERMINAL', 'MODEL', 'STATE', 'SALE', 'OFFLINE', 'REASON'], rows));
  return lines.join('\n');
}

function gatewayText(gateway: StatusAnswer['gateway']): string {
  const parts: string[] = [gateway.state];
  if (gateway.reason !== undefined) parts.push(gateway.reason);
  if (gateway.detail !== undefined) parts.push(gateway.detail);
  if (gateway.lastContactAgeSeconds !== undefined) {
    parts.push(`last heard ${spokenAge(gateway.lastContactAgeSeconds)} ago`);
  }
  return parts.join(', ');
}

/** The queue as text. */
export function describeQueue(queue: QueueAnswer): string {
  const sums = Object.entries(queue.sums).map(([currency, amount]) => `${amount} ${currency}`);
  const oldest = queue.depth > 0 ? `, oldest ${spokenAge(queue.oldestAgeSeconds)}` : '';
  const lines = [
    `${queue.depth} waiting${oldest}, ${queue.parked} parked; offline approvals ${sums.join(', ') || 'none'}`,
  ];
  // Limits of currencies that nobody has used offline say nothing.
  for (const left of queue.limitsLeft.filter(({ currency }) => currency in queue.sums)) {
    lines.push(
      `terminal ${left.terminalId}: ${left.amount} ${left.currency} and ${left.count} sales left offline`,
    );
  }
  if (queue.items.length > 0) {
    const rows = queue.items.map((item) => [
      item.terminalId,
      String(item.sequence),
      item.reference,
      item.kind,
      item.amount === undefined ? '' : `${item.amount} ${item.currency}`,
      item.state,
      item.reason ?? '',
    ]);
    lines.push('', textTable(['TERMINAL', 'NO', 'REFERENCE', 'KIND', 'AMOUNT', 'STATE', 'REASON'], rows));
  }
  return lines.join('\n');
}
