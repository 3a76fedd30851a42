import { ControlError } from '../errors/control-error.js';
import type { SimulatedTerminal } from '../simulator/simulated-terminal.js';

/** Parameters of a path that names a terminal. */
export interface ById {
  readonly Params: { readonly id: string };
}

/** Finds a terminal by its id. @throws ControlError unknown-terminal */
export function terminalFinder(
  terminals: ReadonlyMap<string, SimulatedTerminal>,
): (id: string) => SimulatedTerminal {
  return (id) => {
    const terminal = terminals.get(id);
    if (terminal) return terminal;
    const known = [...terminals.keys()].join(', ');
    throw new ControlError('unknown-terminal', `there is no terminal ${id}; there are ${known || 'none'}`);
  };
}
