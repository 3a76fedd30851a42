import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Page } from '@tillbridge/panel-kit/components/page.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { NetworkState } from '../api/types.js';
import { panel } from '../model/model.js';
import './app.css';
import { CardTray } from './card-tray.js';
import { Dock } from './dock.js';
import { TerminalCard } from './terminal-card.js';
import { TerminalList } from './terminal-list.js';

/** The parts of the page, of which a narrow screen shows one. */
const PANES = [
  { value: 'list', label: 'Terminals', icon: 'system' },
  { value: 'terminal', label: 'Terminal', icon: 'terminal' },
  { value: 'dock', label: 'Wire', icon: 'chart' },
] as const;

type Pane = (typeof PANES)[number]['value'];

/** The simulator's page: terminals, the chosen one with slot and PIN pad, and what passes inside. */
export function App(): JSX.Element {
  const terminal = useChosen(panel, (now) => now.terminals.find(({ id }) => id === now.looked));
  const place = useChosen(panel, (now) => now.place);
  const [pane, setPane] = useState<Pane>(firstPane);
  // A narrow screen shows what was chosen.
  useEffect(() => {
    const next = firstPane();
    if (place.terminal !== '') setPane((now) => (next === 'dock' || now === 'list' ? next : now));
  }, [place]);
  return (
    <Page name="Simulator" states={<States />}>
      <main class="sim" data-pane={pane}>
        <TerminalList />
        <div class="sim-terminal">{terminal && <TerminalCard key={terminal.id} terminal={terminal} />}</div>
        <CardTray />
        <Dock />
      </main>
      <nav class="panes" aria-label="Parts of the page">
        {PANES.map(({ value, label, icon }) => (
          <Button
            key={value}
            kind={pane === value ? 'primary' : 'quiet'}
            icon={icon}
            pressed={pane === value}
            onClick={() => setPane(value)}
          >
            {label}
          </Button>
        ))}
      </nav>
    </Page>
  );
}

/** What a narrow screen begins with: the record where the address names a sale or an entry, or a view of it. */
function firstPane(): Pane {
  const { terminal, view, sale, entry } = panel.value.place;
  if (terminal === '') return 'list';
  return view !== 'wire' || sale !== undefined || entry ? 'dock' : 'terminal';
}

function States(): JSX.Element {
  const link = useChosen(panel, (now) => now.link);
  const network = useChosen(panel, (now) => now.network);
  const terminals = useChosen(panel, (now) => now.terminals);
  const faulty = terminals.filter(({ faults }) => faults.length > 0).length;
  return (
    <>
      {link === 'open' ? (
        <Badge tone="good">Connected</Badge>
      ) : (
        <Badge tone="bad">No answer from the simulator</Badge>
      )}
      {network && <NetworkBadge network={network} />}
      {faulty > 0 && (
        <Badge tone="warn">{`Faults on ${faulty} ${faulty === 1 ? 'terminal' : 'terminals'}`}</Badge>
      )}
    </>
  );
}

function NetworkBadge({ network }: { readonly network: NetworkState }): JSX.Element {
  const { state, latencyMs, dropAnswers } = network;
  if (state === 'down') return <Badge tone="bad">Network down</Badge>;
  if (dropAnswers) return <Badge tone="bad">Answers are dropped</Badge>;
  if (state === 'slow') return <Badge tone="warn">{`Network slow, ${latencyMs} ms`}</Badge>;
  return <Badge tone="good">Network up</Badge>;
}
