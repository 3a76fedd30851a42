import type {
  BridgeSocketListener as AgentListener,
  BridgeSocket as AgentSocket,
} from '@tillbridge/agent/uplink/bridge-socket.js';
import type {
  BridgeSocketListener as GatewayListener,
  BridgeSocket as GatewaySocket,
} from '@tillbridge/gateway/core/bridge/bridge-socket.js';
import { NO_TLS } from '@tillbridge/wire/bridge/gateway-pins.js';
import type { NetworkFaultRates } from '../kernel/fault-rates.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';

/** A stray message may come as late as this. */
const LONGEST_STRAY_MS = 60_000;

/** Where agents connect: the gateway's bridgeListener while it is up. */
export interface BridgeListener {
  readonly process: SimProcess;
  accept(socket: GatewaySocket): void;
}

/** Sees every message as one side hands it over. Returns what the network has to know of it. */
type WireTap = (
  way: 'up' | 'down',
  bytes: Uint8Array,
) => {
  /** It answers an authorization. */
  readonly isAnswer: boolean;
  /** Called each time the message arrives at a side that has not closed; one that has gets nothing. */
  arrived(): void;
};

/** The network between one store and the gateway. */
export interface NetworkDeps extends TracedDeps {
  readonly name: string;
  /** The gateway that answers now; undefined while it is down. */
  readonly bridgeListener: () => BridgeListener | undefined;
  readonly faultRates: () => NetworkFaultRates;
  readonly tap: WireTap;
}

/** Receives what arrives at a side of a connection. */
interface End {
  readonly process: SimProcess;
  onMessage(bytes: Uint8Array): void;
  onClose(detail: string): void;
}

