import { ControlError } from '../errors/control-error.js';
import type { StateSlot } from '../state/state-slot.js';
import { MAX_SCENARIOS, SCENARIO_NAME, type Scenario } from './scenario.js';

/** Checks what a state file holds. @throws TypeError */
export function parseScenarios(json: unknown): readonly Scenario[] {
  if (!Array.isArray(json) || json.length > MAX_SCENARIOS)
    throw new TypeError('expected a list of scenarios');
  for (const scenario of json as Partial<Scenario>[]) {
    if (typeof scenario?.name !== 'string' || !SCENARIO_NAME.test(scenario.name))
      throw new TypeError('each scenario has a name');
    if (!Number.isInteger(scenario.seed) || !Array.isArray(scenario.faults))
      throw new TypeError(`${scenario.name} must have a seed and faults`);
  }
  return json as readonly Scenario[];
}

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
