import { nearMatch } from '@tillbridge/protocol/text/near-match.js';
import type { FastifyInstance } from 'fastify';
import type { CardBox } from '../cards/card-box.js';
import { CARD_NAMES, PRESENT_MODES, type PresentMode } from '../cards/catalogue.js';
import { ControlError } from '../errors/control-error.js';
import { FAULT_NAMES, type Fault, MAX_FAULT_DELAY_MS, MAX_FAULT_TIMES, MAX_FAULTS } from '../faults/fault.js';
import type { SimulatedTerminal, SimulatedTerminals } from '../simulator/simulator.js';
import { type KeyedInput, type PinEntry, TerminalUiError } from '../terminals/core/terminal-ui.js';

interface ById {
  readonly Params: { readonly id: string };
}

const PRESENT_BODY = {
  type: 'object',
  required: ['card'],
  additionalProperties: false,
  properties: {
    card: { type: 'string' },
    how: { type: 'string', enum: PRESENT_MODES },
    second: { type: 'boolean' },
  },
} as const;

const PIN_BODY = {
  type: 'object',
  required: ['pin'],
  additionalProperties: false,
  properties: {
    pin: {
      type: 'string',
      pattern: '^(\\d{4,12}|bypass|cancel)$',
      expected: '4 to 12 digits, bypass or cancel',
    },
  },
} as const;

const INPUT_BODY = {
  type: 'object',
  required: ['input'],
  additionalProperties: false,
  properties: {
    input: {
      type: 'string',
      pattern: '^([0-9]{0,32}|cancel)$',
      expected: 'digits in front of ENTER (none: ENTER alone), or cancel',
    },
  },
} as const;

const FAULTS_BODY = {
  type: 'array',
  maxItems: MAX_FAULTS,
  items: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', enum: FAULT_NAMES },
      skip: { type: 'integer', minimum: 0, maximum: MAX_FAULT_TIMES, default: 0 },
      times: { type: 'integer', minimum: 1, maximum: MAX_FAULT_TIMES, default: 1 },
      delayMs: { type: 'integer', minimum: 0, maximum: MAX_FAULT_DELAY_MS, default: 1_000 },
      seed: { type: 'integer', minimum: 0, maximum: 0xffffffff, default: 1 },
    },
  },
} as const;

/** The routes that act on terminals (interfaces: Simulator REST). */
export function terminalRoutes(app: FastifyInstance, { terminals, box }: SimulatedTerminals): void {
  const find = (id: string): SimulatedTerminal => {
    const terminal = terminals.get(id);
    if (!terminal) {
      const known = [...terminals.keys()].join(', ');
      throw new ControlError('unknown-terminal', `there is no terminal ${id}; there are ${known || 'none'}`);
    }
    return terminal;
  };

  app.get('/terminals', () => [...terminals.values()].map(summary));
  app.get<ById>('/terminals/:id', ({ params }) => {
    const terminal = find(params.id);
    const { ui, frames } = terminal.device;
    return {
      ...summary(terminal),
      screen: ui.screen,
      printed: ui.printed,
      frames,
      faults: terminal.faults.pending,
    };
  });
  app.post<ById & { Body: { card: string; how?: PresentMode; second?: boolean } }>(
    '/terminals/:id/present',
    { schema: { body: PRESENT_BODY } },
    ({ params, body }) => {
      const terminal = find(params.id);
      const presentation = pick(box, body.card, body.how, body.second ?? false);
      return { ...refusable(() => terminal.device.ui.present(presentation)), ...summary(terminal) };
    },
  );
  app.post<ById & { Body: { pin: string } }>(
    '/terminals/:id/pin',
    { schema: { body: PIN_BODY } },
    ({ params, body }) => {
      const terminal = find(params.id);
      return { ...refusable(() => terminal.device.ui.enterPin(pinEntry(body.pin))), ...summary(terminal) };
    },
  );
  app.post<ById & { Body: { input: string } }>(
    '/terminals/:id/input',
    { schema: { body: INPUT_BODY } },
    ({ params, body: { input } }) => {
      const terminal = find(params.id);
      const keyed: KeyedInput = input === 'cancel' ? { kind: input } : { kind: 'entered', text: input };
      refusable(() => terminal.device.ui.keyIn(keyed));
      return summary(terminal);
    },
  );
  app.put<ById & { Body: readonly Fault[] }>(
    '/terminals/:id/faults',
    { schema: { body: FAULTS_BODY } },
    ({ params, body }) => {
      const terminal = find(params.id);
      terminal.faults.lay(body);
      return { ...summary(terminal), faults: terminal.faults.pending };
    },
  );
  const act = (name: string, action: (terminal: SimulatedTerminal) => void | Promise<void>): void => {
    app.post<ById>(`/terminals/:id/${name}`, async ({ params }) => {
      const terminal = find(params.id);
      await action(terminal);
      return summary(terminal);
    });
  };
  act('remove', ({ device }) => device.ui.remove());
  act('reset', ({ device }) => device.reset());
  act('unplug', ({ port }) => port.unplug());
  act('plug', ({ port }) => port.plug());
}

function summary({ device, port }: SimulatedTerminal) {
  return {
    id: device.id,
    deviceType: device.deviceType,
    state: device.ui.state,
    transport: port.transport,
    path: port.path,
    plugged: port.plugged,
  };
}

function pick(box: CardBox, name: string, how: PresentMode | undefined, collision: boolean) {
  const taken = box.take(name);
  if (!taken) {
    const near = nearMatch(name, CARD_NAMES);
    const meant = near === undefined ? `there are ${CARD_NAMES.join(', ')}` : `did you mean ${near}?`;
    throw new ControlError('unknown-card', `there is no card ${name}; ${meant}`);
  }
  return { ...taken, how: how ?? taken.definition.usual, collision };
}

function pinEntry(pin: string): PinEntry {
  if (pin === 'bypass' || pin === 'cancel') return { kind: pin };
  return { kind: 'digits', digits: Buffer.from(pin, 'latin1') };
}

function refusable<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof TerminalUiError) throw new ControlError('not-now', error.message);
    throw error;
  }
}
