import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import type { JSX } from 'preact';
import type { Story, StoryEntry, StoryGap } from '../../api/payment-answers.js';
import { linesOf } from '../../model/story.js';
import type { TextKey } from '../../texts/en.js';
import { preciseText, t } from '../../texts/texts.js';

const SOURCES: Readonly<Record<string, TextKey>> = {
  till: 'sourceTill',
  terminal: 'sourceTerminal',
  agent: 'sourceAgent',
  bridge: 'sourceBridge',
  gateway: 'sourceGateway',
  risk: 'sourceRisk',
  'three-d-secure': 'sourceThreeDSecure',
  'security-module': 'sourceSecurityModule',
  acquirer: 'sourceAcquirer',
  settlement: 'sourceSettlement',
  webhook: 'sourceWebhook',
};

function sourceText(source: string): string {
  const key = SOURCES[source];
  return key ? t(key) : source;
}

/** The one timeline: causes in their order, and what is missing where it is missing. */
export function StoryCard({ story }: { readonly story: Story }): JSX.Element {
  const lines = linesOf(story);
  return (
    <Card title={t('timeline')}>
      {lines.length === 0 && <Empty>{t('noTimeline')}</Empty>}
      {story.clocks.map(({ clock, aheadMs }) => (
        <p key={clock} class="soft">
          {t('clockAhead', { clock, ms: aheadMs })}
        </p>
      ))}
      <ol class="story" aria-label={t('timeline')}>
        {lines.map((line, at) => (
          <li key={at} class={line.kind === 'gap' ? 'story-gap' : `story-entry story-${line.entry.source}`}>
            {line.kind === 'gap' ? <Gap gap={line.gap} /> : <Entry entry={line.entry} ofPayment={story.id} />}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Gap({ gap: { source, from, to, text } }: { readonly gap: StoryGap }): JSX.Element {
  return (
    <>
      <p>
        <strong>{`${t('missing')}: ${sourceText(source)}`}</strong>
        {from !== undefined && <span class="soft"> {preciseText(from)}</span>}
        {to !== undefined && <span class="soft"> – {preciseText(to)}</span>}
      </p>
      <p lang="en">{text}</p>
    </>
  );
}

function Entry({
  entry: { at, source, clock, step, by, rule, code, detail, durationMs, ids = {}, paymentId },
  ofPayment,
}: {
  readonly entry: StoryEntry;
  readonly ofPayment: string;
}): JSX.Element {
  const facts = [
    t('byWhom', { by }),
    ...(rule === undefined ? [] : [t('rule', { rule })]),
    ...(code === undefined ? [] : [code]),
    ...(durationMs === undefined ? [] : [t('took', { ms: durationMs })]),
    ...(clock === 'gateway' ? [] : [t('byClock', { clock })]),
  ];
  const shownIds = { ...ids, ...(paymentId !== undefined && paymentId !== ofPayment && { paymentId }) };
  return (
    <>
      <p class="story-head">
        <time class="numeric" dateTime={at}>
          {preciseText(at)}
        </time>
        <span class="story-source">{sourceText(source)}</span>
        <strong lang="en">{step}</strong>
      </p>
      {detail !== undefined && <p lang="en">{detail}</p>}
      <p class="soft">{facts.join(' · ')}</p>
      {Object.keys(shownIds).length > 0 && (
        <p class="story-ids">
          {Object.entries(shownIds).map(([name, value]) => (
            <span key={name}>
              {name} <code>{value}</code>
            </span>
          ))}
        </p>
      )}
    </>
  );
}
