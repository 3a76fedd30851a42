import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { NetworkState } from '../hosts/network-proxy.js';
import type { ApduView } from '../inspection/apdu-log.js';
import type { SaleView } from '../inspection/sale-log.js';
import type { FrameView } from '../inspection/wire-log.js';
import type { TerminalView } from './terminal-view.js';

/** What happens in the simulator, by type. */
export interface SimulatorEventData {
  /** A terminal looks otherwise than before. */
  readonly terminal: TerminalView;
  readonly frame: { readonly terminalId: string } & FrameView;
  readonly apdu: { readonly terminalId: string } & ApduView;
  /** The kernel decided something in this transaction: `GET /terminals/{id}/kernel` has it. */
  readonly kernel: { readonly terminalId: string; readonly transaction: number };
  /** A sale began, went on or ended. */
  readonly sale: { readonly terminalId: string } & SaleView;
  readonly network: NetworkState;
  /** A list is another than before. */
  readonly changed: { readonly list: 'recordings' | 'scenarios' | 'receipts' | 'cards' | 'rules' };
}

/** A type of event. */
type SimulatorEventType = keyof SimulatorEventData;

/** Passes what happens to the listeners. */
export class SimulatorEvents {
  readonly #listeners = new Listeners<[type: SimulatorEventType, data: object]>();

  /** Calls all listeners. */
  tell<T extends SimulatorEventType>(type: T, data: SimulatorEventData[T]): void {
    this.#listeners.tell(type, data);
  }

  /** Calls `listener` with each event. Returns the function that ends the subscription. */
  listen(listener: (type: SimulatorEventType, data: object) => void): () => void {
    return this.#listeners.add(listener);
  }
}
