import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Card } from '@tillbridge/panel-kit/components/card.js';
import { Facts } from '@tillbridge/panel-kit/components/list.js';
import { ageText } from '@tillbridge/panel-kit/format.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import type { Status } from '../api/answers.js';
import { type ExposureChart, type HistoryChart, historyChart } from '../model/history-chart.js';
import type { LiveStore } from '../model/live-store.js';
import { FAULTS, faultWords } from '../texts/faults.js';
import { money, t } from '../texts/texts.js';
import { FaultNote } from './fault-note.js';

/** How many hours are drawn. */
const HOURS = 6;

const WORDS = {
  up: ['good', 'connected'],
  connecting: ['warn', 'connecting'],
  down: ['bad', 'notConnected'],
} as const;

const SILENT = ['bad', 'gatewaySilent'] as const;

/** The link to the gateway and the exposure, now and over the last hours. */
export function LinkCard({ store }: { readonly store: LiveStore }): JSX.Element | null {
  const gateway = useChosen(store.view, ({ status }) => status?.gateway);
  const history = useChosen(store.view, (view) => view.history);
  const currency = useChosen(store.view, ({ status }) => status?.store.currency);
  if (!gateway) return null;
  const [tone, text] = gateway.silent ? SILENT : WORDS[gateway.state];
  const fault = gateway.state === 'up' ? undefined : faultWords('link', gateway.reason);
  return (
    <Card title={t('link')} tools={<Badge tone={tone}>{t(text)}</Badge>}>
      {fault && (
        <FaultNote todo={t(fault[0])} detail={[gateway.reason, gateway.detail].filter(Boolean).join(': ')} />
      )}
      {gateway.silent && <FaultNote todo={t(FAULTS.link.silent[0])} />}
      <Facts rows={linkFacts(gateway)} />
      {history && <LastHours chart={historyChart(history, HOURS, currency)} />}
    </Card>
  );
}

function linkFacts(gateway: Status['gateway']): readonly (readonly [string, string])[] {
  const { lastContactAgeSeconds, attempt = 0 } = gateway;
  const contact =
    lastContactAgeSeconds === undefined ? t('never') : t('ago', { age: ageText(lastContactAgeSeconds) });
  const rows: (readonly [string, string])[] = [[t('lastContact'), contact]];
  if (gateway.state !== 'up' && attempt > 0) rows.push([t('attempts'), String(attempt)]);
  return rows;
}

function LastHours({ chart }: { readonly chart: HistoryChart }): JSX.Element {
  const text = linkText(chart);
  return (
    <figure class="hours">
      <figcaption class="hours-words">
        <span>{t('lastHours', { hours: HOURS })}</span>
        <span class="soft">{text}</span>
      </figcaption>
      <svg
        class="hours-link"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('linkChart', { text })}
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
      {chart.exposures.map((exposure) => (
        <Exposure key={exposure.currency} exposure={exposure} />
      ))}
      {chart.exposures.length === 0 && <ExposureWords text={t('none')} />}
    </figure>
  );
}

function Exposure({ exposure }: { readonly exposure: ExposureChart }): JSX.Element {
  const { currency, highest, points } = exposure;
  const text = highest === undefined ? t('none') : t('atMost', { amount: money(highest, currency) });
  return (
    <>
      <svg
        class="hours-exposure"
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('exposureChart', { text })}
      >
        <path d={stepPath(points)} />
      </svg>
      <ExposureWords text={text} />
    </>
  );
}

function ExposureWords({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="hours-words">
      <span>{t('exposure')}</span>
      <span class="soft numeric">{text}</span>
    </p>
  );
}

function linkText({ knownSeconds, downSeconds, interruptions }: HistoryChart): string {
  if (downSeconds === 0) return t('noInterruption', { age: ageText(knownSeconds) });
  const age = ageText(downSeconds);
  if (interruptions === 0) return t('withoutGateway', { age });
  return t(interruptions === 1 ? 'interruption' : 'interruptions', { count: interruptions, age });
}

/** A line of steps, filled to the ground. */
function stepPath(points: ExposureChart['points']): string {
  const steps = points.map(({ at, amount }) => `H${(at * 100).toFixed(2)}V${(39 - amount * 36).toFixed(2)}`);
  return `M0 39${steps.join('')}H100V39Z`;
}
