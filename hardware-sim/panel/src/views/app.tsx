import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Page } from '@tillbridge/panel-kit/components/page.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import type { NetworkState } from '../api/types.js';
import { panel } from '../model/model.js';
import './app.css';
import { CardTray } from './card-tray.js';
import { HostCard } from './host-card.js';
import { Inspector } from './inspector.js';
import { NetworkCard } from './network-card.js';
import { ReceiptsCard } from './receipts-card.js';
import { TerminalCard } from './terminal-card.js';

/** The simulator's page. */
export function App(): JSX.Element {
  const terminals = useChosen(panel, (now) => now.terminals);
  return (
    <Page name="Simulator" states={<States />}>
      <main class="sim">
        <CardTray />
        <section class="sim-terminals" aria-label="Terminals">
          {terminals.map((terminal) => (
            <TerminalCard key={terminal.id} terminal={terminal} />
          ))}
        </section>
        <div class="sim-below">
          <Inspector />
          <div class="sim-side">
            <NetworkCard />
            <HostCard />
            <ReceiptsCard />
          </div>
        </div>
      </main>
    </Page>
  );
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
