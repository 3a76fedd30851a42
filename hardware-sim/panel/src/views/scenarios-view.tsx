import { Button } from '@tillbridge/panel-kit/components/button.js';
import { Empty } from '@tillbridge/panel-kit/components/card.js';
import { Field } from '@tillbridge/panel-kit/components/field.js';
import { List, ListItem } from '@tillbridge/panel-kit/components/list.js';
import { useChosen } from '@tillbridge/panel-kit/state.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Scenario } from '../api/types.js';
import { remove, runScenario, saveScenario } from '../model/actions.js';
import { panel } from '../model/model.js';

/** The scenarios that were saved: run by their seed, or by another one. */
export function ScenariosView({ id }: { readonly id: string }): JSX.Element {
  const scenarios = useChosen(panel, (now) => now.scenarios);
  if (scenarios.length === 0)
    return (
      <Empty>
        No scenario is saved. Choose faults under “Faults” and save them under a name, or make a test of a
        sale on the wire.
      </Empty>
    );
  return (
    <List label="Scenarios">
      {scenarios.map((scenario) => (
        <ScenarioRow key={scenario.name} scenario={scenario} looked={id} />
      ))}
    </List>
  );
}

function ScenarioRow({
  scenario,
  looked,
}: {
  readonly scenario: Scenario;
  readonly looked: string;
}): JSX.Element {
  const { name, faults, terminals, sale } = scenario;
  const [seed, setSeed] = useState(String(scenario.seed));
  const isSeed = /^\d{1,9}$/.test(seed);
  const where = terminals ? `on ${terminals.join(', ')}` : 'on all terminals';
  const isHere = terminals?.length === 1 && terminals[0] === looked;
  const narrow = () => saveScenario({ ...scenario, terminals: [looked] });
  return (
    <ListItem
      main={<strong>{name}</strong>}
      second={[
        faults.map((fault) => fault.name).join(', ') || 'no faults',
        where,
        sale && `with a sale of ${sale.amount ?? 'any amount'} ${sale.currency ?? ''}`.trimEnd(),
      ]
        .filter(Boolean)
        .join(' ')}
      end={
        <div class="sim-row">
          <Field label="Seed" value={seed} onInput={setSeed} inputMode="numeric" maxLength={9} />
          <Button
            kind="primary"
            size="small"
            icon="play"
            disabled={!isSeed}
            label={`Run ${name}`}
            onClick={() => runScenario(name, Number(seed))}
          >
            Run
          </Button>
          <Button size="small" disabled={isHere} label={`On ${looked} alone, ${name}`} onClick={narrow}>
            {`On ${looked} alone`}
          </Button>
          <a
            class="button button-plain button-small"
            href={`/scenarios/${encodeURIComponent(name)}`}
            download={`${name}.json`}
          >
            Download
          </a>
          <Button
            size="small"
            kind="quiet"
            label={`Remove ${name}`}
            onClick={() => remove('scenarios', name)}
          >
            Remove
          </Button>
        </div>
      }
    />
  );
}
