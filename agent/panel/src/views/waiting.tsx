import { ageText } from '@tillbridge/panel-kit/format.js';
import { useChosen, useRedraw } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Sale } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { t } from '../texts/texts.js';

/** From then on the time of a wait is shown, seconds. */
const SHOWN_FROM = 2;

/** From then on staff is advised to go on waiting, seconds. */
const SLOW_FROM = 8;

const SECOND_MS = 1_000;

/** How long a sale has waited for its answer, and what staff does meanwhile. */
export function Waiting({ store, sale }: { readonly store: LiveStore; readonly sale: Sale }): JSX.Element {
  const isCut = useChosen(
    store.view,
    ({ status }) => status?.gateway.state !== 'up' || status.gateway.silent === true,
  );
  const redraw = useRedraw();
  useEffect(() => {
    const ticks = setInterval(redraw, SECOND_MS);
    return () => clearInterval(ticks);
  }, []);
  const since = Date.parse(sale.timeline.at(-1)?.at ?? '');
  const seconds = Math.floor((store.client.nowMs() - since) / SECOND_MS);
  return (
    <div class="waiting">
      {seconds >= SHOWN_FROM && <p class="numeric">{t('waitingFor', { age: ageText(seconds) })}</p>}
      {isCut ? (
        <p class="tone-warn" role="alert">
          {t('adviceCut')}
        </p>
      ) : (
        seconds >= SLOW_FROM && <p>{t('adviceSlow')}</p>
      )}
    </div>
  );
}
