import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import type { NetworkProxy } from '../hosts/network-proxy.js';
import { faultsOf, SCENARIO_NAME, type Scenario, scenarioOfSale } from '../scenarios/scenario.js';
import type { ScenarioStore } from '../scenarios/scenario-store.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';
import { terminalView } from '../simulator/terminal-view.js';
import { FAULT_PROPERTIES, FAULTS_BODY } from './fault-schema.js';
import { type ById, terminalFinder } from './find-terminal.js';
import { NETWORK_BODY, networkOf, type WrittenNetwork } from './host-routes.js';
import { SCENARIO_SALE } from './scenario-sale-schema.js';

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
    sale: SCENARIO_SALE,
  },
} as const;
const RUN_BODY = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { seed: SEED },
} as const;

const SALE_PARAMS = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    number: { type: 'string', pattern: '^\\d{1,9}$', expected: 'a number of a sale' },
  },
} as const;
const OF_SALE_BODY = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string', maxLength: 60 } },
} as const;

function requireName(name: string): void {
  if (!SCENARIO_NAME.test(name))
    throw new ControlError('bad-request', 'a name has 1 to 60 letters, digits, blanks, dots or hyphens');
}

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
  // The file is a body of PUT: the name of the file is that of the scenario.
  app.get<ByName>('/scenarios/:name', ({ params: { name } }, reply) => {
    const { name: found, ...file } = scenarios.find(name);
    return reply.header('content-disposition', `attachment; filename="${found}.json"`).send(file);
  });
  app.post<ById & { Params: { number: string }; Body: { name: string } }>(
    '/terminals/:id/sales/:number/scenario',
    { schema: { params: SALE_PARAMS, body: OF_SALE_BODY } },
    ({ params: { id, number }, body: { name } }) => {
      requireName(name);
      const found = find(id).sales.find(Number(number));
      if (!found) throw new ControlError('unknown-entry', `there is no sale ${number}: it is forgotten`);
      const scenario = scenarioOfSale(name, id, [...terminals.keys()].indexOf(id), found.view, found.faults);
      scenarios.save(scenario);
      changed();
      return scenario;
    },
  );
  app.put<ByName & { Body: Omit<Scenario, 'name' | 'network'> & { network?: WrittenNetwork } }>(
    '/scenarios/:name',
    { schema: { body: SCENARIO_BODY } },
    ({ params: { name }, body: { network: written, ...body } }) => {
      requireName(name);
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
        if (scenario.sale) {
          terminal.sales.expect({ name, ...scenario.sale });
          terminal.cardholder.begin(scenario.sale.cardholder);
        }
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
