import { connect, type Socket } from 'node:net';

/** What a generator sends: the same few requests again and again, over so many connections at once. */
export interface HttpLoad {
  readonly port: number;
  /** Whole HTTP/1.1 requests. Each connection repeats one of them, the next connection the next one. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** What is sent before this time does not count. */
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** Each connection sends all of the requests in turn, from its own place in them on. */
  readonly isEachNext?: boolean;
  /** Least time between two requests of one connection; 0 sends the next one at once. */
  readonly pauseMs?: number;
}

/** What a load has met after its warm-up. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Bytes of all answers. */
  readonly answerBytes: number;
  /** Connections that the server closed. */
  readonly closed: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;

/** Sends a load, one request at a time over each connection, and measures what comes back. */
export async function sendLoad(load: HttpLoad): Promise<LoadResult> {
  const meter = new Meter(load);
  await Promise.all(
    Array.from({ length: load.connections }, (_none, at) =>
      startLater(load, at).then(() => new Client(load.port, requestsFor(load, at), meter).run()),
    ),
  );
  return meter.result();
}

/** What a connection sends, again and again. */
function requestsFor({ requests, isEachNext }: HttpLoad, at: number): readonly Buffer[] {
  const from = at % requests.length;
  const own = isEachNext
    ? [...requests.slice(from), ...requests.slice(0, from)]
    : requests.slice(from, from + 1);
  return own.map((request) => Buffer.from(request));
}

/** Paced connections begin one after the other: all at once they would go on in bursts. */
function startLater({ pauseMs = 0, connections }: HttpLoad, at: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, (pauseMs * at) / connections));
}

/** Counts what all connections of a load meet. */
class Meter {
  readonly pauseMs: number;
  readonly endMs: number;
  readonly #fromMs: number;
  readonly #latenciesMs: number[] = [];
  readonly #statuses = new Map<string, number>();
  #answerBytes = 0;
  #closed = 0;

  constructor({ warmUpMs, durationMs, pauseMs = 0 }: HttpLoad) {
    this.pauseMs = pauseMs;
    this.#fromMs = performance.now() + warmUpMs;
    this.endMs = this.#fromMs + durationMs;
  }

  answered(status: string, sentMs: number, nowMs: number, bytes: number): void {
    if (sentMs < this.#fromMs) return;
    this.#latenciesMs.push(nowMs - sentMs);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#answerBytes += bytes;
  }

  closed(): void {
    this.#closed += 1;
  }

  result(): LoadResult {
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return {
      perSecond: (sorted.length * 1_000) / (performance.now() - this.#fromMs),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      statuses: Object.fromEntries(this.#statuses),
      answerBytes: this.#answerBytes,
      closed: this.#closed,
    };
  }
}

/** One connection. It reads no more of HTTP than where an answer ends: the generator must cost little compared with the server. */
class Client {
  readonly #port: number;
  readonly #requests: readonly Buffer[];
  #next = 0;
  readonly #meter: Meter;
  #socket: Socket | undefined;
  #rest = '';
  #sentMs = 0;
  #done: () => void = () => undefined;

  constructor(port: number, requests: readonly Buffer[], meter: Meter) {
    this.#port = port;
    this.#requests = requests;
    this.#meter = meter;
  }

  run(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#open();
    });
  }

  #open(): void {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket;
    this.#rest = '';
    socket.setEncoding('latin1');
    socket.on('connect', () => this.#send());
    socket.on('data', (piece: string) => this.#read(piece));
    // The close reports it.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#gone());
  }

  #gone(): void {
    if (performance.now() >= this.#meter.endMs) this.#done();
    else {
      this.#meter.closed();
      this.#open();
    }
  }

  #send(): void {
    this.#sentMs = performance.now();
    const request = this.#requests[this.#next % this.#requests.length];
    this.#next += 1;
    if (request) this.#socket?.write(request);
  }

  #read(piece: string): void {
    this.#rest += piece;
    const head = this.#rest.indexOf(HEAD_END);
    if (head < 0) return;
    const end = head + HEAD_END.length + Number(LENGTH.exec(this.#rest.slice(0, head))?.[1] ?? 0);
    if (this.#rest.length < end) return;
    const nowMs = performance.now();
    this.#meter.answered(this.#rest.slice(9, 12), this.#sentMs, nowMs, end);
    this.#rest = this.#rest.slice(end);
    if (nowMs >= this.#meter.endMs) this.#socket?.destroy();
    else this.#sendLater(nowMs);
  }

  #sendLater(nowMs: number): void {
    const waitMs = this.#sentMs + this.#meter.pauseMs - nowMs;
    if (waitMs <= 0) this.#send();
    else setTimeout(() => this.#send(), waitMs);
  }
}

/** A POST of a form as bytes for a load. */
export function formRequest(path: string, fields: Readonly<Record<string, string>>, token: string): string {
  const body = new URLSearchParams(fields).toString();
  return [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/x-www-form-urlencoded; charset=UTF-8',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** A GET as bytes for a load. */
export function getRequest(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
}
