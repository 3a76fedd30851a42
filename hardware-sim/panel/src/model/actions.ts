import { showToast } from '@tillbridge/panel-kit/components/toasts.js';
import { call, sendRecording, terminalPath } from '../api/calls.js';
import type { NetworkState, RecordingView, ResponseRule, Scenario, TerminalView } from '../api/types.js';
import { panel } from './model.js';
import { type Place, placeHash, readPlace } from './place.js';
import { readHand, readLooked, readRules, takeNetwork } from './reading.js';

/** Characters of a copied text that are shown. */
const MAX_SHOWN = 200;

/** A fault as a request writes it. */
export interface WrittenFault {
  readonly name: string;
  readonly skip: number;
  readonly times: number;
  readonly delayMs: number;
  readonly ratePercent: number;
  readonly seed?: number;
}

/** Does something, and shows why it could not be done. @returns whether it was done */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error), 'bad');
    return false;
  }
}

/** Takes a card into the hand. */
export function takeCard(hand: string): void {
  panel.change(({ handState: _, ...now }) => ({ ...now, hand }));
  void attempt(readHand);
}

/** Goes to a place: its address is that of the page, so that a reload, the way back and a copied address find it. */
export function go(place: Place): void {
  location.hash = placeHash(place);
}

/** Follows the address of the page. */
export function followAddress(): void {
  const take = (): void => {
    const place = readPlace(location.hash);
    panel.change((now) => ({ ...now, place }));
    const isKnown = panel.value.terminals.some(({ id }) => id === place.terminal);
    if (isKnown) lookAt(place.terminal);
  };
  addEventListener('hashchange', take);
  take();
}

/** Looks at a terminal. */
function lookAt(looked: string): void {
  if (panel.value.looked === looked) return;
  panel.change(({ detail: _, ...now }) => ({
    ...now,
    looked,
    frames: [],
    apdus: [],
    transactions: [],
    sales: [],
    isRead: false,
  }));
  void attempt(readLooked);
}

/** Acts on a terminal. How it is then comes as an event: an answer may be older than the page's last event. */
export function act(id: string, route: string, body?: object): Promise<boolean> {
  return attempt(() => call('POST', terminalPath(id, route), body));
}

/** Gives the card in hand. */
export function give(id: string, how: string, second = false): Promise<boolean> {
  return act(id, 'present', { card: panel.value.hand, how, ...(second && { second }) });
}

/** Sets the faults of a terminal, in place of those that stand. */
export function setFaults(id: string, faults: readonly WrittenFault[]): Promise<boolean> {
  return attempt(() => call('PUT', terminalPath(id, 'faults'), faults));
}

/** Sets the network between agent and gateway. It is shown at once: the next click changes what this one has set. */
export function setNetwork(network: NetworkState): Promise<boolean> {
  panel.change((now) => ({ ...now, network }));
  return change(() => call('PUT', '/network', network), takeNetwork);
}

/** Sets the rules of the acquirer host, shown at once as well. */
export function setRules(rules: readonly ResponseRule[]): Promise<boolean> {
  panel.change((now) => ({ ...now, hostRules: { kind: 'rules', rules } }));
  return change(() => call('PUT', '/host/rules', rules), readRules);
}

/** Changes what is shown already; reads anew what is true where that failed. */
async function change(work: () => Promise<unknown>, read: () => Promise<void>): Promise<boolean> {
  const done = await attempt(work);
  if (!done) await read().catch(() => undefined);
  return done;
}

/** Keeps a scenario. */
export function saveScenario({ name, ...scenario }: Scenario): Promise<boolean> {
  return attempt(async () => {
    await call('PUT', `/scenarios/${encodeURIComponent(name)}`, scenario);
    showToast(`Scenario “${name}” is saved.`, 'good');
  });
}

/** Runs a scenario with a seed. */
export function runScenario(name: string, seed: number): Promise<boolean> {
  return attempt(async () => {
    const run = await call<{ readonly terminals: readonly TerminalView[] }>(
      'POST',
      `/scenarios/${encodeURIComponent(name)}/run`,
      { seed },
    );
    showToast(`“${name}” runs with seed ${seed} on ${run.terminals.length} terminals.`, 'info');
  });
}

/** Removes a scenario or a recording. */
export function remove(list: 'scenarios' | 'recordings', name: string): Promise<boolean> {
  return attempt(() => call('DELETE', `/${list}/${encodeURIComponent(name)}`));
}

/** Renews the PIN tries of a card and takes its blocks away. */
export function renewCard(name: string): Promise<boolean> {
  return attempt(() => call('POST', `/cards/${encodeURIComponent(name)}/renew`));
}

/** Begins or ends the recording of a terminal's line. */
export function record(id: string, on: boolean): Promise<boolean> {
  return attempt(() => call(on ? 'POST' : 'DELETE', terminalPath(id, 'recording')));
}

/** Keeps what was just seen as a recording, and copies the command that replays it. */
export function copyReplayCommand(id: string): Promise<boolean> {
  return attempt(async () => {
    const { command } = await call<RecordingView>('POST', terminalPath(id, 'recordings'));
    await copy(command);
  });
}

/** Makes a scenario of a sale, and gives it as a file. */
export function makeScenario(id: string, sale: number, name: string): Promise<boolean> {
  return attempt(async () => {
    await call('POST', terminalPath(id, `sales/${sale}/scenario`), { name });
    const link = document.createElement('a');
    link.href = `/scenarios/${encodeURIComponent(name)}`;
    link.download = `${name}.json`;
    link.click();
    showToast(`“${name}” is saved under “Scenarios”, and as a file.`, 'good');
  });
}

/** Copies a text; shows it where the browser does not allow that. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`Copied: ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`, 'good');
  } catch {
    showToast(text, 'info');
  }
}

/** Takes recordings from files. @returns the names that they have here */
export async function takeRecordings(files: readonly File[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (const file of files) {
    await attempt(async () => {
      const { name } = await sendRecording<RecordingView>(await file.text());
      names.push(name);
      showToast(`${file.name} is here as ${name}.`, 'good');
    });
  }
  return names;
}

/** Plays a recording in place of a terminal. */
export function playRecording(id: string, recording: string): Promise<boolean> {
  return act(id, 'replay', { recording });
}

/** Puts the terminal back in place of a recording. */
export function stopReplay(id: string): Promise<boolean> {
  return attempt(() => call('DELETE', terminalPath(id, 'replay')));
}

/** Throws the printed receipts away. */
export function clearReceipts(): Promise<boolean> {
  return attempt(() => call('DELETE', '/receipts'));
}
