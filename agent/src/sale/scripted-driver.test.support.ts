import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type {
  CompleteOutcome,
  DeviceOutcome,
  DeviceWork,
  DriverState,
  OnlineResult,
  Question,
  StartOutcome,
  StartRequest,
  TerminalCondition,
  TerminalDriver,
} from '../drivers/core/driver.js';
import { AAC, chipCard, iccData, TC } from './sale.test.support.js';

/** A terminal at the driver seam whose card and holder are scripted. */
export class ScriptedDriver implements TerminalDriver {
  state: DriverState = 'ready';
  readonly identity = { maker: 'Gertec', model: 'PPC930', firmware: '1', serial: '123' };
  readonly log: string[] = [];
  /** How reading the card ends. */
  reads: (request: StartRequest) => StartOutcome | Promise<StartOutcome> = () => ({
    kind: 'online-required',
    card: chipCard(),
  });
  /** How the card takes the answer. */
  completes: (result: OnlineResult) => CompleteOutcome | Promise<CompleteOutcome> = ({ kind }) =>
    kind === 'declined'
      ? { kind: 'declined', iccData: iccData(AAC, { '8A': '3035' }) }
      : { kind: 'approved', iccData: iccData(TC, { '8A': kind === 'approved' ? '3030' : '5933' }) };
  /** How a card is read without a payment. */
  readsOutsideSale: () => DeviceOutcome | Promise<DeviceOutcome> = () => ({ kind: 'unavailable' });
  /** What the person in front of the terminal answers. */
  answers: (question: Question) => DeviceOutcome | Promise<DeviceOutcome> = () => ({ kind: 'unavailable' });
  readonly #listeners = new Listeners<[state: DriverState]>();
  #cancel: (() => void) | undefined;

  async start(request: StartRequest): Promise<StartOutcome> {
    this.log.push(`start ${request.kind} ${request.amount.minor}`);
    const cancelled = new Promise<StartOutcome>((resolve) => {
      this.#cancel = () => resolve({ kind: 'cancelled', by: 'till' });
    });
    const end = await Promise.race([this.reads(request), cancelled]);
    this.#cancel = undefined;
    return end;
  }

  async complete(result: OnlineResult): Promise<CompleteOutcome> {
    this.log.push(`complete ${result.kind}`);
    return this.completes(result);
  }

  async cancel(): Promise<void> {
    this.log.push('cancel');
    this.#cancel?.();
  }

  async finish(text: string): Promise<void> {
    this.log.push(`finish ${text}`);
  }

  async status(): Promise<TerminalCondition> {
    return { kind: 'condition', identity: this.identity, keys: { data: 'loaded', pin: 'loaded' } };
  }

  async device(work: DeviceWork): Promise<DeviceOutcome> {
    if (work.kind === 'read-card') return this.readsOutsideSale();
    if (work.kind === 'ask') return this.answers(work.question);
    if (work.kind === 'display') this.log.push(`display ${work.text}`);
    return { kind: work.kind === 'display' ? 'done' : 'unavailable' };
  }

  onState(listener: (state: DriverState) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The terminal comes or goes. */
  show(state: DriverState): void {
    this.state = state;
    this.#listeners.tell(state);
  }

  async close(): Promise<void> {}
}
