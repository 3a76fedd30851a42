import { Badge } from '@tillbridge/panel-kit/components/badge.js';
import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Field } from '@tillbridge/panel-kit/components/field.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Scenario, TerminalView } from '../api/types.js';
import { saveScenario, setFaults, type WrittenFault } from '../model/actions.js';
import { FAULT_KINDS, type FaultKind } from '../model/fault-kinds.js';
import { panel } from '../model/model.js';
import { Check } from './parts/check.js';
import './faults-view.css';
import { Slider } from './parts/slider.js';

const NO_FAULTS: TerminalView['faults'] = [];
const PRESET: Omit<WrittenFault, 'name'> = { skip: 0, times: 1, delayMs: 1_000, ratePercent: 100 };
const DEFAULT_SEED = '1';

/** Sets the faults of a terminal by sliders, and keeps them as a scenario. */
export function FaultsView({ id }: { readonly id: string }): JSX.Element {
  const pending = useChosen(
    panel,
    (now) => now.terminals.find((terminal) => terminal.id === id)?.faults ?? NO_FAULTS,
  );
  const [chosen, setChosen] = useState<ReadonlyMap<string, WrittenFault>>(new Map());
  const [seed, setSeed] = useState(DEFAULT_SEED);
  const [name, setName] = useState('');
  const change = (kind: FaultKind, fault: WrittenFault | undefined) =>
    setChosen((before) => {
      const next = new Map(before);
      if (fault) next.set(kind.name, fault);
      else next.delete(kind.name);
      return next;
    });
  const faults = [...chosen.values()];
  const seedNumber = /^\d{1,9}$/.test(seed) ? Number(seed) : undefined;
  const apply = () =>
    setFaults(
      id,
      faults.map((fault, at) => ({ ...fault, seed: (seedNumber ?? 1) + at })),
    );
  const save = () => saveScenario({ name, seed: seedNumber ?? 1, faults } as Scenario);
  return (
    <>
      <p class="sim-row" role="status">
        {pending.length === 0 ? (
          <span class="soft">No fault waits on this terminal.</span>
        ) : (
          pending.map((fault, at) => (
            <Badge key={at} tone="warn">{`${fault.name}, ${fault.times} left`}</Badge>
          ))
        )}
      </p>
      <ul class="faults">
        {FAULT_KINDS.map((kind) => (
          <FaultRow
            key={kind.name}
            kind={kind}
            fault={chosen.get(kind.name)}
            onChange={(fault) => change(kind, fault)}
          />
        ))}
      </ul>
      <div class="faults-end">
        <Field label="Seed" value={seed} onInput={setSeed} inputMode="numeric" maxLength={9} />
        <Field label="Name of a scenario" value={name} onInput={setName} maxLength={60} />
        <div class="sim-row">
          <Button kind="primary" disabled={faults.length === 0 || seedNumber === undefined} onClick={apply}>
            Set the faults
          </Button>
          <Button disabled={faults.length === 0 || seedNumber === undefined || name === ''} onClick={save}>
            Save as scenario
          </Button>
          <Button disabled={pending.length === 0} onClick={() => setFaults(id, [])}>
            Clear the faults
          </Button>
        </div>
      </div>
    </>
  );
}

function FaultRow({
  kind,
  fault,
  onChange,
}: {
  readonly kind: FaultKind;
  readonly fault: WrittenFault | undefined;
  readonly onChange: (fault: WrittenFault | undefined) => void;
}): JSX.Element {
  const { name, words, lasts, delays } = kind;
  const set = (change: Partial<WrittenFault>) => fault && onChange({ ...fault, ...change });
  return (
    <li class={`fault${fault ? ' fault-on' : ''}`}>
      <Check
        label={`${words} (${name})`}
        value={fault !== undefined}
        onChange={(on) => onChange(on ? { name, ...PRESET } : undefined)}
      />
      {fault && !lasts && (
        <div class="fault-sliders">
          <Slider
            label="Rate"
            value={fault.ratePercent}
            min={1}
            max={100}
            unit=" %"
            onChange={(ratePercent) => set({ ratePercent })}
          />
          <Slider label="Times" value={fault.times} min={1} max={50} onChange={(times) => set({ times })} />
          <Slider label="Skip first" value={fault.skip} min={0} max={50} onChange={(skip) => set({ skip })} />
          {delays && (
            <Slider
              label="Delay"
              value={fault.delayMs}
              min={0}
              max={20_000}
              step={100}
              unit=" ms"
              onChange={(delayMs) => set({ delayMs })}
            />
          )}
        </div>
      )}
    </li>
  );
}
