import { Card } from '@tillbridge/panel-kit/components/card.js';
import { type Tab, Tabs } from '@tillbridge/panel-kit/components/tabs.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { panel } from '../model/model.js';
import { ApduLog } from './apdu-log.js';
import { FaultsView } from './faults-view.js';
import { KernelView } from './kernel-view.js';
import { KeysView } from './keys-view.js';
import { RecordingsView } from './recordings-view.js';
import { ScenariosView } from './scenarios-view.js';
import { WireView } from './wire-view.js';

type View = 'wire' | 'apdus' | 'kernel' | 'keys' | 'faults' | 'scenarios' | 'recordings';

const TABS: readonly Tab<View>[] = [
  { value: 'wire', label: 'Wire' },
  { value: 'apdus', label: 'APDUs' },
  { value: 'kernel', label: 'Kernel' },
  { value: 'keys', label: 'Keys' },
  { value: 'faults', label: 'Faults' },
  { value: 'scenarios', label: 'Scenarios' },
  { value: 'recordings', label: 'Recordings' },
];

/** What happens inside the terminal that is looked at. */
export function Inspector(): JSX.Element {
  const [view, setView] = useState<View>('wire');
  const looked = useChosen(panel, (now) => now.looked);
  const deviceType = useChosen(
    panel,
    (now) => now.terminals.find(({ id }) => id === now.looked)?.deviceType ?? '',
  );
  return (
    <Card title={`Terminal ${looked}`} tools={<span class="soft">{deviceType}</span>}>
      <Tabs label="Inside the terminal" tabs={TABS} value={view} onChange={setView}>
        {view === 'wire' && <WireView key={looked} id={looked} />}
        {view === 'apdus' && <ApduLog key={looked} id={looked} />}
        {view === 'kernel' && <KernelView />}
        {view === 'keys' && <KeysView />}
        {view === 'faults' && <FaultsView key={looked} id={looked} />}
        {view === 'scenarios' && <ScenariosView id={looked} />}
        {view === 'recordings' && <RecordingsView key={looked} id={looked} />}
      </Tabs>
    </Card>
  );
}
