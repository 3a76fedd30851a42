import { Button } from '@tillbridge/panel-kit/components/button.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TerminalView } from '../api/types.js';
import { act, give } from '../model/actions.js';
import { modelOf } from '../model/makers.js';
import { InputPad } from './input-pad.js';
import { KeyedEntry } from './keyed-entry.js';
import { PinPad } from './pin-pad.js';
import './terminal-card.css';

/** The ways to give a card. */
const WAYS = [
  ['insert', 'Insert'],
  ['tap', 'Tap'],
  ['swipe', 'Swipe'],
] as const;

/** A terminal: its display, its slot, what a cardholder can do, and its cable. */
export function TerminalCard({ terminal }: { readonly terminal: TerminalView }): JSX.Element {
  const { id, deviceType, wants } = terminal;
  const [keying, setKeying] = useState(false);
  const { maker, model } = modelOf(deviceType);
  const name = `${maker} ${model}, ${id}`;
  return (
    <article class="device" aria-label={name}>
      <header class="device-head">
        <h2 class="device-name">{`${maker} ${model}`}</h2>
        <span class="soft numeric">{id}</span>
      </header>
      <Screen terminal={terminal} />
      <Paper lines={terminal.printed} id={id} />
      {wants === 'input' && <InputPad id={id} />}
      {wants === 'pin' ? <PinPad id={id} /> : <Ways terminal={terminal} onKeyIn={() => setKeying(true)} />}
      <Foot terminal={terminal} />
      {keying && <KeyedEntry id={id} name={name} onClose={() => setKeying(false)} />}
    </article>
  );
}

/** What a cardholder can do with a card. */
function Ways({
  terminal: { id, plugged, accepts },
  onKeyIn,
}: {
  readonly terminal: TerminalView;
  readonly onKeyIn: () => void;
}): JSX.Element {
  return (
    <div class="device-ways">
      {WAYS.map(([how, word]) => (
        <Button
          key={how}
          size="small"
          kind={accepts.includes(how) ? 'primary' : 'plain'}
          label={`${word} the card, ${id}`}
          disabled={!plugged}
          onClick={() => give(id, how)}
        >
          {word}
        </Button>
      ))}
      <Button
        size="small"
        label={`Two cards, ${id}`}
        disabled={!plugged}
        onClick={() => give(id, 'tap', true)}
      >
        Two cards
      </Button>
      <Button
        size="small"
        kind={accepts.includes('manual') ? 'primary' : 'plain'}
        label={`Key in, ${id}`}
        disabled={!plugged}
        onClick={onKeyIn}
      >
        Key in
      </Button>
    </div>
  );
}

/** What staff can do: take the card, pull the cable, restart. */
function Foot({
  terminal: { id, plugged, wants, card, cardReady },
}: {
  readonly terminal: TerminalView;
}): JSX.Element {
  const takeWords = wants === 'removal' || !card?.inserted ? 'Take the card' : 'Pull early';
  return (
    <div class="device-foot">
      <Button
        size="small"
        label={`${takeWords}, ${id}`}
        disabled={!card?.inserted && !cardReady}
        onClick={() => act(id, 'remove')}
      >
        {takeWords}
      </Button>
      <Button
        size="small"
        kind="quiet"
        label={`${plugged ? 'Unplug' : 'Plug in'}, ${id}`}
        onClick={() => act(id, plugged ? 'unplug' : 'plug')}
      >
        {plugged ? 'Unplug' : 'Plug in'}
      </Button>
      <Button size="small" kind="quiet" label={`Restart, ${id}`} onClick={() => act(id, 'reset')}>
        Restart
      </Button>
    </div>
  );
}

/** The display, and what sits in the slot. */
function Screen({ terminal: { screen, card } }: { readonly terminal: TerminalView }): JSX.Element {
  return (
    <div class="device-body">
      <div class="device-screen" role="status" aria-label="Display">
        {screen.length === 0 ? (
          <span class="device-dark">no text</span>
        ) : (
          screen.map((line, at) => <div key={at}>{line || '\u00a0'}</div>)
        )}
      </div>
      <div class={`device-slot${card?.inserted ? ' device-slot-full' : ''}`}>
        {card ? `${card.inserted ? 'in the slot' : `last: ${card.how}`}: ${card.name}` : 'slot is empty'}
      </div>
    </div>
  );
}

/** What the printer of the terminal has printed, where it has one. */
function Paper({
  lines,
  id,
}: {
  readonly lines: readonly string[];
  readonly id: string;
}): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="device-paper" tabIndex={0} aria-label={`Printed, ${id}`}>
      {lines.join('\n')}
    </section>
  );
}
