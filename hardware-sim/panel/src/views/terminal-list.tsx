import { Badge, type Tone } from '@tillbridge/panel-kit/components/badge.js';
import { Select } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { TerminalView } from '../api/types.js';
import { modelOf } from '../model/makers.js';
import { panel } from '../model/model.js';
import { placeHash } from '../model/place.js';
import './terminal-list.css';

/** States of a terminal in words. */
const STATES: Readonly<Record<string, readonly [tone: Tone, words: string]>> = {
  idle: ['neutral', 'Idle'],
  'waiting-card': ['info', 'Waits for a card'],
  reading: ['info', 'Reads'],
  'waiting-pin': ['warn', 'Waits for a PIN'],
  'waiting-input': ['warn', 'Waits for input'],
  online: ['info', 'Goes online'],
  removing: ['warn', 'Waits for removal'],
};
const ALL = '';

/** All terminals, by maker where one is chosen; each is a link to its place. */
export function TerminalList(): JSX.Element {
  const terminals = useChosen(panel, (now) => now.terminals);
  const looked = useChosen(panel, (now) => now.looked);
  const view = useChosen(panel, (now) => now.place.view);
  const [maker, setMaker] = useState(ALL);
  const makers = [...new Set(terminals.map(({ deviceType }) => modelOf(deviceType).maker))].sort();
  const shown = terminals.filter(({ deviceType }) => maker === ALL || modelOf(deviceType).maker === maker);
  return (
    <section class="terminals" aria-label="Terminals">
      <Select
        label="Maker"
        options={[
          { value: ALL, label: 'All makers' },
          ...makers.map((name) => ({ value: name, label: name })),
        ]}
        value={maker}
        onChange={setMaker}
      />
      <ul class="terminals-list">
        {shown.map((terminal) => (
          <Item
            key={terminal.id}
            terminal={terminal}
            isChosen={terminal.id === looked}
            href={placeHash({ terminal: terminal.id, view })}
          />
        ))}
      </ul>
    </section>
  );
}

function Item({
  terminal,
  isChosen,
  href,
}: {
  readonly terminal: TerminalView;
  readonly isChosen: boolean;
  readonly href: string;
}): JSX.Element {
  const { id, deviceType, cardReady, faults, recording, replay } = terminal;
  const { maker, model } = modelOf(deviceType);
  return (
    <li>
      <a class="terminal" href={href} aria-current={isChosen ? 'true' : undefined}>
        <span class="terminal-name">{`${maker} ${model}`}</span>
        <span class="terminal-id numeric">{id}</span>
        <span class="terminal-states">
          <StateBadge terminal={terminal} />
          {cardReady && <Badge tone="info">Card ready</Badge>}
          {faults.length > 0 && (
            <Badge tone="warn">{faults.length === 1 ? '1 fault' : `${faults.length} faults`}</Badge>
          )}
          {recording !== undefined && <Badge tone="bad">Recording</Badge>}
          {replay && !replay.result && <Badge tone="info">{`Replay ${replay.done}/${replay.of}`}</Badge>}
        </span>
      </a>
    </li>
  );
}

function StateBadge({ terminal: { plugged, state } }: { readonly terminal: TerminalView }): JSX.Element {
  if (!plugged) return <Badge tone="bad">Unplugged</Badge>;
  const [tone, words] = STATES[state] ?? ['neutral', state];
  return <Badge tone={tone}>{words}</Badge>;
}
