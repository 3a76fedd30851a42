import { Card, Empty } from '@tillbridge/panel-kit/components/card.js';
import { Choice, type Option } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import type { NetworkState } from '../api/types.js';
import { setNetwork } from '../model/actions.js';
import { panel } from '../model/model.js';
import { Check } from './parts/check.js';
import { Slider } from './parts/slider.js';

const STATES: readonly Option<NetworkState['state']>[] = [
  { value: 'up', label: 'Up' },
  { value: 'slow', label: 'Slow' },
  { value: 'down', label: 'Down' },
];
const DEFAULT_LATENCY_MS = 1_000;

/** The line between agent and gateway. */
export function NetworkCard(): JSX.Element {
  const network = useChosen(panel, (now) => now.network);
  if (!network)
    return (
      <Card title="Network">
        <Empty>The agent does not reach its gateway through this simulator.</Empty>
      </Card>
    );
  const { state, latencyMs, dropAnswers } = network;
  const choose = (next: NetworkState['state']) =>
    setNetwork({
      state: next,
      latencyMs: next === 'slow' ? latencyMs || DEFAULT_LATENCY_MS : 0,
      dropAnswers,
    });
  return (
    <Card title="Network">
      <p class="soft">Between agent and gateway</p>
      <Choice label="Network" options={STATES} value={state} onChange={choose} />
      {state === 'slow' && (
        <Slider
          label="Latency"
          value={latencyMs}
          min={100}
          max={10_000}
          step={100}
          unit=" ms"
          onChange={(next) => setNetwork({ ...network, latencyMs: next })}
        />
      )}
      <Check
        label="Drop the answers of the gateway"
        value={dropAnswers}
        onChange={(next) => setNetwork({ ...network, dropAnswers: next })}
      />
    </Card>
  );
}
