import type { KeyObject } from 'node:crypto';
import { TestAgent } from '@tillbridge/gateway/core/bridge/test-agent.test.support.js';
import type { BodyKind, Hello, Welcome } from '@tillbridge/wire/bridge/messages.js';

/** Messages that the gateway may send to an agent. */
const ANSWERS = [
  'challenge',
  'welcome',
  'goodbye',
  'heartbeatAnswer',
  'enrolmentAnswer',
  'authorizationAnswer',
  'statusAnswer',
  'acknowledgement',
  'parked',
] as const satisfies readonly BodyKind[];

/** What came, or how the socket was closed. */
interface BridgeAnswer {
  readonly kind: (typeof ANSWERS)[number] | 'closed';
  readonly body: object;
}

/** An agent's end of the bridge that returns every message in order. */
export class BridgeClient {
  readonly agent: TestAgent;
  readonly #unread: BridgeAnswer[] = [];
  #wake: () => void = () => undefined;

  constructor(url: string) {
    this.agent = new TestAgent(url);
    for (const kind of ANSWERS) void this.#listen(kind);
    void this.agent.closed.then((code) => this.#received({ kind: 'closed', body: { code } }));
  }

  async #listen(kind: (typeof ANSWERS)[number]): Promise<never> {
    for (;;) this.#received({ kind, body: await this.agent.next(kind) });
  }

  #received(answer: BridgeAnswer): void {
    this.#unread.push(answer);
    this.#wake();
  }

  /** The next message of the gateway. */
  async next(): Promise<BridgeAnswer> {
    for (;;) {
      const answer = this.#unread.shift();
      if (answer) return answer;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The next thing, which must be of that kind. @throws Error */
  async expect<T extends object>(expected: BridgeAnswer['kind']): Promise<T> {
    const { kind, body } = await this.next();
    if (kind !== expected) throw new Error(`${kind} in place of ${expected}: ${JSON.stringify(body)}`);
    return body as T;
  }

  /** Opens a session. @throws Error when the gateway does not welcome the agent */
  async join(hello: Partial<Hello>, key: KeyObject): Promise<Welcome> {
    this.agent.say('hello', this.agent.prove(await this.expect('challenge'), hello, key));
    return this.expect('welcome');
  }

  /** Closes the socket, and waits until the gateway has closed it. */
  async close(): Promise<void> {
    this.agent.socket.close();
    await this.agent.closed;
  }
}
