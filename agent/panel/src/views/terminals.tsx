import { Badge, type Tone } from '@tillbridge/panel-kit/components/badge.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Condition, Terminal } from '../api/answers.js';
import type { LiveStore } from '../model/live-store.js';
import { saleAmount } from '../model/sale-words.js';
import { shownSale } from '../model/store-view.js';
import { TerminalPicture } from '../pictures/terminal-picture.js';
import type { TextKey } from '../texts/en.js';
import { t } from '../texts/texts.js';

const STATES: Readonly<Record<Terminal['state'], { readonly tone: Tone; readonly text: TextKey }>> = {
  ready: { tone: 'good', text: 'ready' },
  busy: { tone: 'info', text: 'busy' },
  connecting: { tone: 'warn', text: 'connecting' },
  disconnected: { tone: 'bad', text: 'notConnected' },
};

/** The terminals of the store; the one that is chosen is worked with. */
export function Terminals({ store }: { readonly store: LiveStore }): JSX.Element {
  const terminals = useChosen(store.view, ({ status }) => status?.terminals);
  const selected = useChosen(store.view, (view) => view.selected);
  const strip = useShown(selected);
  return (
    <div class="terminals" role="radiogroup" aria-label={t('terminals')} ref={strip}>
      {(terminals ?? []).map((terminal) => (
        <TerminalTile
          key={terminal.id}
          store={store}
          terminal={terminal}
          checked={terminal.id === selected}
        />
      ))}
    </div>
  );
}

/** A strip that is scrolled so that the chosen terminal is in sight: it is the one that the form sells on. */
function useShown(selected: string | undefined): RefObject<HTMLDivElement | null> {
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const frame = strip.current;
    if (!frame || selected === undefined) return undefined;
    const show = () => {
      const tile = frame.querySelector('.terminal-tile:has(:checked)');
      if (!tile) return;
      const [inside, outside] = [tile.getBoundingClientRect(), frame.getBoundingClientRect()];
      frame.scrollLeft += inside.left + inside.width / 2 - (outside.left + outside.width / 2);
    };
    show();
    // A tablet that is turned has another strip.
    const resized = new ResizeObserver(show);
    resized.observe(frame);
    return () => resized.disconnect();
  }, [selected]);
  return strip;
}

function TerminalTile({
  store,
  terminal,
  checked,
}: {
  readonly store: LiveStore;
  readonly terminal: Terminal;
  readonly checked: boolean;
}): JSX.Element {
  const { id, name, deviceType, identity, state } = terminal;
  const condition = useChosen(store.view, ({ conditions }) => conditions[id]);
  const sale = useChosen(store.view, (view) => shownSale(view, id));
  const running = state === 'busy' && sale?.state !== 'done' ? sale : undefined;
  return (
    <label class="terminal-tile">
      <input type="radio" name="terminal" value={id} checked={checked} onChange={() => store.select(id)} />
      <TerminalPicture deviceType={deviceType} size={40} />
      <span class="terminal-words">
        <span class="terminal-name">
          <strong>{name ?? id}</strong>{' '}
          <span class="soft">{[name && id, identity?.model ?? deviceType].filter(Boolean).join(' · ')}</span>
        </span>
        <span class="terminal-state">
          <Badge tone={STATES[state].tone}>{running ? saleAmount(running) : t(STATES[state].text)}</Badge>
          {condition && state !== 'disconnected' && <ConditionWords condition={condition} />}
        </span>
      </span>
    </label>
  );
}

/** What staff should see of a terminal's condition. */
function ConditionWords({ condition }: { readonly condition: Condition }): JSX.Element | null {
  if (condition.kind !== 'condition') return null;
  const { batteryPercent, tampered, keys } = condition;
  if (tampered) return <Badge tone="bad">{t('tampered')}</Badge>;
  if (keys.data === 'missing') return <Badge tone="bad">{t('keysMissing')}</Badge>;
  if (keys.data === 'exhausted') return <Badge tone="bad">{t('keysExhausted')}</Badge>;
  if (batteryPercent === undefined) return null;
  return <Battery percent={batteryPercent} />;
}

/** Below this the battery is nearly empty, in percent. */
const LOW_BATTERY = 20;

function Battery({ percent }: { readonly percent: number }): JSX.Element {
  const level = Math.min(100, Math.max(0, percent));
  return (
    <span class={`battery${percent < LOW_BATTERY ? ' battery-low' : ''}`}>
      <svg width="22" height="12" viewBox="0 0 22 12" aria-hidden="true" focusable="false">
        <rect
          x="0.75"
          y="0.75"
          width="18"
          height="10.5"
          rx="2.5"
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
        />
        <rect x="20" y="4" width="2" height="4" rx="1" fill="currentColor" />
        <rect x="2.5" y="2.5" width={(14.5 * level) / 100} height="7" rx="1.2" fill="currentColor" />
      </svg>
      <span class="reader">{t('battery')} </span>
      {percent} %
    </span>
  );
}
