import { nearMatch } from '@tillbridge/wire/text/near-match.js';
import type { FastifyInstance } from 'fastify';
import type { CardBox } from '../cards/card-box.js';
import { CARD_NAMES, cardCatalogue, PRESENT_MODES, type PresentMode } from '../cards/catalogue.js';
import { ControlError } from '../errors/control-error.js';
import type { Fault } from '../faults/fault.js';
import type { SimulatedTerminal } from '../simulator/simulated-terminal.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';
import { terminalView } from '../simulator/terminal-view.js';
import {
  type KeyedInput,
  type PinEntry,
  type Presentation,
  TerminalUiError,
} from '../terminals/core/terminal-ui.js';
import { FAULTS_BODY } from './fault-schema.js';
import { type ById, terminalFinder } from './find-terminal.js';

/** Frames of a terminal that its own route shows; `/frames` has all that are kept. */
const SHOWN_FRAMES = 50;

/** A card by name, or a number that is keyed in. */
interface PresentBody {
  readonly card?: string;
  readonly number?: string;
  readonly how?: PresentMode;
  readonly second?: boolean;
}

const PRESENT_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    card: { type: 'string' },
    number: { type: 'string', pattern: '^\\d{12,19}$', expected: '12 to 19 digits' },
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

/** The routes that act on terminals (interfaces: Simulator REST). */
export function terminalRoutes(app: FastifyInstance, { terminals, box }: SimulatedTerminals): void {
  const find = terminalFinder(terminals);

  app.get('/terminals', () => [...terminals.values()].map(terminalView));
  app.get<ById>('/terminals/:id', ({ params }) => {
    const terminal = find(params.id);
    const { wire, device } = terminal;
    const frames = wire.frames.entries.slice(-SHOWN_FRAMES).map((frame) => wire.view(frame));
    return { ...terminalView(terminal), ...device.counterView, frames };
  });
  app.post<ById & { Body: PresentBody }>(
    '/terminals/:id/present',
    { schema: { body: PRESENT_BODY } },
    ({ params, body }) => {
      const terminal = find(params.id);
      const presentation = pick(box, body);
      return { ...refusable(() => terminal.device.ui.present(presentation)), ...terminalView(terminal) };
    },
  );
  app.post<ById & { Body: { pin: string } }>(
    '/terminals/:id/pin',
    { schema: { body: PIN_BODY } },
    ({ params, body }) => {
      const terminal = find(params.id);
      return {
        ...refusable(() => terminal.device.ui.enterPin(pinEntry(body.pin))),
        ...terminalView(terminal),
      };
    },
  );
  app.post<ById & { Body: { input: string } }>(
    '/terminals/:id/input',
    { schema: { body: INPUT_BODY } },
    ({ params, body: { input } }) => {
      const terminal = find(params.id);
      const keyed: KeyedInput = input === 'cancel' ? { kind: input } : { kind: 'entered', text: input };
      refusable(() => terminal.device.ui.keyIn(keyed));
      return terminalView(terminal);
    },
  );
  app.put<ById & { Body: readonly Fault[] }>(
    '/terminals/:id/faults',
    { schema: { body: FAULTS_BODY } },
    ({ params, body }) => {
      const terminal = find(params.id);
      terminal.faults.lay(body);
      terminal.changed();
      return terminalView(terminal);
    },
  );
  const act = (name: string, action: (terminal: SimulatedTerminal) => void | Promise<void>): void => {
    app.post<ById>(`/terminals/:id/${name}`, async ({ params }) => {
      const terminal = find(params.id);
      await action(terminal);
      terminal.changed();
      return terminalView(terminal);
    });
  };
  act('remove', ({ device }) => device.ui.remove());
  act('reset', ({ device }) => device.reset());
  act('unplug', ({ port }) => port.unplug());
  act('plug', ({ port }) => port.plug());
}

function pick(box: CardBox, { card, number, how, second = false }: PresentBody): Presentation {
  const name = card ?? nameOf(number);
  const taken = box.take(name);
  if (!taken) {
    const near = nearMatch(name, CARD_NAMES);
    const meant = near === undefined ? `there are ${CARD_NAMES.join(', ')}` : `did you mean ${near}?`;
    throw new ControlError('unknown-card', `there is no card ${name}; ${meant}`);
  }
  return {
    ...taken,
    how: card === undefined ? 'manual' : (how ?? taken.definition.usual),
    collision: second,
  };
}

/** The card of a number that was keyed in. Others than the published ones are refused: no real card number comes here. */
function nameOf(number: string | undefined): string {
  const found = cardCatalogue().find(({ account }) => account.pan === number);
  if (found) return found.name;
  if (number === undefined) throw new ControlError('bad-request', 'name a card, or a number to key in');
  throw new ControlError('unknown-card', 'only numbers of the cards of GET /cards can be keyed in');
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
