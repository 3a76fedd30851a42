import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import type { NetworkProxy } from '../hosts/network-proxy.js';
import { faultsOf, SCENARIO_NAME, type Scenario } from '../scenarios/scenario.js';
import type { ScenarioStore } from '../scenarios/scenario-store.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';
import { terminalView } from '../simulator/terminal-view.js';
import { FAULT_PROPERTIES, FAULTS_BODY } from './fault-schema.js';
import { terminalFinder } from './find-terminal.js';
import { NETWORK_BODY, networkOf, type WrittenNetwork } from './host-routes.js';

interface ByName {
  readonly Params: { readonly name: string };
}

const SEED = { type: 'integer', minimum: 0, maximum: 0xffffffff } as const;
const { seed: _seed, ...PROPERTIES } = FAULT_PROPERTIES;
const SCENARIO_BODY = {
  type: 'object',
  required: ['seed', 'faults'],
  additionalProperties: false,
  properties: {
    seed: SEED,
    terminals: { type: 'array', maxItems: 64, items: { type: 'string', maxLength: 32 } },
    faults: { ...FAULTS_BODY, items: { ...FAULTS_BODY.items, properties: PROPERTIES } },
    network: NETWORK_BODY,
  },
} as const;
const RUN_BODY = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { seed: SEED },
} as const;

/** Scenarios: sets of faults under a name. The same seed strikes the same frames. */
export function scenarioRoutes(
  app: FastifyInstance,
  { terminals, events }: SimulatedTerminals,
  scenarios: ScenarioStore,
  network: NetworkProxy | undefined,
): void {
  const find = terminalFinder(terminals);
  const changed = (): void => events.tell('changed', { list: 'scenarios' });

  app.get('/scenarios', () => scenarios.list);
  app.put<ByName & { Body: Omit<Scenario, 'name' | 'network'> & { network?: WrittenNetwork } }>(
    '/scenarios/:name',
    { schema: { body: SCENARIO_BODY } },
    ({ params: { name }, body: { network: written, ...body } }) => {
      if (!SCENARIO_NAME.test(name))
        throw new ControlError('bad-request', 'a name has 1 to 60 letters, digits, blanks, dots or hyphens');
      for (const id of body.terminals ?? []) find(id);
      const scenario = { ...body, name, ...(written && { network: networkOf(written) }) };
      scenarios.save(scenario);
      changed();
      return scenario;
    },
  );
  app.delete<ByName>('/scenarios/:name', ({ params: { name } }) => {
    scenarios.remove(name);
    changed();
    return { name };
  });
  app.post<ByName & { Body: { seed?: number } | null }>(
    '/scenarios/:name/run',
    { schema: { body: RUN_BODY } },
    ({ params: { name }, body }) => {
      const scenario = scenarios.find(name);
      const seed = body?.seed ?? scenario.seed;
      const ids = [...terminals.keys()];
      const chosen = (scenario.terminals ?? ids).filter((id) => terminals.has(id));
      for (const id of chosen) {
        const terminal = find(id);
        terminal.faults.lay(faultsOf(scenario, seed, ids.indexOf(id)));
        terminal.changed();
      }
      if (scenario.network && network) {
        network.set(scenario.network);
        events.tell('network', network.network);
      }
      return { name, seed, terminals: chosen.map((id) => terminalView(find(id))) };
    },
  );
}
