import { Badge } from '@tillbridge/protocol/panel/components/badge.js';
import { Card } from '@tillbridge/protocol/panel/components/card.js';
import { Facts } from '@tillbridge/protocol/panel/components/list.js';
import { ageText, amountText } from '@tillbridge/protocol/panel/format.js';
import { useChosen } from '@tillbridge/protocol/panel/state.js';
import type { JSX } from 'preact';
import type { History, Status } from '../api/answers.js';
import { type HistoryChart, historyChart } from '../model/history-chart.js';
import type { LiveStore } from '../model/live-store.js';

/** How many hours are drawn. */
const HOURS = 6;

const WORDS = {
  up: ['good', 'Connected'],
  connecting: ['warn', 'Connecting'],
  down: ['bad', 'Not connected'],
} as const;

/** The link to the gateway and the exposure, now and over the last hours. */
export function LinkCard({ store }: { readonly store: LiveStore }): JSX.Element | null {
  const gateway = useChosen(store.view, ({ status }) => status?.gateway);
  const history = useChosen(store.view, (view) => view.history);
  const currency = useChosen(store.view, ({ status }) => status?.store.currency ?? 'EUR');
  if (!gateway) return null;
  const [tone, text] = WORDS[gateway.state];
  return (
    <Card title="Link" tools={<Badge tone={tone}>{text}</Badge>}>
      <Facts rows={linkFacts(gateway)} />
      {history && <LastHours history={history} currency={currency} />}
    </Card>
  );
}

function linkFacts(gateway: Status['gateway']): readonly (readonly [string, string])[] {
  const { lastContactAgeSeconds, reason, detail, attempt = 0 } = gateway;
  const rows: (readonly [string, string])[] = [
    ['Last heard', lastContactAgeSeconds === undefined ? 'never' : `${ageText(lastContactAgeSeconds)} ago`],
  ];
  if (gateway.state !== 'up' && reason !== undefined)
    rows.push(['Why', [reason, detail].filter(Boolean).join(': ')]);
  if (gateway.state !== 'up' && attempt > 0) rows.push(['Attempts', String(attempt)]);
  return rows;
}

function LastHours({
  history,
  currency,
}: {
  readonly history: History;
  readonly currency: string;
}): JSX.Element {
  const chart = historyChart(history, HOURS, currency);
  return (
    <figure class="hours">
      <figcaption class="hours-words">
        <span>Last {HOURS} hours</span>
        <span class="soft">{linkText(chart)}</span>
      </figcaption>
      <svg
        class="hours-link"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Link: ${linkText(chart)}`}
      >
        {chart.spans.map(({ from, to, state }) => (
          <rect
            key={from}
            class={`hours-${state}`}
            x={from * 100}
            y="0"
            width={Math.max(0.4, (to - from) * 100)}
            height="6"
          />
        ))}
      </svg>
      <svg
        class="hours-exposure"
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Exposure: ${exposureText(chart, currency)}`}
      >
        <path d={stepPath(chart)} />
      </svg>
      <p class="hours-words">
        <span>Exposure</span>
        <span class="soft numeric">{exposureText(chart, currency)}</span>
      </p>
    </figure>
  );
}

function linkText({ knownSeconds, downSeconds, interruptions }: HistoryChart): string {
  if (downSeconds === 0) return `no interruption in ${ageText(knownSeconds)}`;
  const without = `${ageText(downSeconds)} without the gateway`;
  if (interruptions === 0) return without;
  return `${interruptions === 1 ? '1 interruption' : `${interruptions} interruptions`}, ${without}`;
}

function exposureText({ highest }: HistoryChart, currency: string): string {
  return highest === 0 ? 'none' : `at most ${amountText(highest.toFixed(2), currency)}`;
}

/** A line of steps, filled to the ground. */
function stepPath({ points }: HistoryChart): string {
  const parts = ['M0 39'];
  let height = 39;
  for (const { at, amount } of points) {
    parts.push(`H${(at * 100).toFixed(2)}`);
    height = 39 - amount * 36;
    parts.push(`V${height.toFixed(2)}`);
  }
  parts.push('H100', 'V39', 'Z');
  return parts.join('');
}
