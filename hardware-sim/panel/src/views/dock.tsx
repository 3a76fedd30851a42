import { type Tab, Tabs } from '@tillbridge/panel-kit/components/tabs.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { go } from '../model/actions.js';
import { panel } from '../model/model.js';
import type { View } from '../model/place.js';
import { FaultsView } from './faults-view.js';
import { HostCard } from './host-card.js';
import { KernelView } from './kernel-view.js';
import { KeysView } from './keys-view.js';
import { NetworkCard } from './network-card.js';
import { ReceiptsCard } from './receipts-card.js';
import { RecordingsView } from './recordings-view.js';
import { ScenariosView } from './scenarios-view.js';
import { WireView } from './wire/wire-view.js';

const TABS: readonly Tab<View>[] = [
  { value: 'wire', label: 'Wire' },
  { value: 'kernel', label: 'Kernel' },
  { value: 'keys', label: 'Keys' },
  { value: 'faults', label: 'Faults' },
  { value: 'scenarios', label: 'Scenarios' },
  { value: 'recordings', label: 'Recordings' },
  { value: 'network', label: 'Network' },
  { value: 'receipts', label: 'Receipts' },
];

/** What happens inside the chosen terminal, and around it. */
export function Dock(): JSX.Element {
  const looked = useChosen(panel, (now) => now.looked);
  const { view, sale } = useChosen(panel, (now) => now.place);
  const show = (next: View) => go({ terminal: looked, view: next, ...(sale !== undefined && { sale }) });
  return (
    <section class={`dock dock-${view}`} aria-label={`Inside terminal ${looked}`}>
      <Tabs label="Inside the terminal" tabs={TABS} value={view} onChange={show}>
        {view === 'wire' && <WireView key={looked} id={looked} />}
        {view === 'kernel' && <KernelView key={looked} id={looked} />}
        {view === 'keys' && <KeysView />}
        {view === 'faults' && <FaultsView key={looked} id={looked} />}
        {view === 'scenarios' && <ScenariosView id={looked} />}
        {view === 'recordings' && <RecordingsView key={looked} id={looked} />}
        {view === 'network' && (
          <>
            <NetworkCard />
            <HostCard />
          </>
        )}
        {view === 'receipts' && <ReceiptsCard />}
      </Tabs>
    </section>
  );
}
