import type { CustomerDisplay } from '@tillbridge/agent/display/customer-display.js';
import type { DisplayAnswer } from '@tillbridge/agent/till/display-routes.js';
import { EventClient } from '@tillbridge/panel-kit/events.js';
import { State } from '@tillbridge/panel-kit/state.js';

/** What the page shows. */
export interface DisplayView {
  /** `out`: it has to be signed in. `away`: the agent is not reached. */
  readonly state: 'connecting' | 'out' | 'away' | 'shown';
  /** Of the last answer: the merchant, the terminal and its language. */
  readonly about?: Pick<DisplayAnswer, 'store' | 'deviceType' | 'terminalId'>;
  readonly display?: CustomerDisplay;
}

/** How often the state is requested, in milliseconds: a network may swallow events, and an agent that is away is noticed. */
const LOOK_EVERY_MS = 5_000;
/** How long a call may take, in milliseconds. */
const LOOK_TIMEOUT_MS = 4_000;

/** Marks requests of a customer display: its cookie counts with this header alone. */
const HEADERS = { 'x-tillbridge-page': 'display' };

/** The agent refused a call: the display is not signed in, or not any more. */
class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
}

/** Keeps what a customer sees true: follows the events of the terminal, and looks anew when they were interrupted. */
export class LiveDisplay {
  readonly view = new State<DisplayView>({ state: 'connecting' });
  #events: EventClient | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;
  #idleAgain: ReturnType<typeof setTimeout> | undefined;

  /** Looks whether this browser is signed in as a display, and follows its terminal. */
  start(): void {
    this.#looking ??= setInterval(() => void this.#look(), LOOK_EVERY_MS);
    this.#events ??= new EventClient({
      address: () => this.#address(),
      types: ['display'],
      onEvent: ({ data }) => this.#show((data as { readonly display: CustomerDisplay }).display),
      onState: (state) => {
        if (state === 'open') void this.#look();
        else if (state === 'connecting') this.#away();
      },
    });
  }

  /** Signs in by a one-time code. @returns what went wrong, if something did */
  async signIn(code: string): Promise<'codeWrong' | 'notReached' | undefined> {
    try {
      await request('POST', '/v1/sign-in', { code });
    } catch (error) {
      return error instanceof RefusedCall ? 'codeWrong' : 'notReached';
    }
    this.view.change(() => ({ state: 'connecting' }));
    this.start();
    return undefined;
  }

  async #address(): Promise<string | undefined> {
    try {
      const { token } = await request<{ readonly token: string }>('POST', '/v1/events/token');
      return `/v1/events?${new URLSearchParams({ token })}`;
    } catch (error) {
      if (!(error instanceof RefusedCall)) throw error;
      this.#signedOut();
      return undefined;
    }
  }

  async #look(): Promise<void> {
    try {
      const { store, deviceType, ...display } = await request<DisplayAnswer>('GET', '/v1/display');
      const about = { store, deviceType, terminalId: display.terminalId };
      this.view.change((view) => ({ ...view, about }));
      this.#show(display);
    } catch (error) {
      if (error instanceof RefusedCall) this.#signedOut();
      else {
        this.#away();
        // A network that was cut without a word keeps the stream silent.
        this.#events?.renew();
      }
    }
  }

  #show(display: CustomerDisplay): void {
    clearTimeout(this.#idleAgain);
    this.view.change((view) => ({ ...view, state: 'shown', display }));
    const { terminalId, shownForMs } = display;
    if (shownForMs !== undefined)
      this.#idleAgain = setTimeout(() => this.#show({ terminalId, step: 'idle' }), shownForMs);
  }

  #away(): void {
    this.view.change((view) => (view.state === 'shown' ? { ...view, state: 'away' } : view));
  }

  #signedOut(): void {
    clearInterval(this.#looking);
    clearTimeout(this.#idleAgain);
    this.#looking = undefined;
    this.#events?.end();
    this.#events = undefined;
    this.view.change(() => ({ state: 'out' }));
  }
}

/** A call of the agent. @throws RefusedCall where it refuses; Error where it was not reached */
async function request<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { ...HEADERS, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    cache: 'no-store',
    signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
  });
  if (response.status === 401 || response.status === 403) throw new RefusedCall();
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return (await response.json()) as T;
}
