import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Card } from '@tillbridge/panel-kit/components/card.js';
import { Facts } from '@tillbridge/panel-kit/components/list.js';
import { Meter } from '@tillbridge/panel-kit/components/meter.js';
import { Technical } from '@tillbridge/panel-kit/components/technical.js';
import { ageText } from '@tillbridge/panel-kit/format.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import type { Queue, Terminal } from '../api/answers.js';
import { limitsOf } from '../model/limits.js';
import type { LiveStore } from '../model/live-store.js';
import { money, t } from '../texts/texts.js';
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
      title={t('offlineSales')}
      tools={
        <Badge tone={ready ? 'good' : 'warn'}>
          {t(ready ? 'offlineReady' : 'notOfflineReady', { id: terminal.id })}
        </Badge>
      }
    >
      {!ready && (
        <>
          <p class="soft">{t('onlineOnly', { id: terminal.id })}</p>
          <Technical text={because ?? reasons.join(', ')} />
        </>
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
              onClick={() => acting(() => store.client.flush(), t('sendsNow'))}
            >
              {t('sendNow')}
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
  const amounts = Object.entries(sums).map(([currency, amount]) => money(amount, currency));
  return [
    [t('waitingMessages'), String(depth)],
    ...(parked > 0 ? [[t('parkedMessages'), String(parked)] as const] : []),
    [t('notConfirmed'), amounts.length > 0 ? amounts.join(', ') : t('none')],
    [t('oldestWaits'), depth === 0 ? '–' : ageText(oldestAgeSeconds)],
  ];
}