/** Connections of one store: whole messages over memory, with the faults of the faultRates. */
export class Network {
  /** Nothing new is let through; what stands is cut. */
  #down = false;
  /** Nothing arrives and no side is notified: a cable that was pulled behind a router. */
  silent = false;
  /** Answers to authorizations come so much later. */
  answersHeldMs = 0;
  readonly #deps: NetworkDeps;
  readonly #open = new Set<Connection>();

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
  }

  get down(): boolean {
    return this.#down;
  }

  set down(down: boolean) {
    if (down === this.#down) return;
    this.#down = down;
    this.#deps.trace.add(this.#deps.name, down ? 'down' : 'up');
    if (down) for (const connection of [...this.#open]) connection.cut('network down');
  }

  /** Opens a connection for an agent's process; a failure is `onClose`. */
  connect(process: SimProcess, listener: AgentListener): AgentSocket {
    const { clock, random, faultRates } = this.#deps;
    const delayMs = random.whole(faultRates().fastestMs, faultRates().slowestMs);
    if (!process.effect('connect')) return DEAD_SOCKET;
    const bridgeListener = this.#deps.bridgeListener();
    if (this.#down || this.silent || !bridgeListener?.process.alive) {
      const timer = clock.setTimer(delayMs, () => {
        if (process.alive) listener.onClose(this.#down ? 'network is down' : 'refused');
      });
      return {
        send: () => false,
        close: (detail) => {
          timer.cancel();
          clock.setTimer(0, () => process.alive && listener.onClose(detail));
        },
      };
    }
    const connection: Connection = new Connection(this.#deps, this, () => this.#open.delete(connection));
    this.#open.add(connection);
    return connection.begin(process, listener, bridgeListener, delayMs);
  }
}

const DEAD_SOCKET: AgentSocket = { send: () => false, close: () => undefined };

/** One connection: two ends, each direction in order unless the fault rates change that. */
class Connection {
  readonly #deps: NetworkDeps;
  readonly #network: Network;
  readonly #ended: () => void;
  #agent: End | undefined;
  #gateway: End | undefined;
  #cut = false;
  readonly #lastMs = { up: 0, down: 0 };
  /** Sides that have closed, while the other one may not know yet. */
  readonly #left = new Set<'agent' | 'gateway'>();

  constructor(deps: NetworkDeps, network: Network, ended: () => void) {
    this.#deps = deps;
    this.#network = network;
    this.#ended = ended;
  }

  begin(
    process: SimProcess,
    listener: AgentListener,
    bridgeListener: BridgeListener,
    delayMs: number,
  ): AgentSocket {
    this.#agent = {
      process,
      onMessage: (bytes) => listener.onMessage(bytes),
      onClose: (detail) => listener.onClose(detail),
    };
    process.onDeath((how) => how === 'kill' && this.#leave('agent', 'process gone'));
    bridgeListener.process.onDeath((how) => how === 'kill' && this.#leave('gateway', 'process gone'));
    let opened = false;
    this.#deps.clock.setTimer(delayMs, () => {
      if (this.#cut || !process.alive || !bridgeListener.process.alive) return;
      opened = true;
      listener.onOpen(NO_TLS);
      bridgeListener.accept(this.#gatewaySocket(bridgeListener.process));
    });
    return {
      send: (bytes, taken) => {
        if (!opened || this.#cut || !process.effect('socket send')) return false;
        const copy = Uint8Array.from(bytes);
        this.#deps.clock.setTimer(1, () => process.alive && taken());
        this.#send('up', copy);
        return process.effect('socket sent');
      },
      close: (detail) => this.#close('agent', detail),
    };
  }

  /** Both sides lose the connection, each after a moment. */
  cut(detail: string): void {
    if (this.#cut) return;
    this.#cut = true;
    this.#ended();
    for (const end of [this.#agent, this.#gateway]) this.#reportLater(end, detail);
  }

  #gatewaySocket(process: SimProcess): GatewaySocket {
    const { name, clock } = this.#deps;
    return {
      peer: name,
      channels: [NO_TLS],
      bufferedBytes: 0,
      proven: () => undefined,
      rest: () => undefined,
      listen: (listener: GatewayListener) => {
        this.#gateway = {
          process,
          onMessage: (bytes) => process.whenRunning(() => listener.onMessage(bytes)),
          onClose: () => process.whenRunning(() => listener.onClose()),
        };
        if (this.#cut) clock.setTimer(0, () => this.#gateway && this.#reportLater(this.#gateway, 'gone'));
      },
      send: (bytes) => {
        if (this.#cut || !process.effect('socket send')) return;
        this.#send('down', Uint8Array.from(bytes));
        process.effect('socket sent');
      },
      close: (reason) => this.#close('gateway', reason),
    };
  }

  /** One side closes; the close reaches the other behind what was sent before. */
  #close(side: 'agent' | 'gateway', detail: string): void {
    if (this.#cut) return;
    this.#reportLater(side === 'agent' ? this.#agent : this.#gateway, detail, 0);
    this.#leave(side, detail);
  }

  #leave(side: 'agent' | 'gateway', detail: string): void {
    if (this.#cut) return;
    this.#left.add(side);
    const way = side === 'agent' ? 'up' : 'down';
    const other = side === 'agent' ? 'gateway' : 'agent';
    const delayMs = Math.max(1, this.#lastMs[way] - this.#deps.clock.monotonicMs() + 1);
    this.#deps.clock.setTimer(delayMs, () => {
      if (this.#cut) return;
      this.#cut = true;
      this.#ended();
      if (!this.#network.silent)
        this.#reportLater(other === 'agent' ? this.#agent : this.#gateway, detail, 0);
    });
  }

  #reportLater(end: End | undefined, detail: string, delayMs = this.#deps.random.whole(1, 200)): void {
    if (!end) return;
    this.#deps.clock.setTimer(delayMs, () => end.process.alive && end.onClose(detail));
  }

  #send(way: 'up' | 'down', bytes: Uint8Array): void {
    const { random, clock, tap, faultRates } = this.#deps;
    const { isAnswer, arrived } = tap(way, bytes);
    const { fastestMs, slowestMs, drop, duplicate, reorder, stray, cut } = faultRates();
    const breaks = random.chance(cut);
    const arrives = !random.chance(drop) && !(breaks && random.chance(0.5));
    const copies = random.chance(duplicate) ? 2 : 1;
    const strays = random.chance(stray);
    const heldMs = isAnswer ? this.#network.answersHeldMs : 0;
    const overtakes = strays || random.chance(reorder) || heldMs > 0;
    if (arrives) {
      for (let copy = 0; copy < copies; copy += 1) {
        const strayMs = strays ? random.whole(0, LONGEST_STRAY_MS) : 0;
        const atMs = clock.monotonicMs() + random.whole(fastestMs, slowestMs) + strayMs + heldMs;
        const inOrderMs = overtakes ? atMs : Math.max(atMs, this.#lastMs[way]);
        if (!overtakes) this.#lastMs[way] = inOrderMs;
        clock.setTimer(inOrderMs - clock.monotonicMs(), () => this.#arrive(way, bytes, arrived));
      }
    }
    if (breaks) clock.setTimer(random.whole(0, slowestMs), () => this.cut('connection broken'));
  }

  #arrive(way: 'up' | 'down', bytes: Uint8Array, arrived: () => void): void {
    const end = way === 'up' ? this.#gateway : this.#agent;
    if (this.#cut || this.#network.silent || !end?.process.alive) return;
    if (!this.#left.has(way === 'up' ? 'gateway' : 'agent')) arrived();
    end.onMessage(Uint8Array.from(bytes));
  }
}
