import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { Facts } from '@tillbridge/panel-kit/components/list.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import type { KeyView } from '../api/types.js';
import { panel } from '../model/model.js';

/** Keys and counters of the terminal that is looked at. */
export function KeysView(): JSX.Element {
  const detail = useChosen(panel, (now) => now.detail);
  if (!detail) return <Empty>Reading…</Empty>;
  const { pinKey, dataKey, sequence, transport, path } = detail;
  return (
    <Facts
      rows={[
        ['PIN key', <Key key="pin" view={pinKey} />],
        ['Data key', <Key key="data" view={dataKey} />],
        ['Transaction sequence (9F41)', String(sequence)],
        ['Transport', transport],
        [
          'Path for the agent',
          <code key="path" class="mono">
            {path}
          </code>,
        ],
      ]}
    />
  );
}

function Key({ view: { ksn, algorithm, condition } }: { readonly view: KeyView }): JSX.Element {
  return (
    <>
      <code class="mono">{`KSN ${ksn}`}</code> {algorithm}{' '}
      <Badge tone={condition === 'loaded' ? 'good' : 'bad'}>{condition}</Badge>
    </>
  );
}
