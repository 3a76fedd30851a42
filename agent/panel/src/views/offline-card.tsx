import { Badge } from '@tillbridge/protocol/panel/components/badge.js';
import { Button } from '@tillbridge/protocol/panel/components/button.js';
import { Card } from '@tillbridge/protocol/panel/components/card.js';
import { Facts } from '@tillbridge/protocol/panel/components/list.js';
import { Meter } from '@tillbridge/protocol/panel/components/meter.js';
import { ageText, amountText } from '@tillbridge/protocol/panel/format.js';
import { useChosen } from '@tillbridge/protocol/panel/state.js';
import type { JSX } from 'preact';
import type { Queue, Terminal } from '../api/answers.js';
import { limitsOf } from '../model/limits.js';
import type { LiveStore } from '../model/live-store.js';
import { acting } from './acting.js';

/** What waits for the gateway, and what the selected terminal may still sell without it. */
export function OfflineCard({
  store,
  terminal,
}: {
  readonly store: LiveStore;
  readonly terminal: Terminal;
}): JSX.Element {
  const queue = useChosen(store.view, (view) => view.queue);
  const policy = useChosen(store.view, ({ status }) => status?.policy);
  const currency = useChosen(store.view, ({ status }) => status?.store.currency);
  const { ready, because, reasons } = terminal.offline;
  return (
    <Card
      title="Offline sales"
      tools={
        <Badge tone={ready ? 'good' : 'warn'}>
          {ready ? `${terminal.id} offline-ready` : `${terminal.id} not offline-ready`}
        </Badge>
      }
    >
      {!ready && (
        <p class="soft">
          Terminal {terminal.id} sells online only: {because ?? reasons.join(', ')}.
        </p>
      )}
      {queue && (
        <>
          <Facts rows={queueFacts(queue)} />
          {policy &&
            limitsOf(queue, policy, terminal.id, currency).map(({ label, left, max, text, tone }) => (
              <Meter key={label} label={label} value={left} max={max} text={text} tone={tone} />
            ))}
          {queue.depth > 0 && (
            <Button
              size="small"
              icon="send"
              onClick={() => acting(() => store.client.flush(), 'The agent tries to send now.')}
            >
              Send now
            </Button>
          )}
        </>
      )}
    </Card>
  );
}

function queueFacts({
  depth,
  parked,
  sums,
  oldestAgeSeconds,
}: Queue): readonly (readonly [string, string])[] {
  const amounts = Object.entries(sums).map(([currency, amount]) => amountText(amount, currency));
  return [
    ['Messages that wait', String(depth)],
    ...(parked > 0 ? [['Parked', String(parked)] as const] : []),
    ['Not confirmed yet', amounts.length > 0 ? amounts.join(', ') : 'none'],
    ['Oldest waits for', depth === 0 ? '–' : ageText(oldestAgeSeconds)],
  ];
}
