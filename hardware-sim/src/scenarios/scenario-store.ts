import { text } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { ControlError } from '../errors/control-error.js';
import { type StateSlot, stateReader } from '../state/state-slot.js';
import { MAX_SCENARIOS, SCENARIO_NAME, type Scenario } from './scenario.js';

const SCENARIO = Type.Object(
  {
    name: text('the name of a scenario', SCENARIO_NAME),
    seed: Type.Integer({ expected: 'a whole number' }),
    faults: Type.Unsafe<Scenario['faults']>({ type: 'array', expected: 'a list of faults' }),
  },
  { expected: 'a scenario' },
);

/** Checks what a state file holds. @throws TypeError */
export const parseScenarios = stateReader<readonly Scenario[]>(
  Type.Array(SCENARIO, { maxItems: MAX_SCENARIOS, expected: `a list of at most ${MAX_SCENARIOS} scenarios` }),
);

/** The scenarios that were saved. */
export class ScenarioStore {
  readonly #slot: StateSlot<readonly Scenario[]>;

  constructor(slot: StateSlot<readonly Scenario[]>) {
    this.#slot = slot;
  }

  /** By name. @throws StateError */
  get list(): readonly Scenario[] {
    return this.#slot.read() ?? [];
  }

  /** Keeps a scenario in place of one with its name. @throws ControlError not-now, StateError */
  save(scenario: Scenario): void {
    const others = this.list.filter(({ name }) => name !== scenario.name);
    if (others.length >= MAX_SCENARIOS)
      throw new ControlError('not-now', `there are ${MAX_SCENARIOS} scenarios: remove some of them`);
    this.#slot.write([...others, scenario].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  /** @throws ControlError unknown-scenario, StateError */
  find(name: string): Scenario {
    const found = this.list.find((scenario) => scenario.name === name);
    if (!found) throw new ControlError('unknown-scenario', 'there is no scenario of that name');
    return found;
  }

  /** @throws ControlError unknown-scenario, StateError */
  remove(name: string): void {
    this.find(name);
    this.#slot.write(this.list.filter((scenario) => scenario.name !== name));
  }
}
